import { fault } from '../../base/fault.ts';
import type { Config } from '../../config/schema.ts';
import { exchange } from '../../git/exchange/exchange.ts';
import { isAncestor, mergeBase, readStatus, readTreeId } from '../../git/inspect.ts';
import { collectProof } from '../../git/rebase/collect-proof.ts';
import { takeBranch } from '../../git/rebase/pass-commit.ts';
import { outside } from '../../git/run.ts';
import type { Proof } from '../../proof/proof.ts';
import { countAltered, countLost, isWhole } from '../../proof/verdict.ts';
import { decideFinished } from '../../recovery/decide-resolution.ts';
import { cancelDeliveries } from '../../store/tables/deliveries.ts';
import { type Resolution, settleResolution, updateResolution } from '../../store/tables/resolutions.ts';
import { tipOfWork } from '../branch/run-base.ts';
import type { WorkContext } from '../context.ts';
import { type Main, newestMain } from '../landing/refresh-review.ts';
import { validateWork } from '../landing/validate-work.ts';
import { validationFailedPrompt } from '../prompt/resolution-prompts.ts';
import { proofInWords, withEarlierLosses } from '../review/standing-proof.ts';
import { commitMove } from '../status/commit-move.ts';
import { saveCommit } from '../worktree/save-work.ts';
import type { FailedLine } from '../worktree/shell-lines.ts';
import { sendConflictPrompt, toResolving } from './ask-agent.ts';
import { callPerson } from './call-person.ts';
import { lossesPrompt } from './losses-prompt.ts';
import { resolutionPolicy } from './resolution-policy.ts';

/** Proves and validates a rebase that is over, then settles it or sends it back. Safe to repeat. */
export async function finishResolution(context: WorkContext, open: Resolution, config: Config): Promise<void> {
  const { git, store, layout } = context;
  const { worktree_path: at, branch } = store.worker(open.worker);
  const { head = '', branch: attached, changes } = await readStatus(git, at);
  if (attached !== branch) await takeBranch(git, at, branch, head);
  await exchange(git, layout.root, at);
  fault('rebase:before-proof');
  const row = { ...open, onto: await mainBelow(context, open, head) };
  const sides = { base: row.base, onto: row.onto, head: row.head, result: head, ruled: row.ruled };
  const proof = await withEarlierLosses(context, row, head, await collectProof(outside(git), layout.root, sides));
  const lacks = !isWhole(proof) || (await leavesNothing(context, row, head));
  const rescue = row.rescue ?? (lacks ? await saveBefore(context, row) : null);
  store.commit({
    worker: row.worker,
    kind: 'rebase',
    summary: `the rebase is over at ${head.slice(0, 12)}; ${proofInWords(proof)}`,
    rows: (database) =>
      updateResolution(database, row.id, {
        phase: 'resolved',
        proven_commit: head,
        proof: JSON.stringify(proof),
        continuing: null,
        onto: row.onto,
        rescue,
      }),
  });
  fault('rebase:after-proof');
  const sentBack = row.sent_back > 0;
  const lost = countLost(proof);
  const failed = lost > 0 && !sentBack ? undefined : await validateWork(context, config, row.worker, head);
  fault('rebase:after-validation');
  const view = { losses: proof.counts.unexplained, hardStops: proof.stops.length, sentBack };
  const step = decideFinished({ ...view, validated: failed === undefined, failures: row.failures }, resolutionPolicy(config));
  switch (step.kind) {
    case 'settle':
      settle(context, row, {
        head,
        why: step.why,
        lost,
        altered: countAltered(proof),
        uncommitted: changes.length > 0,
        rescue: lacks ? rescue : null,
      });
      return;
    case 'send-back':
      sendBack(context, config, row, { head, why: step.why, proof, failed });
      return;
    case 'call':
      callPerson(context, row, step);
  }
}

/** Main's commit that the result builds on: a newer one than in the row if the agent has rebased onto that itself. */
async function mainBelow(context: WorkContext, { worker, onto }: Resolution, head: string): Promise<string> {
  const git = outside(context.git);
  const { worktree_path: at } = context.store.worker(worker);
  // The agent may have fetched a main that llmc does not know yet. Without the source, nobody can say.
  const main = await newestBelow(context, worker).catch(() => undefined);
  const below = main && (await mergeBase(git, at, main.sha, head));
  return below !== undefined && (await isAncestor(git, at, onto, below)) ? below : onto;
}

async function newestBelow(context: WorkContext, worker: string): Promise<Main> {
  const main = await newestMain(context);
  return await tipOfWork(context, await context.config(), context.store.worker(worker), main);
}

const leavesNothing = async ({ git, layout }: WorkContext, { onto }: Resolution, head: string): Promise<boolean> => {
  const [after, main] = await Promise.all([head, onto].map((commit) => readTreeId(outside(git), layout.root, commit)));
  return after === main;
};

/** The branch has the result now, so nothing else names the work from before the rebase. */
async function saveBefore(context: WorkContext, row: Resolution): Promise<string> {
  const { name } = await saveCommit(context, row.worker, row.head, { base: row.onto, reason: 'before its conflict was resolved' });
  fault('rebase:after-rescue');
  return name;
}

interface Settled {
  readonly head: string;
  readonly why: string;
  readonly lost: number;
  readonly altered: number;
  readonly uncommitted: boolean;
  /** The work from before the rebase, if the result lacks something of it. */
  readonly rescue: string | null;
}

function settle(context: WorkContext, row: Resolution, { head, why, lost, altered, uncommitted, rescue }: Settled): void {
  const { clock } = context;
  commitMove(context, row.worker, 'resolved', {
    why,
    fields: {
      commit_sha: head,
      base_commit: row.onto,
      reviewed_patch_id: null,
      rebase_started_at_unix: null,
      crash_count: 0,
      resolution: row.id,
      attention: {
        kind: 'resolved',
        branch: row.branch,
        lost,
        uncommitted,
        ...(altered > 0 && { altered }),
        ...(rescue !== null && { rescue }),
      },
    },
    rows: (database) => {
      // A help prompt that was queued in the last turn has nothing left to help with.
      cancelDeliveries(database, row.worker, { kind: 'conflict_over' }, clock.now());
      settleResolution(database, row.id, 'resolved', clock.now());
    },
  });
  fault('rebase:after-settle');
}

interface Refused {
  readonly head: string;
  readonly why: string;
  readonly proof: Proof;
  readonly failed: FailedLine | undefined;
}

function sendBack(context: WorkContext, config: Config, row: Resolution, { head, why, proof, failed }: Refused): void {
  const resolving = toResolving(config, row, context.store.worker(row.worker));
  const counted = failed === undefined ? { sent_back: row.sent_back + 1 } : { failures: row.failures + 1 };
  sendConflictPrompt(context, row, {
    text: failed === undefined ? lossesPrompt(resolving, proof) : validationFailedPrompt(resolving, failed),
    why,
    endsTurn: true,
    fields: {
      ...counted,
      phase: 'asked',
      stop: JSON.stringify([head]),
      loops: 0,
      called: null,
      asked_ms: context.clock.now(),
      help_ms: null,
    },
  });
}
