import type { Config } from '../../config/schema.ts';
import { decideResume } from '../../recovery/decide-resume.ts';
import { isAnswered, nextDelivery } from '../../store/tables/deliveries.ts';
import type { Outcome } from '../../store/tables/tasks.ts';
import type { WorkContext } from '../../workers/context.ts';
import { isAtWork } from '../../workers/status/transitions.ts';
import { openTask } from '../../workers/tasks/owner.ts';
import { isParked, reportTo } from '../../workers/tasks/report-to.ts';
import { queueContinueAfterLimit } from '../launch/resume.ts';
import { standsAtPrompt } from '../observe/stands-at-prompt.ts';
import type { Watch } from '../observe/watch.ts';
import { noteLimitHit, parkedUntil, recordLimitHit } from './parking.ts';

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
  const hit = noteLimitHit(watch, now);
  if (hit === undefined) return tellRun(context, watch.name, heldOutcome(context, watch, config, now)) ? 'acted' : 'none';
  const answered = isAnswered(store.database, watch.name, hit);
  if (!answered && recordLimitHit(context, watch, config, hit)) return 'acted';
  const { status, current_prompt } = store.worker(watch.name);
  const goesOnAt = parkedUntil(context, watch, config, now)?.at;
  const step = decideResume(
    {
      hit,
      answered,
      hasTask: isAtWork(status) && current_prompt !== null,
      goesOnAt,
      stands: standsAtPrompt(watch, nextDelivery(store.database, watch.name)),
    },
    now,
  );
  if (step.kind === 'wait' && tellRun(context, watch.name, { kind: 'parked', until_ms: goesOnAt ?? null, limit: true })) return 'acted';
  if (step.kind === 'go_on') queueContinueAfterLimit(context, watch.name);
  return step.kind === 'go_on' ? 'acted' : step.kind === 'settled' ? 'settled' : 'waits';
}

/** A prompt that waits because another agent of the account has reached the limit is parked as well. */
function heldOutcome(
  context: Pick<WorkContext, 'store'>,
  watch: Watch,
  config: Config,
  now: number,
): Extract<Outcome, { kind: 'parked' | 'unparked' }> {
  const held = parkedUntil(context, watch, config, now);
  const waiting = nextDelivery(context.store.database, watch.name)?.id;
  return held !== undefined && waiting !== undefined && waiting === openTask(context.store.worker(watch.name))
    ? { kind: 'parked', until_ms: Math.ceil(held.at), limit: true }
    : { kind: 'unparked' };
}

/** The time of its task stands still while its account waits. True when the run was told something new. */
function tellRun(
  { store, clock }: Pick<WorkContext, 'store' | 'clock'>,
  name: string,
  outcome: Extract<Outcome, { kind: 'parked' | 'unparked' }>,
): boolean {
  const worker = store.worker(name);
  const task = openTask(worker);
  if (task === undefined || isParked(store.database, task) === (outcome.kind === 'parked')) return false;
  store.commit({
    worker: name,
    kind: 'limit',
    summary: `its run is told: ${outcome.kind}`,
    rows: (database) => reportTo(database, worker, outcome, clock.now()),
  });
  return true;
}
