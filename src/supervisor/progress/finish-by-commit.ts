import type { Agent } from '../../agents/agent.ts';
import type { Instant } from '../../base/ports.ts';
import type { Config } from '../../config/schema.ts';
import { ackedDeliveries, nextDelivery } from '../../store/tables/deliveries.ts';
import type { WorkContext } from '../../workers/context.ts';
import { mainBranch } from '../../workers/landing/main-branch.ts';
import { isAtWork } from '../../workers/status/transitions.ts';
import type { Watch } from '../observe/watch.ts';
import { applyProgress, branchFacts } from './apply-progress.ts';

/** How many times longer than a silence a commit must stand without a change: a program that writes may still work. */
const COMMIT_TIMES = 3;

/**
 * A program without patterns that never stops writing shows no end of its turn. Its commit does, once nothing in its worktree has
 * changed for long. Returns true when the worker moved.
 */
export async function finishByCommit(context: WorkContext, watch: Watch, { plain }: Agent, config: Config): Promise<boolean> {
  const { store, clock } = context;
  const { activity, source } = watch.assessment;
  const worker = store.worker(watch.name);
  if (plain === undefined || activity.kind !== 'processing' || source !== 'timing' || !isAtWork(worker.status)) return false;
  const sentAt = ackedDeliveries(store.database, watch.name).at(-1)?.acked_ms;
  const now = clock.now();
  const patienceMs = plain.quietMs * COMMIT_TIMES;
  if (sentAt == null || now - sentAt < patienceMs || nextDelivery(store.database, watch.name) !== undefined) return false;
  if (!isLookDue(watch, plain.quietMs, now)) return false;
  const { head, ahead, changed } = await branchFacts(context, worker, await mainBranch(context, config));
  const standing = ahead > 0 && changed.length === 0 && head !== worker.commit_sha ? head : undefined;
  const since = standing !== undefined && watch.commit?.head === standing ? watch.commit.since : now;
  watch.commit = { head: standing, since, at: now };
  if (standing === undefined || now - since < patienceMs) return false;
  const rule = `it has committed, and has changed nothing for ${Math.round(patienceMs / 1_000)} s, although it keeps writing`;
  const over = { activity: { kind: 'ready' }, source: 'timing', confidence: 0.4, rule, since: now } as const;
  watch.commit = undefined;
  return await applyProgress(context, watch, over, config);
}

function isLookDue({ commit }: Watch, everyMs: number, now: Instant): boolean {
  return commit === undefined || now - commit.at >= everyMs || now < commit.at;
}
