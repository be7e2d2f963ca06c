import { exchange } from '../../git/exchange/exchange.ts';
import { localRef, trackingRef } from '../../git/refs.ts';
import { type Git, read } from '../../git/run.ts';
import { findInconsistencies, type Inconsistency, type RecordRepair, repairRecord } from '../../recovery/records/decide-consistency.ts';
import type { Attention } from '../../store/attention.ts';
import { knownRuns } from '../../store/known-runs.ts';
import type { State, Worker } from '../../store/state.ts';
import { readStateFile } from '../../store/state-file.ts';
import { resolvingWorkers } from '../../store/tables/resolutions.ts';
import type { WorkContext } from '../context.ts';
import { mainBranch } from '../landing/main-branch.ts';

type RepairContext = Pick<WorkContext, 'store' | 'layout' | 'git' | 'clock' | 'config' | 'locks' | 'supervised' | 'files'>;

/** Repairs records that contradict themselves. Returns a line per repair; each is in the history too. */
export async function repairState(context: RepairContext, supervised: boolean): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const { worker } of listInconsistencies(context, supervised)) {
    if (worker === null) lines.push(forgetReviewed(context));
    else await context.locks.withLock(worker, async () => lines.push(...(await repairWorker(context, worker, supervised))));
  }
  return lines;
}

/** The store puts worktrees in their places when it opens, so the file shows what was written there. */
function listInconsistencies({ store, layout, clock, files }: RepairContext, supervised: boolean): readonly Inconsistency[] {
  const file = readStateFile(layout.state, files);
  const written: Readonly<Record<string, Worker>> = file.kind === 'ok' ? file.state.workers : {};
  const workers = Object.values(store.state.workers).map((worker) => ({
    ...worker,
    worktree_path: written[worker.name]?.worktree_path ?? worker.worktree_path,
  }));
  const { last_reviewed_worker: lastReviewed } = store.state;
  const nowUnix = Math.floor(clock.now() / 1_000);
  const resolving = resolvingWorkers(store.database);
  const runs = knownRuns(store.database, layout, files);
  return findInconsistencies({ workers, lastReviewed, nowUnix, worktree: layout.worktree, supervised, resolving, runs });
}

/** One rule at a time: a repair can cure what the next rule would find. Each once: a full disk leaves the file as it was. */
async function repairWorker(context: RepairContext, name: string, supervised: boolean): Promise<readonly string[]> {
  const { store, clock } = context;
  const lines: string[] = [];
  const tried = new Set<string>();
  for (;;) {
    const found = listInconsistencies(context, supervised).find(({ worker, rule }) => worker === name && !tried.has(rule));
    if (found === undefined || found.worker === null) return lines;
    tried.add(found.rule);
    const commit = found.rule === 'review_without_commit' ? await newCommit(context, name) : undefined;
    const repair = repairRecord(found.rule, store.worker(name), Math.floor(clock.now() / 1_000), commit);
    store.changeWorker(name, { kind: 'repair', summary: repair.why, change: (worker) => change(worker, repair) });
    lines.push(`${name}: ${repair.why}`);
  }
}

function change(worker: Worker, { set, standing, called, freed }: RecordRepair): void {
  Object.assign(worker, set);
  if (freed && worker.run !== null) worker.run.task = null;
  if (set.conversation_id === null) worker.conversation_used = false;
  if (standing !== undefined) worker[worker.status === 'offline' ? 'status_before_offline' : 'status'] = standing;
  const attention: Attention | undefined = called && { kind: 'repaired', problem: called };
  if (attention !== undefined) worker.attention = attention;
}

function forgetReviewed({ store }: RepairContext): string {
  const summary = `the last reviewed worker, ${store.state.last_reviewed_worker}, does not exist; forgotten`;
  const state = (draft: State) => {
    draft.last_reviewed_worker = null;
  };
  store.commit({ worker: null, kind: 'repair', summary, state });
  return summary;
}

async function newCommit(context: RepairContext, name: string): Promise<string | undefined> {
  const { git, layout, store } = context;
  const { branch, worktree_path: worktree } = store.worker(name);
  const main = await mainBranch(context, await context.config()).catch(() => undefined);
  if (main === undefined) return undefined;
  // The commits of a sandboxed worker are not in the root yet.
  await exchange(git, layout.root, worktree).catch(() => undefined);
  return await tipAhead(git, layout.root, localRef(branch), trackingRef(main));
}

async function tipAhead(git: Git, root: string, ref: string, base: string): Promise<string | undefined> {
  const { status, stdout } = await git.run(read(root, 'rev-list', '--max-count=1', '--end-of-options', ref, `^${base}`));
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : undefined;
}
