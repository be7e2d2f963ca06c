import type { Activity } from '../../activity.ts';
import { readCompacting, readRetrying, readStatus, readStreaming, readTitleBusy } from './busy-screen.ts';
import { readLocked, readMenu, readNudge, readOtherDialog, readPermission, readQuestion, readStartupDialog } from './dialog-screen.ts';
import { readDeadPane, readLaunchError, readResumeHint } from './exit-screen.ts';
import { hasBox, type Seen } from './seen.ts';
import { TEXTS } from './texts.ts';
import { readError, readInterrupted, readLimit } from './turn-end.ts';

interface Rule {
  /** In words `llmc why` can print. */
  readonly name: string;
  readonly confidence: number;
  readonly read: (seen: Seen) => Activity | undefined;
}

/** The first rule that reads something wins, so the order is part of the meaning. */
export const RULES: readonly Rule[] = [
  // Before the end of the process, which the refusal explains.
  { name: 'Codex refused to start', confidence: 0.8, read: readLaunchError },
  { name: 'tmux says the pane is dead', confidence: 0.95, read: readDeadPane },
  { name: 'Codex left its resume hint as the last words', confidence: 0.9, read: readResumeHint },
  { name: 'a start-up dialog is open', confidence: 0.95, read: readStartupDialog },
  { name: 'a permission dialog is open', confidence: 0.95, read: readPermission },
  { name: 'a question is open', confidence: 0.95, read: readQuestion },
  { name: 'Codex offers another model because of a usage limit', confidence: 0.95, read: readNudge },
  { name: 'the conversation is open elsewhere', confidence: 0.95, read: readLocked },
  { name: 'a person has a menu open', confidence: 0.7, read: readMenu },
  { name: 'a dialog is open', confidence: 0.7, read: readOtherDialog },
  { name: 'the status line says it waits for the next try', confidence: 0.95, read: readRetrying },
  { name: 'the status line says the conversation is being compacted', confidence: 0.95, read: readCompacting },
  { name: 'the terminal’s title says it works', confidence: 0.95, read: readTitleBusy },
  { name: 'the status line says it works', confidence: 0.95, read: readStatus },
  { name: 'a reply has no end yet', confidence: 0.6, read: readStreaming },
  { name: 'the turn ended at the usage limit', confidence: 0.9, read: readLimit },
  { name: 'the turn ended with an error', confidence: 0.85, read: readError },
  { name: 'the box is free after an interruption', confidence: 0.9, read: readInterrupted },
  { name: 'the title says ready, and the box is free', confidence: 0.95, read: readTitledReady },
  { name: 'the box is free', confidence: 0.8, read: (seen) => (hasBox(seen) ? { kind: 'ready' } : undefined) },
  { name: 'the model line is not there yet', confidence: 0.6, read: readStarting },
  { name: 'the screen is still blank', confidence: 0.3, read: readBlank },
];

function readTitledReady(seen: Seen): Activity | undefined {
  return hasBox(seen) && seen.frame.title?.state === 'ready' ? { kind: 'ready' } : undefined;
}

/** The prompt is drawn 330 ms after the launch, before every dialog of the start: text sent then is lost. */
function readStarting({ frame }: Seen): Activity | undefined {
  return frame.ghost || frame.lines.some((line) => TEXTS.banner.test(line)) ? { kind: 'starting' } : undefined;
}

function readBlank({ frame }: Seen): Activity | undefined {
  return frame.lines.every((line) => line === '') ? { kind: 'starting' } : undefined;
}
