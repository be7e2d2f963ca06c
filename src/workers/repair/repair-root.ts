import { failureLines, LlmcError } from '../../base/error.ts';
import { workerNameSchema } from '../../config/worker-name.ts';
import { readableStatus } from '../../git/inspect.ts';
import { unfinishedOperation } from '../../git/rebase/operation.ts';
import { isWorkerBranch, localRef, trackingRef, workerBranch } from '../../git/refs.ts';
import { findRescue, rescueCommit } from '../../git/rescue/rescue.ts';
import { read, write } from '../../git/run.ts';
import { linkState } from '../../git/worktree/link.ts';
import { staleLocks } from '../../git/worktree/stale-locks.ts';
import { isWorktreePresent } from '../../git/worktree/worktree.ts';
import type { RepairStep } from '../../recovery/records/repair-step.ts';
import { ownPaths } from '../../store/layout.ts';
import { clearPlaces } from '../../store/places.ts';
import type { Worker } from '../../store/state.ts';
import { restrict } from '../../system/files/access.ts';
import { agentPane } from '../../terminal/panes.ts';
import type { WorkContext } from '../context.ts';
import { mainBranch } from '../landing/main-branch.ts';
import { resetLocked } from '../reset-worker.ts';
import { standing } from '../status/transitions.ts';
import { keepConnections } from '../worktree/keep-connections.ts';
import { repairWorktree } from '../worktree/repair-worktree.ts';
import { repairGit, repairRepository } from './repair-git.ts';
import { repairState } from './repair-state.ts';
import { writeHooks } from './write-hooks.ts';

export interface Repaired {
  readonly step: RepairStep;
  /** `unneeded`: nothing was broken any more. */
  readonly outcome: 'repaired' | 'unneeded' | 'failed';
  /** What was done, or why it could not be. */
  readonly lines: readonly string[];
}

/** Performs repairs one after the other. One that fails does not keep the others from being tried. */
export async function repairRoot(context: WorkContext, steps: readonly RepairStep[]): Promise<readonly Repaired[]> {
  const done: Repaired[] = [];
  for (const step of steps) {
    try {
      const lines = await perform(context, step);
      done.push({ step, outcome: lines.length === 0 ? 'unneeded' : 'repaired', lines });
    } catch (error) {
      done.push({ step, outcome: 'failed', lines: failureLines(error) });
    }
  }
  return done;
}

async function perform(context: WorkContext, step: RepairStep): Promise<readonly string[]> {
  switch (step.kind) {
    case 'state':
      return [...repairedAtOpening(context), ...(await repairState(context, context.supervised))];
    case 'newer_database':
      // The caller set it aside before the store was opened, which it could not be otherwise.
      return context.supervised ? [] : context.store.repairs;
    case 'places':
      return clearAgain(context);
    case 'edit':
      throw new LlmcError('INVALID_ARGUMENT', `only a person can correct ${step.path}`, { hint: 'On a terminal: llmc doctor --repair' });
    case 'access':
      return takeAccessAway(context);
    case 'connections':
      return await putBack(context);
    case 'repository':
      return await repairRepository(context);
    case 'worker_git':
      return await repairGit(context, step.worker);
    case 'worktree':
      return await makeWorktree(context, step.worker);
    case 'reset':
      return await resetUnfit(context, step.worker);
    case 'branch':
      return await saveBranch(context, step.branch, step.tip);
    case 'session':
      return await endSession(context, step.session);
    case 'git_locks':
      return removeLocks(context);
    case 'sockets':
      return await removeSockets(context);
    case 'hooks':
      return await writeHooks(context, step.worker);
  }
}

/** A supervisor reported its own when it came up. */
function repairedAtOpening({ supervised, store }: WorkContext): readonly string[] {
  return supervised ? [] : store.repairs.filter((line) => !store.repairsBefore.includes(line));
}

/** The owner cleared them before it could open the root; a supervisor has been open for longer. */
function clearAgain({ supervised, store, layout, clock }: WorkContext): readonly string[] {
  const lines = clearPlaces(layout, clock.now());
  for (const summary of lines) store.commit({ worker: null, kind: 'repair', summary });
  return [...(supervised ? [] : store.repairsBefore), ...lines];
}

function takeAccessAway({ layout, store }: WorkContext): readonly string[] {
  const restricted = ownPaths(layout).filter(restrict);
  if (restricted.length === 0) return [];
  const summary = `other users had access to files of llmc (${restricted.length}) below ${layout.root}; now only you have`;
  store.commit({ worker: null, kind: 'repair', summary });
  return [summary];
}

async function putBack(context: WorkContext): Promise<readonly string[]> {
  const { git, layout, store } = context;
  const verdicts = (await git.guard?.inspect()) ?? [];
  const broken = [
    ...verdicts.flatMap(({ foreign, lost }) => [...foreign, ...lost]),
    ...(git.guard?.foreignFiles().map(({ path }) => path) ?? []),
    ...Object.values(store.state.workers).flatMap(({ worktree_path: path }) => cutFiles(layout.root, path)),
  ];
  await keepConnections(context);
  return broken.length === 0 ? [] : [`put back as llmc wrote it: ${[...new Set(broken)].join(', ')}`];
}

function cutFiles(root: string, path: string): readonly string[] {
  const link = linkState(root, path);
  return link.kind === 'cut' ? link.files : [];
}

async function makeWorktree(context: WorkContext, name: string): Promise<readonly string[]> {
  return await context.locks.withLock(name, async () => {
    if (isWorktreePresent(context.layout.root, context.store.worker(name).worktree_path)) return [];
    await repairWorktree(context, name);
    return [`${name}: its worktree was made again from its branch`];
  });
}

