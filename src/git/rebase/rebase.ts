import { basename } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { fault } from '../../base/fault.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { exchange } from '../exchange/exchange.ts';
import { isAncestor, readCommitId, readStatus } from '../inspect.ts';
import { isWorkerBranch, localRef, workerBranch } from '../refs.ts';
import { type Git, type GitAnswer, type GitCall, gitFailed, write } from '../run.ts';
import { FALLBACK_IDENTITY, type IdentityEnv, lacksIdentity } from '../source/identity.ts';
import { followSubmodules } from '../worktree/submodules.ts';
import { predictConflicts, unmergedFiles } from './conflict.ts';
import { abandonRebase, endLeftRebase } from './end-rebase.ts';
import { type FormerMains, readWorkRange, standInForMain } from './former-main.ts';
import { hasMerges, keepMerges } from './keep-merges.ts';
import { type Operation, unfinishedOperation } from './operation.ts';
import { overwrittenFiles } from './overwritten.ts';
import { dropRebaseRecord, writeRebaseRecord } from './rebase-record.ts';
import { replayedFiles } from './replayed-files.ts';

export type Rebased =
  /** `leftOut`: the commits that main had once and has no more, newest first. The work was built on them. */
  | { readonly kind: 'clean'; readonly head: string; readonly leftOut?: readonly string[] }
  /** `changed`: the paths of uncommitted changes. */
  | { readonly kind: 'up-to-date'; readonly head: string; readonly changed: readonly string[] }
  | { readonly kind: 'conflict'; readonly files: readonly string[] }
  /** Uncommitted changes, or untracked files at paths of the new base. */
  | { readonly kind: 'dirty'; readonly files: readonly string[] }
  /** An operation is in progress that llmc did not start. */
  | { readonly kind: 'busy'; readonly operation: Operation };

/** Overrides settings of the user that would make a rebase stash, reorder, move other branches or start a clean-up. */
const PLAIN = ['autoStash=false', 'autoSquash=false', 'updateRefs=false', 'rebaseMerges=false'].flatMap((each) => ['-c', `rebase.${each}`]);
export const PLAIN_REBASE = [...PLAIN, '-c', 'gc.auto=0', '-c', 'maintenance.auto=false'];
export const REBASE = ['rebase', '--merge', '--quiet', '--no-verify', '--no-gpg-sign', '--no-fork-point'];

/** The new base, and the commit that stands for it if main was rewritten: it has main's old commits behind it, too. */
interface Base {
  readonly upstream: string;
  readonly after: string;
  /** The work has merges, which a rebase leaves out. */
  readonly merges: boolean;
}

export const rebaseCall = (worktree: string, upstream: string, env: IdentityEnv = {}, after = upstream): GitCall => ({
  ...write(worktree, ...PLAIN_REBASE, ...REBASE, ...(after === upstream ? [] : ['--onto', upstream]), '--end-of-options', after),
  env,
});

/** Main was never anything else, as far as the caller knows. */
const NEVER = async (): Promise<ReadonlySet<string>> => new Set();

/**
 * Rebases the worktree's branch onto the commit `upstream`, or changes nothing and returns why. Commits that main had once (`former`)
 * and has no more are left out: they are not the worker's, and a user took them back.
 */
export async function rebaseOnto(git: Git, worktree: string, upstream: string, former: FormerMains = NEVER): Promise<Rebased> {
  await endLeftRebase(git, worktree);
  await takeIn(git, worktree);
  const [unfinished, { head = '', branch, changes }, upToDate, range] = await Promise.all([
    unfinishedOperation(git, worktree),
    readStatus(git, worktree),
    isAncestor(git, worktree, upstream, 'HEAD'),
    readWorkRange(git, worktree, upstream, 'HEAD', former),
  ]);
  requireOwnBranch(worktree, branch);
  if (unfinished !== undefined) return { kind: 'busy', operation: unfinished.operation };
  await takeOwnBranch(git, worktree, branch, head);
  const { leftOut } = range;
  if (upToDate && leftOut.length === 0) return { kind: 'up-to-date', head, changed: changes.map(({ path }) => path) };
  const edited = changes.filter((change) => change.kind !== 'untracked').map((change) => change.path);
  if (edited.length > 0) return { kind: 'dirty', files: edited };
  const after = await standInForMain(git, worktree, range);
  const [predicted, merges] = await Promise.all([predictConflicts(git, worktree, after, head), hasMerges(git, worktree, after, head)]);
  if (predicted.length > 0) return { kind: 'conflict', files: predicted };
  const rebased = await perform(git, worktree, { upstream, after, merges }, head);
  return rebased.kind === 'clean' && leftOut.length > 0 ? { ...rebased, leftOut } : rebased;
}

