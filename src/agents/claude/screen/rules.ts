import type { Activity } from '../../activity.ts';
import { readBackground, readBusyHint, readCompacting, readRetrying, readSpinner } from './busy-screen.ts';
import { readLimitDialog, readMenu, readOtherDialog, readPermission, readQuestion, readStartupDialog } from './dialog-screen.ts';
import { readDeadPane, readLaunchError, readResumeHint } from './exit-screen.ts';
import { hasBox, type Seen } from './seen.ts';
import { readError, readInterrupted, readLimitBanner, readLimitResult } from './turn-end.ts';

export interface Rule {
  /** In words `llmc why` can print. */
  readonly name: string;
  readonly confidence: number;
  readonly read: (seen: Seen) => Activity | undefined;
}

/** The first rule that reads something wins, so the order is part of the meaning. The words it looks for are the version's texts. */
export const RULES: readonly Rule[] = [
  // Before the end of the process, which the refusal explains.
  { name: 'Claude Code refused to start', confidence: 0.8, read: readLaunchError },
  { name: 'tmux says the pane is dead', confidence: 0.95, read: readDeadPane },
  { name: 'Claude Code left its resume hint as the last words', confidence: 0.9, read: readResumeHint },
  { name: 'a start-up dialog is open', confidence: 0.95, read: readStartupDialog },
  { name: 'a permission dialog is open', confidence: 0.95, read: readPermission },
  { name: 'a question is open', confidence: 0.95, read: readQuestion },
  { name: 'the usage-limit dialog is open', confidence: 0.95, read: readLimitDialog },
  { name: 'a person has a menu open', confidence: 0.7, read: readMenu },
  { name: 'a dialog nobody has recorded is open', confidence: 0.6, read: readOtherDialog },
  { name: 'the spinner counts down to a retry', confidence: 0.95, read: readRetrying },
  { name: 'the spinner says the conversation is being compacted', confidence: 0.95, read: readCompacting },
  { name: 'a spinner stands above the box', confidence: 0.95, read: readSpinner },
  { name: 'the footer offers "esc to interrupt"', confidence: 0.9, read: readBusyHint },
  { name: 'the footer says the usage limit is reached', confidence: 0.95, read: readLimitBanner },
  { name: 'the turn ended at the usage limit', confidence: 0.85, read: readLimitResult },
  { name: 'the turn ended with an API error', confidence: 0.75, read: readError },
  { name: 'something still runs in the background', confidence: 0.85, read: readBackground },
  { name: 'the box is free after an interruption', confidence: 0.85, read: readInterrupted },
  { name: 'the box is free', confidence: 0.85, read: (seen) => (hasBox(seen) ? { kind: 'ready' } : undefined) },
  { name: 'the banner is there and the box is not yet', confidence: 0.5, read: readBanner },
  { name: 'the screen is still blank', confidence: 0.3, read: readBlank },
];

function readBanner({ frame }: Seen): Activity | undefined {
  return frame.lines.some((line) => frame.texts.banner.test(line)) ? { kind: 'starting' } : undefined;
}

function readBlank({ frame }: Seen): Activity | undefined {
  return frame.lines.every((line) => line === '') ? { kind: 'starting' } : undefined;
}
