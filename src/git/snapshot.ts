import { type Git, type GitCall, gitFailed, read, write } from './run.ts';
import { commitTree } from './squash.ts';

export interface Snapshot {
  /** All files as they lie there, untracked ones included, ignored ones not. */
  readonly tree: string;
  /** A commit of what was staged, when that differs from both HEAD and the files. */
  readonly index: string | undefined;
  readonly missed: readonly string[];
}

const indexPathCall = (worktree: string): GitCall =>
  read(worktree, 'rev-parse', '--path-format=absolute', '--git-path', 'index', '--git-path', 'llmc-rescue.index');
const addAllCall = (worktree: string, index: string): GitCall => ({
  ...write(worktree, '-c', 'advice.addEmbeddedRepo=false', '-c', 'core.safecrlf=false', 'add', '--all', '--ignore-errors', '--', ':/'),
  env: { GIT_INDEX_FILE: index },
});
const writeTreeCall = (worktree: string, index: string): GitCall => ({
  ...write(worktree, 'write-tree'),
  env: { GIT_INDEX_FILE: index },
});
const treeCall = (at: string, revision: string): GitCall => read(at, 'rev-parse', '--verify', `${revision}^{tree}`);

/** Works on a copy of the index, so neither the worker's staging nor a merge in progress is disturbed. */
export async function snapshot(git: Git, worktree: string, head: string): Promise<Snapshot> {
  const [index = '', scratch = ''] = (await git.ok(indexPathCall(worktree))).trimEnd().split('\n');
  await discard(git, scratch);
  try {
    // The copy keeps git's notes on file times: only what changed is read again.
    if (await git.files.exists(index)) await git.files.copy(index, scratch);
    const staged = await git.run(writeTreeCall(worktree, scratch));
    const missed = await addAll(git, worktree, scratch);
    const tree = (await git.ok(writeTreeCall(worktree, scratch))).trim();
    // An index with unmerged entries has no tree; the files with their markers are saved instead.
    const stagedTree = staged.status === 0 ? staged.stdout.trim() : undefined;
    return { tree, index: await stagedCommit(git, worktree, head, stagedTree, tree), missed };
  } finally {
    await discard(git, scratch);
  }
}

async function addAll(git: Git, worktree: string, index: string): Promise<string[]> {
  const call = addAllCall(worktree, index);
  const answer = await git.run(call);
  const complaints = answer.stderr.split('\n').filter((line) => /^(error|fatal|warning: adding embedded)/.test(line));
  // Status 1 is `--ignore-errors` at work: everything else was added.
  if (answer.status > 1) throw gitFailed(call, answer);
  return complaints;
}

async function stagedCommit(
  git: Git,
  worktree: string,
  head: string,
  staged: string | undefined,
  tree: string,
): Promise<string | undefined> {
  if (staged === undefined || staged === tree) return undefined;
  if (staged === (await treeOf(git, worktree, head))) return undefined;
  const date = '0 +0000';
  // A fixed date: the same staging gives the same commit, so that a repeated rescue is recognised.
  const author = { name: 'llmc', email: 'llmc@localhost', date };
  return commitTree(git, worktree, { tree: staged, parents: [head], message: 'rescue: what was staged', author, committed: date });
}

export async function treeOf(git: Git, at: string, revision: string): Promise<string> {
  return (await git.ok(treeCall(at, revision))).trim();
}

async function discard(git: Git, scratch: string): Promise<void> {
  await git.files.remove(scratch);
  await git.files.remove(`${scratch}.lock`);
}
