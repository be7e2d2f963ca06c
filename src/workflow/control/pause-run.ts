import type { ControlResult } from './control-run.ts';
import { postEvent, type RunContext } from './post-event.ts';
import { collectRuns, requireLivingRun } from './require-run.ts';

/** Stops the work of a run until it is resumed. `now`: agents get no time to save what they have. Safe to repeat. */
export async function pauseRun(
  context: RunContext,
  { run: id, now }: { readonly run: string; readonly now: boolean },
): Promise<ControlResult> {
  const { version, status } = await requireLivingRun(collectRuns(context), id);
  if (status === 'paused' || (status === 'pausing' && !now)) return { run: id, taken: true };
  // The version rises with every decision: a run can be paused again at any later time.
  const { taken } = await postEvent(context, id, `pause:${version}${now ? ':now' : ''}`, { kind: 'pause', now });
  return { run: id, taken };
}
