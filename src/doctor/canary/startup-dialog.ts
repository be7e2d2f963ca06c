import type { Agent } from '../../agents/agent.ts';
import type { Clock, Instant } from '../../base/ports.ts';
import type { Answer } from './check-log.ts';
import type { Stage } from './stage.ts';
import type { Witness } from './witness.ts';

/** A dialog may be drawn twice, and begin anew the second time: keys wait until it has stood still this long. */
const STILL_MS = 500;
/** One the adapter has no answer to may be half drawn. */
const PATIENCE_MS = 5_000;

/** Goes through the dialogs of a start as the adapter says, one look at a time; one it does not know is where the canary ends. */
export function startupDialog(agent: Agent, { terminal, session }: Stage, witness: Witness, clock: Clock): () => Promise<Answer> {
  let shown: { readonly text: string; readonly since: Instant; readonly answered: boolean } | undefined;
  return async () => {
    const { screen, reading } = await witness.look();
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
