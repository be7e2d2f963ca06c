import { fault } from '../../base/fault.ts';
import type { Commit } from '../commits.ts';
import { readCommitId, readTreeId } from '../inspect.ts';
import { commitTreeCall } from '../landing/squash.ts';
import { localRef } from '../refs.ts';
import { type Git, type GitCall, gitFailed, write } from '../run.ts';
import { withIdentity } from '../source/identity.ts';
import { type BegunRebase, beginRebase } from './begin-rebase.ts';
import type { Rebasing } from './conflict-facts.ts';
import { endOperation } from './operation.ts';
import { changedByAgent, commitsToMove, readSituation } from './stopped-rebase.ts';

const writeTreeCall = (worktree: string): GitCall => write(worktree, 'write-tree');
/** Never through the branch that HEAD may name: an agent can name the one of another worker. */
const moveHeadCall = (worktree: string, to: string, from: string): GitCall =>
  write(worktree, 'update-ref', '-m', 'llmc: continue the rebase', '--no-deref', 'HEAD', to, from);
const setBranchCall = (worktree: string, branch: string, sha: string): GitCall =>
  write(worktree, 'update-ref', '-m', 'llmc: rebase', '--no-deref', localRef(branch), sha);
const attachCall = (worktree: string, branch: string): GitCall => write(worktree, 'symbolic-ref', 'HEAD', localRef(branch));

export interface Passing extends Rebasing {
  readonly branch: string;
  /** The commit that the rebase stopped at, from llmc's own record. */
  readonly commit: string;
  /** HEAD when llmc decided to pass it. */
  readonly from: string;
}

/**
 * Commits what is staged in place of the stopped commit and moves the commits after it. `git rebase --continue` would read its next
 * steps from a file that the agent can write, and run its `exec` lines: llmc ends that rebase and begins one of the rest, whose
 * steps git lists from the commits. Safe to repeat after a crash between any two steps.
 */
export async function passCommit(git: Git, worktree: string, passing: Passing): Promise<BegunRebase> {
  const commits = await commitsToMove(git, worktree, passing);
  const at = commits.findIndex(({ sha }) => sha === passing.commit);
  const stopped = commits[at];
  if (stopped === undefined) throw changedByAgent(worktree);
  const done = await passedAlready(git, worktree, passing);
  if (done !== undefined) return done;
  if ((await readCommitId(git, worktree)) === passing.from) await commitStaged(git, worktree, passing, stopped);
  fault('rebase:after-commit');
  await endOperation(git, worktree);
  fault('rebase:after-quit');
  const head = await readCommitId(git, worktree);
  if (commits[at + 1] === undefined) {
    await takeBranch(git, worktree, passing.branch, head);
    return { kind: 'over' };
  }
  await git.ok(setBranchCall(worktree, passing.branch, passing.head));
  const after = isLine(commits) ? passing.commit : await joined(git, worktree, stopped, behind(passing, commits, at));
  return await beginRebase(git, worktree, { onto: head, after, branch: passing.branch });
}

const isLine = (commits: readonly Commit[]): boolean => commits.every(({ parents }, at) => at === 0 || parents[0] === commits[at - 1]?.sha);

/** Main, what main was when the work began, and the commits that were moved. */
const behind = ({ onto, base }: Passing, commits: readonly Commit[], at: number): readonly string[] => [
  onto,
  ...(base === undefined ? [] : [base]),
  ...commits.slice(0, at + 1).map(({ sha }) => sha),
];

/**
 * A commit on no branch that has all of these behind it. In a branch with merges, a commit that was moved already need not be behind
 * the stopped one: git would move it again, and a merged commit of main with it.
 */
async function joined(git: Git, worktree: string, { tree, author }: Commit, parents: readonly string[]): Promise<string> {
  const draft = { tree, parents, message: 'llmc: moved already', author };
  const answer = await withIdentity((env) => git.run(commitTreeCall(worktree, draft, env)));
  if (answer.status !== 0) throw gitFailed(commitTreeCall(worktree, draft), answer);
  return answer.stdout.trim();
}

/** The rest was begun before a crash: it stopped at another commit, or it is over and HEAD is on the branch again. */
async function passedAlready(git: Git, worktree: string, passing: Passing): Promise<BegunRebase | undefined> {
  const situation = await readSituation(git, worktree, passing);
  if (situation.kind === 'stopped')
    return situation.commit === undefined || situation.commit === passing.commit ? undefined : { kind: 'stopped' };
  return situation.at === 'onto-main' && situation.branch === passing.branch ? { kind: 'over' } : undefined;
}

async function commitStaged(git: Git, worktree: string, { from }: Passing, { author, message }: Commit): Promise<void> {
  const [tree, before] = await Promise.all([git.ok(writeTreeCall(worktree)), readTreeId(git, worktree, from)]);
  // Resolved to what main has: the commit has nothing left to do.
  if (tree.trim() === before) return;
  const draft = { tree: tree.trim(), parents: [from], message, author };
  const answer = await withIdentity((env) => git.run(commitTreeCall(worktree, draft, env)));
  if (answer.status !== 0) throw gitFailed(commitTreeCall(worktree, draft), answer);
  await git.ok(moveHeadCall(worktree, answer.stdout.trim(), from));
}

/** Points the worker's branch at the commit and HEAD at the branch, without touching a file. */
export async function takeBranch(git: Git, worktree: string, branch: string, sha: string): Promise<void> {
  await git.ok(setBranchCall(worktree, branch, sha));
  await git.ok(attachCall(worktree, branch));
}

const backCall = (worktree: string, sha: string): GitCall =>
  write(worktree, 'checkout', '--quiet', '--force', '--no-recurse-submodules', '--detach', sha, '--');

/** Ends a rebase in progress and puts the worker's own commit back. `git rebase --abort` would go where the agent's record says. */
export async function abortRebase(git: Git, worktree: string, branch: string, head: string): Promise<void> {
  await endOperation(git, worktree);
  await git.ok(backCall(worktree, head));
  await takeBranch(git, worktree, branch, head);
}
