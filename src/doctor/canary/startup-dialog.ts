import type { Agent } from '../../agents/agent.ts';
import type { Clock, Instant } from '../../base/ports.ts';
import type { CheckAnswer } from './check-log.ts';
import type { CanaryStage } from './stage.ts';
import type { Witness } from './witness.ts';

/** A CLI may draw a dialog twice and reset it the second time, so llmc sends keys only after the dialog has not changed for this long. */
const STILL_MS = 500;
/** A dialog without an answer may be half drawn, so llmc waits this long before it gives up. */
const PATIENCE_MS = 5_000;

/** Answers the dialogs of a start as the adapter says, one capture per call; fails at a dialog that the adapter does not know. */
export function startupDialog(
  agent: Agent,
  { terminal, session }: CanaryStage,
  witness: Witness,
  clock: Clock,
): () => Promise<CheckAnswer> {
  let shown: { readonly text: string; readonly since: Instant; readonly answered: boolean } | undefined;
  return async () => {
    const { screen, reading } = await witness.capture();
    if (reading.activity.kind !== 'awaiting_question') {
      shown = undefined;
      return undefined;
    }
    const text = screen.lines.join('\n');
    const now = clock.now();
    if (shown?.text !== text) {
      shown = { text, since: now, answered: false };
      return undefined;
    }
    const step = agent.startupStep(screen);
    if (step === undefined) {
      return now - shown.since < PATIENCE_MS ? undefined : { failed: `it stopped at a dialog: ${reading.activity.question}` };
    }
    if (shown.answered || now - shown.since < STILL_MS) return undefined;
    shown = { ...shown, answered: true };
    await terminal.keys(session, step.keys);
    return undefined;
  };
}
