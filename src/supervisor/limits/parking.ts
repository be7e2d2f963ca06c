import { fault } from '../../base/fault.ts';
import type { Instant } from '../../base/ports.ts';
import type { Config } from '../../config/schema.ts';
import { decideEnd, decideParking } from '../../recovery/decide-limit.ts';
import { goesOnAt } from '../../recovery/go-on-time.ts';
import { LIMIT_POLICY } from '../../recovery/policies/limit-policy.ts';
import { isLimit, type LimitHit, type UsageLimit, waitsByItself } from '../../recovery/usage-limit.ts';
import type { State } from '../../store/state.ts';
import type { HoldReason } from '../../store/tables/delivery-reason.ts';
import { lastEventSeq } from '../../store/tables/events.ts';
import type { WorkContext } from '../../workers/context.ts';
import { findLimit, listSharers, nameAccount } from '../../workers/pool/account.ts';
import { reasonText, untilReset } from '../../workers/prompt/delivery-reason-text.ts';
import { limitPolicy } from '../../workers/recovery-policy.ts';
import type { Watch } from '../observe/watch.ts';

type Ports = Pick<WorkContext, 'store' | 'clock' | 'random'>;

/** The agent at its usage limit, by its own report or else by its screen. */
export function noteLimitHit(watch: Pick<Watch, 'assessment' | 'reported' | 'limit'>, now: Instant): LimitHit | undefined {
  const { activity, rule } = watch.assessment;
  watch.limit = { since: isLimit(activity) ? (watch.limit.since ?? now) : undefined };
  if (watch.limit.since === undefined) return undefined;
  const { latest, lastTurn, accepted } = watch.reported;
  const prompt = accepted.at(-1)?.seq ?? 0;
  const resetsAt = activity.kind === 'waiting_limit' ? activity.resetsAt : null;
  const continuesByItself = waitsByItself(activity);
  if (latest !== null && isLimit(latest.activity))
    return { at: latest.at, resetsAt, continuesByItself, says: lastTurn?.message ?? rule, event: latest.seq, prompt };
  return { at: watch.limit.since, resetsAt, continuesByItself, says: rule, event: null, prompt };
}

/** Parks the whole account of an agent at its limit. Returns true when the account's record changed. */
export function recordLimitHit({ store, clock, random }: Ports, watch: Watch, config: Config, hit: LimitHit): boolean {
  const account = nameAccount(config, store.worker(watch.name).agent);
  const known = findLimit(store.state, config, store.worker(watch.name).agent);
  const now = clock.now();
  const step = decideParking(hit, known, limitPolicy(config), now);
  if (step.kind === 'nothing') return false;
  const limit: UsageLimit | undefined =
    step.kind === 'park'
      ? {
          account,
          worker: watch.name,
          why: hit.says,
          since_ms: now,
          until_ms: Math.ceil(step.until),
          named: step.named,
          continues_by_itself: hit.continuesByItself,
          jitter: random.next(),
          event: hit.event ?? 0,
          ended_ms: null,
          ended_event: 0,
        }
      : known && { ...known, ...step.fields };
  if (limit === undefined) return false;
  store.commit({
    worker: watch.name,
    kind: 'limit',
    summary: `${reasonText(untilReset(account, limit.until_ms), now)} (${hit.says}): ${step.why}`,
    state: (draft) => {
      draft.limits[account] = limit;
    },
  });
  fault('limit:after-park');
  return true;
}

/** Ends the limits whose time has come. */
export function endLimits({ store, clock }: Pick<WorkContext, 'store' | 'clock'>): void {
  const now = clock.now();
  for (const limit of Object.values(store.state.limits)) {
    // A guess is as long as it was configured when it was made.
    const guessMs = limit.named ? LIMIT_POLICY.guessMs : limit.until_ms - limit.since_ms;
    const step = decideEnd(limit, { ...LIMIT_POLICY, guessMs }, now);
    if (step.kind === 'nothing') continue;
    const summary =
      step.kind === 'end'
        ? `the usage limit of ${limit.account} is over: ${step.why}`
        : `${reasonText(untilReset(limit.account, step.until), now)}: ${step.why}`;
    const fields =
      step.kind === 'end' ? { ended_ms: now, ended_event: lastEventSeq(store.database) } : { until_ms: step.until, named: false };
    store.commit({ worker: null, kind: 'limit', summary, state: (draft) => change(draft, limit.account, fields) });
  }
}

function change(draft: State, account: string, fields: Partial<UsageLimit>): void {
  const limit = draft.limits[account];
  if (limit !== undefined) Object.assign(limit, fields);
}

/** Until when llmc sends nothing to this worker, and why; undefined when its account is free. */
export function parkedUntil(
  { store }: Pick<WorkContext, 'store'>,
  watch: Pick<Watch, 'name' | 'assessment'>,
  config: Config,
  now: number,
): { readonly at: number; readonly why: HoldReason } | undefined {
  const limit = findLimit(store.state, config, store.worker(watch.name).agent);
  if (limit === undefined) return undefined;
  const byItself = waitsByItself(watch.assessment.activity);
  // The limit ended long ago: the order of the workers does not matter.
  if (!byItself && limit.ended_ms !== null && now - limit.ended_ms >= LIMIT_POLICY.widestMs) return undefined;
  const at = goesOnAt(limit, watch.name, listSharers(store.state, config, limit.account), byItself, LIMIT_POLICY);
  if (limit.ended_ms === null) return { at, why: untilReset(limit.account, limit.until_ms) };
  if (now >= at) return undefined;
  return { at, why: { kind: 'usage_limit', account: limit.account, wait: { phase: byItself ? 'by_itself' : 'in_turn' } } };
}
