import type { Assessment } from '../../agents/activity.ts';
import { messageOf } from '../../base/error.ts';
import type { Instant } from '../../base/ports.ts';
import type { Config } from '../../config/schema.ts';
import { exchange } from '../../git/exchange/exchange.ts';
import { commitsAhead, readStatus } from '../../git/inspect.ts';
import { trackingRef } from '../../git/refs.ts';
import { outside } from '../../git/run.ts';
import { lostOf } from '../../proof/verdict.ts';
import type { Database } from '../../store/database.ts';
import { ackedDeliveries, nextDelivery, updateDelivery } from '../../store/tables/deliveries.ts';
import type { WorkContext } from '../../workers/context.ts';
import { mainBranch } from '../../workers/landing/main-branch.ts';
import { rescueOfBefore, standingProof } from '../../workers/review/standing-proof.ts';
import { commitMove } from '../../workers/status/commit-move.ts';
import { lastProgressAt, type Watch } from '../observe/watch.ts';
import { type BranchFacts, decideProgress, type Progress, type ProgressView } from './decide-progress.ts';
import { turnSummary } from './turn-summary.ts';

/** Moves the worker to the status that its agent's activity leads to. Returns true when it moved. */
export async function applyProgress(context: WorkContext, watch: Watch, assessment: Assessment, config: Config): Promise<boolean> {
  const { store } = context;
  const now = context.clock.now();
  const view = viewProgress(context, watch, assessment, now);
  let decision = decideProgress(view, now);
  if (decision.kind === 'ask_git') {
    const branch = await branchFacts(context, view.worker.worktree_path, await mainBranch(context, config));
    decision = decideProgress({ ...view, branch }, now);
  }
  if (assessment.activity.kind === 'ready') watch.progress = { handledTurn: watch.reported.lastTurn?.seq ?? watch.progress.handledTurn };
  if (decision.kind === 'settle') {
    const rows = (database: Database) => endTurn(database, watch.name, now);
    store.commit({ worker: watch.name, kind: 'delivery', summary: decision.why, rows });
  }
  if (decision.kind !== 'move') return false;
  moveOn(
    context,
    watch.name,
    decision.event === 'committed' ? await withProof(context, withSummary(decision, watch, view), watch.name, config) : decision,
  );
  return true;
}

function viewProgress({ store }: WorkContext, watch: Watch, assessment: Assessment, now: Instant): ProgressView {
  const { name } = watch;
  return {
    worker: store.worker(name),
    assessment,
    undelivered: nextDelivery(store.database, name) === undefined ? 0 : 1,
    acked: ackedDeliveries(store.database, name),
    screen: shownBy(watch, assessment, now),
    unhandledTurn: (watch.reported.lastTurn?.seq ?? 0) > watch.progress.handledTurn,
    branch: undefined,
    progressAt: lastProgressAt(watch),
  };
}

/** On the protocol channel the agent's own status takes the place of the screen. */
export function shownBy({ protocol, screen: { capture } }: Watch, assessment: Assessment, at: Instant): ProgressView['screen'] {
  if (protocol !== undefined) return { kind: assessment.activity.kind, since: assessment.since, at };
  return capture && { kind: capture.reading.activity.kind, since: capture.since, at: capture.at };
}

type Moving = Extract<Progress, { kind: 'move' }>;

/** Keeps the agent's last message for the review, because events are deleted after a few restarts. */
function withSummary(moving: Moving, { reported }: Watch, { acked }: ProgressView): Moving {
  return { ...moving, fields: { ...moving.fields, summary: turnSummary(reported, acked) } };
}

/** A commit on top of a resolved conflict may lose what the resolution kept, or still lack what it lost. */
async function withProof(context: WorkContext, moving: Moving, name: string, config: Config): Promise<Moving> {
  const { commit_sha: head, attention } = moving.fields;
  const worker = context.store.worker(name);
  if (worker.resolution === null || head === undefined || head === null) return moving;
  // The review and the accept prove it too; the end of the turn must not wait for a repository that git cannot read.
  const proof = await standingProof(context, worker, head).catch((error: unknown) =>
    context.say(`${name}: its resolved conflict could not be proven again: ${messageOf(error)}`),
  );
  const lost = proof === undefined ? 0 : lostOf(proof);
  if (lost === 0) return moving;
  const rescue = rescueOfBefore(context, worker, true);
  const uncommitted = attention?.kind === 'review' && attention.uncommitted;
  return {
    ...moving,
    fields: {
      ...moving.fields,
      attention: {
        ...{ kind: 'resolved', branch: await mainBranch(context, config), lost, uncommitted },
        ...(rescue !== undefined && { rescue }),
      },
    },
  };
}

function moveOn(context: WorkContext, name: string, { event, why, fields, turnOver }: Moving): void {
  commitMove(context, name, event, {
    why,
    // The row of failed turns ends with a turn that ends well, and with a person who is called.
    fields: { ...fields, ...(turnOver && { failed_turn: null }) },
    rows: (database) => {
      if (turnOver) endTurn(database, name, context.clock.now());
    },
  });
}

function endTurn(database: Database, worker: string, now: Instant): void {
  for (const row of ackedDeliveries(database, worker)) updateDelivery(database, row.id, { state: 'done', done_ms: now });
}

/** Starts two processes, not one per fact: Node does nothing else while it starts one, and the end of a turn waits for this. */
export async function branchFacts(context: WorkContext, worktree: string, branch: string): Promise<BranchFacts> {
  await exchange(context.git, context.layout.root, worktree);
  const [{ head = '', changes }, ahead] = await Promise.all([
    readStatus(context.git, worktree),
    commitsAhead(outside(context.git), worktree, trackingRef(branch)),
  ]);
  return { head, ahead, dirty: changes.length > 0 };
}
