import { basename, dirname, join } from 'node:path';
import { fault } from '../../base/fault.ts';
import { type Commit, commitsBetween } from '../commits.ts';
import { asSha } from '../exchange/list-refs.ts';
import { isAncestor, readCommitId } from '../inspect.ts';
import { requireWhole, rescueCommit, saveRescue } from '../rescue/rescue.ts';
import { type Git, type GitCall, read, write } from '../run.ts';
import { filesAt } from '../walled-files.ts';
import { followSubmodules } from '../worktree/submodules.ts';
import { keepMerges } from './keep-merges.ts';
import { locateGitDir, rebaseInProgress } from './operation.ts';
import { dropRebaseRecord, type RebaseRecord, readRebaseRecord } from './rebase-record.ts';

const abortCall = (worktree: string): GitCall => write(worktree, 'rebase', '--abort');
/** HEAD right before the last command that moved it. */
const headBeforeCall = (worktree: string): GitCall => read(worktree, 'rev-parse', '--quiet', '--verify', 'HEAD@{1}^{commit}');

/**
 * Takes back a rebase that llmc began and that a crash left in the worktree. Everything in there is saved first: the agent may have
 * worked on. A rebase of the agent stays. Call it with the lock of the worker: a rebase of this process has a record too.
 */
export async function endLeftRebase(git: Git, worktree: string): Promise<void> {
  const record = readRebaseRecord(worktree);
  if (record === undefined) return;
  if (!(await rebaseInProgress(git, worktree))) {
    // git went on after the end of llmc, and finished.
    if (record.merges) await keepLeftMerges(git, worktree, record);
    await followSubmodules(git, worktree);
  } else {
    const { from, onto, quiet } = await readSteps(git, worktree);
    // The agent may have made a commit right before the rebase began.
    const isOurs = quiet && onto === record.onto && from !== undefined && (await isAncestor(git, worktree, record.from, from));
    if (isOurs) {
      requireWhole(await saveRescue(git, { ...about(git, worktree), base: onto }), worktree);
      await git.ok(abortCall(worktree));
    }
  }
  dropRebaseRecord(worktree);
}

/** Only on what the rebase made: a commit of the agent on top of it, or a branch that was reset since, stays as it is. */
async function keepLeftMerges(git: Git, worktree: string, { from, onto, after = onto }: RebaseRecord): Promise<void> {
  const head = await readCommitId(git, worktree);
  if (head === from || !(await isAncestor(git, worktree, onto, head))) return;
  const [now, before] = await Promise.all([commitsBetween(git, worktree, onto, head), commitsBetween(git, worktree, onto, from)]);
  const known = new Set(before.map(identity));
  if (!now.every((commit) => known.has(identity(commit)))) {
    // What the merges changed is in this commit alone.
    await rescueCommit(git, { ...about(git, worktree), base: onto }, from);
    return;
  }
  await rescueCommit(git, { ...about(git, worktree), base: onto }, head);
  await keepMerges(git, worktree, { onto, after, from });
}

/** Aborts the rebase in progress. A commit that the agent made meanwhile is on no branch then, so llmc saves it. */
export async function abandonRebase(git: Git, worktree: string): Promise<void> {
  if (!(await rebaseInProgress(git, worktree))) return;
  fault('rebase:before-abort');
  const steps = await readSteps(git, worktree);
  const head = await readCommitId(git, worktree);
  const base = steps.onto ?? head;
  if (await isForeign(git, worktree, steps, head)) requireWhole(await saveRescue(git, { ...about(git, worktree), base }), worktree);
  await git.ok(abortCall(worktree));
  const last = asSha((await git.run(headBeforeCall(worktree))).stdout.trim());
  if (last !== undefined && last !== head && (await isForeign(git, worktree, steps, last)))
    await rescueCommit(git, { ...about(git, worktree), base }, last);
}

const about = (git: Git, worktree: string) => ({
  root: dirname(dirname(worktree)),
  worktree,
  worker: basename(worktree),
  now: git.clock.now(),
  reason: 'committed during a rebase that was taken back',
});

/** What git wrote about the rebase in progress. */
interface Steps {
  readonly from: string | undefined;
  readonly onto: string | undefined;
  /** The commits that git has made so far. */
  readonly made: ReadonlySet<string>;
  /** As llmc runs it, and an agent seldom. */
  readonly quiet: boolean;
}

/** More is not what git writes there. */
const LONGEST_LIST = 10_000_000;

async function readSteps(git: Git, worktree: string): Promise<Steps> {
  const state = join(await locateGitDir(git, worktree), 'rebase-merge');
  const text = (name: string) => filesAt(git, worktree).readPlain(join(state, name), LONGEST_LIST);
  const [from, onto, rewritten, quiet] = await Promise.all(['orig-head', 'onto', 'rewritten-list', 'quiet'].map(text));
  const made = (rewritten ?? '').split('\n').map((line) => line.split(' ')[1] ?? '');
  return { from: asSha(from?.trim()), onto: asSha(onto?.trim()), made: new Set(made), quiet: quiet !== undefined };
}

/** True if the commits up to `head` are not only those that the rebase has made of the worker's own. */
async function isForeign(git: Git, worktree: string, { from, onto, made }: Steps, head: string): Promise<boolean> {
  if (from === undefined || onto === undefined) return true;
  const [now, before] = await Promise.all([commitsBetween(git, worktree, onto, head), commitsBetween(git, worktree, onto, from)]);
  if (now.length === 0) return false;
  const known = new Set(before.map(identity));
  const copies = now.every((commit) => before.some(({ sha }) => sha === commit.sha) || known.has(identity(commit)));
  return !copies || !(made.has(head) || before.some(({ sha }) => sha === head));
}

/** What a rebase keeps of a commit. */
const identity = ({ author, message }: Commit): string => JSON.stringify([author.name, author.email, author.date, message]);