/** The store then has what the branch is, and the worker main: it may go on by itself. */
async function takeIn(git: Git, worktree: string): Promise<void> {
  if (git.guard !== undefined) await exchange(git, git.guard.root, worktree);
}

/**
 * Work that goes on from the worker's branch on another one (`git checkout -b feature`) is that of the worker's branch, too. The other
 * branch stays where it is: a rebase and a landing move the one that HEAD names.
 */
async function takeOwnBranch(git: Git, worktree: string, branch: string | undefined, head: string): Promise<void> {
  const own = workerBranch(basename(worktree));
  if (branch === undefined || branch === own || isWorkerBranch(branch) || head === '') return;
  if (!(await isAncestor(git, worktree, localRef(own), head).catch(() => false))) return;
  await git.ok(write(worktree, 'update-ref', '-m', 'llmc: its work is on another branch', localRef(own), head));
  await git.ok(write(worktree, 'symbolic-ref', 'HEAD', localRef(own)));
  await takeIn(git, worktree);
}

/** A rebase and a landing move the branch that HEAD names. An agent can name the one of another worker there. */
function requireOwnBranch(worktree: string, branch = ''): void {
  const own = workerBranch(basename(worktree));
  if (!isWorkerBranch(branch) || branch === own) return;
  throw new LlmcError('GIT_WORKTREE_FAILED', `${worktree} has ${branch} checked out, the branch of another worker`, {
    hint: `To save its files as a rescue and begin again: ${commandLine('llmc', 'reset', basename(worktree))}`,
  });
}

async function perform(git: Git, worktree: string, base: Base, from: string): Promise<Rebased> {
  git.guard?.beforeRebase(worktree);
  writeRebaseRecord(worktree, { endedBy: 'llmc', from, onto: base.upstream, after: base.after, merges: base.merges });
  try {
    const outcome = await attempt(git, worktree, base, from);
    if (outcome.kind !== 'clean') await abandonRebase(git, worktree);
    dropRebaseRecord(worktree);
    await takeIn(git, worktree);
    return outcome;
  } catch (error) {
    // A timeout or another failure must not leave a rebase in progress.
    await abandonRebase(git, worktree);
    // Rebased, but without what its merges changed: the record makes the next attempt put that back first.
    const isHalfDone = base.merges && (await readCommitId(git, worktree)) !== from;
    if (!isHalfDone) dropRebaseRecord(worktree);
    throw error;
  }
}

async function attempt(git: Git, worktree: string, base: Base, from: string): Promise<Rebased> {
  const answer = await runRebase(git, worktree, base);
  if (answer.status !== 0) return failure(git, worktree, base, answer);
  fault('rebase:before-merges');
  if (base.merges) await keepMerges(git, worktree, { onto: base.upstream, after: base.after, from });
  // The old commit of a submodule would look like a change by the worker, and the agent would commit it.
  await followSubmodules(git, worktree);
  return { kind: 'clean', head: await readCommitId(git, worktree) };
}

async function runRebase(git: Git, worktree: string, base: Base): Promise<GitAnswer> {
  const run = (env: IdentityEnv) => git.run(rebaseCall(worktree, base.upstream, env, base.after));
  const answer = await run({});
  if (!lacksIdentity(answer)) return answer;
  await abandonRebase(git, worktree);
  return run(FALLBACK_IDENTITY);
}

/** Several commits together can merge although one of them conflicts. */
async function failure(git: Git, worktree: string, base: Base, answer: GitAnswer): Promise<Rebased> {
  const inTheWay = overwrittenFiles(answer.stderr);
  if (inTheWay.length > 0) return { kind: 'dirty', files: inTheWay };
  // A resolution that rerere replayed counts as one: it goes the way of a conflict, which proves it.
  const files = [...(await unmergedFiles(git, worktree)), ...replayedFiles(answer.stderr)];
  if (files.length > 0) return { kind: 'conflict', files };
  throw gitFailed(rebaseCall(worktree, base.upstream), answer);
}
