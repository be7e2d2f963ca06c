import type { Config } from '../../config/schema.ts';
import { decideResume } from '../../recovery/decide-resume.ts';
import { isAnswered, nextDelivery } from '../../store/tables/deliveries.ts';
import type { WorkContext } from '../../workers/context.ts';
import { isAtWork } from '../../workers/status/transitions.ts';
import { queueContinueAfterLimit } from '../launch/resume.ts';
import { standsAtPrompt } from '../observe/stands-at-prompt.ts';
import type { Watch } from '../observe/watch.ts';
import { limitHitOf, parkedUntil, recordLimitHit } from './parking.ts';

/** `waits`: at a limit that holds. `settled`: at a limit that is over, so the agent counts as standing at its prompt. */
export type LimitOutcome = 'none' | 'acted' | 'waits' | 'settled';

/** Parks the account of an agent at its usage limit, and sends the prompt to continue when the limit is over. */
export async function handleLimit(
  context: Pick<WorkContext, 'store' | 'clock' | 'random' | 'layout' | 'config'>,
  watch: Watch,
  config: Config,
): Promise<LimitOutcome> {
  const { store, clock } = context;
  const now = clock.now();
  const hit = limitHitOf(watch, now);
  if (hit === undefined) return 'none';
  const answered = isAnswered(store.database, watch.name, hit);
  if (!answered && recordLimitHit(context, watch, config, hit)) return 'acted';
  const { status, current_prompt } = store.worker(watch.name);
  const step = decideResume(
    {
      ...{ hit, answered, hasTask: isAtWork(status) && current_prompt !== null },
      goesOnAt: parkedUntil(context, watch, config, now)?.at,
      stands: standsAtPrompt(watch, nextDelivery(store.database, watch.name)),
    },
    now,
  );
  if (step.kind === 'go_on') queueContinueAfterLimit(context, watch.name);
  return step.kind === 'go_on' ? 'acted' : step.kind === 'settled' ? 'settled' : 'waits';
}