/** Only an idle worker: what another one has in its worktree is its work. */
async function resetUnfit(context: WorkContext, name: string): Promise<readonly string[]> {
  // All of it in the lock: between a look and the reset it could get a task.
  return await context.locks.withLock(name, async () => {
    const worker = context.store.worker(name);
    if (standing(worker) !== 'idle') return [];
    const status = await readableStatus(context.git, worker.worktree_path);
    const unfinished = status && (await unfinishedOperation(context.git, worker.worktree_path));
    const isFit = status?.head !== undefined && status.branch === worker.branch && status.changes.length === 0;
    if (isFit && unfinished === undefined) return [];
    if (!context.supervised) await requireNoAgent(context, worker);
    const { rescued } = await resetLocked(context, name);
    return [`${name} was reset${rescued === null ? '; there was nothing to save' : `; its work is saved as ${rescued}`}`];
  });
}

/** A record that was restored from a copy can call a worker idle whose agent has had a task since. Only a supervisor sees what it does. */
async function requireNoAgent({ terminal }: WorkContext, { name, session_id }: Worker): Promise<void> {
  const panes = await terminal.panes();
  const isAlive = panes === undefined ? undefined : agentPane(panes, session_id)?.dead === false;
  if (isAlive === false) return;
  const because = isAlive === undefined ? 'tmux does not answer' : `the agent of ${name} runs`;
  throw new LlmcError('WORKER_BUSY', `${because}, and without a supervisor nobody knows whether it is at work`, {
    hint: 'llmc up --detach',
  });
}

/**
 * In the lock of the worker that the branch would have: `llmc add` makes the branch first, and registers the worker last. `shown`: a branch
 * with other commits than a person was shown stays.
 */
async function saveBranch(context: WorkContext, branch: string, shown: string): Promise<readonly string[]> {
  if (!isWorkerBranch(branch)) return [];
  const name = branch.slice(workerBranch('').length);
  return await context.locks.withLock(name, async () => {
    const { git, layout, store } = context;
    const { root } = layout;
    const isKnown = Object.values(store.state.workers).some((worker) => worker.branch === branch);
    const ref = localRef(branch);
    const tip = (await git.run(read(root, 'rev-parse', '--quiet', '--verify', '--end-of-options', `${ref}^{commit}`))).stdout.trim();
    if (isKnown || tip === '') return [];
    if (tip !== shown)
      throw new LlmcError(
        'WORK_NOT_SAVED',
        `${branch} has moved from ${shown.slice(0, 12)} to ${tip.slice(0, 12)} since it was shown, so it stays`,
        {
          hint: 'llmc doctor',
        },
      );
    const base = trackingRef(await mainBranch(context, await context.config()));
    const ahead = await git.ok(read(root, 'rev-list', '--max-count=1', '--end-of-options', ref, `^${base}`));
    const saved = ahead.trim() === '' ? 'main has its commits' : `its commits are saved as ${await saveTip(context, branch, base, tip)}`;
    // The old value: a branch that moved since it was saved stays.
    await git.ok(write(root, 'update-ref', '-d', ref, tip));
    const summary = `the branch ${branch} (${tip.slice(0, 12)}) without a worker was deleted; ${saved}`;
    store.commit({ worker: null, kind: 'repair', summary });
    return [summary];
  });
}

/** Whose rescues hold a branch that no worker can have: rescues are listed by names of workers. */
const NOBODY = 'orphan';

/** Throws unless the rescue is listed: the branch may be deleted only when a person can find its commits. */
async function saveTip({ git, layout, clock }: WorkContext, branch: string, base: string, tip: string): Promise<string> {
  const { root } = layout;
  const worker = workerNameSchema.safeParse(branch.slice(workerBranch('').length)).data ?? NOBODY;
  const request = { root, worktree: layout.worktree(worker), worker, base, reason: `the branch ${branch} had no worker`, now: clock.now() };
  const { name, sha } = await rescueCommit(git, request, tip);
  const found = await findRescue(git, root, name);
  if (found.name === name && found.sha === sha) return name;
  throw new LlmcError('WORK_NOT_SAVED', `the rescue ${name} of the branch ${branch} cannot be found, so the branch stays`, {
    hint: 'llmc rescue list',
  });
}

async function endSession({ terminal, store }: WorkContext, session: string): Promise<readonly string[]> {
  const panes = await terminal.panes();
  if (Object.values(store.state.workers).some(({ session_id }) => session_id === session)) return [];
  if (panes?.some((pane) => pane.session === session) !== true) return [];
  await terminal.close(session);
  const summary = `the session ${session} without a worker was ended`;
  store.commit({ worker: null, kind: 'repair', summary });
  return [summary];
}

function removeLocks({ layout, store, clock, files }: WorkContext): readonly string[] {
  const found = staleLocks(layout.root, Object.keys(store.state.workers), clock.now()).map(({ path }) => path);
  if (found.length === 0) return [];
  for (const path of found) files.unlink(path);
  const summary = `removed locks that a killed git had left: ${found.join(', ')}`;
  store.commit({ worker: null, kind: 'repair', summary });
  return [summary];
}

/** This process holds the root's lock, so without a supervisor of its own nobody listens, and nobody starts tmux. */
async function removeSockets({ layout, store, files, supervised, terminal }: WorkContext): Promise<readonly string[]> {
  if (supervised) return [];
  const left = [
    ...(files.exists(layout.apiSocket) ? [layout.apiSocket] : []),
    ...(files.exists(layout.tmuxSocket) && (await terminal.isGone()) ? [layout.tmuxSocket] : []),
  ];
  if (left.length === 0) return [];
  for (const path of left) files.removeSocket(path);
  const summary = `removed ${left.join(', ')}, left by a process that was killed`;
  store.commit({ worker: null, kind: 'repair', summary });
  return [summary];
}
