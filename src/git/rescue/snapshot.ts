import { join } from 'node:path';
import { readTreeId } from '../inspect.ts';
import { commitTree } from '../landing/squash.ts';
import { type Git, type GitCall, gitFailed, read, splitZ, write } from '../run.ts';
import { filesAt } from '../walled-files.ts';
import type { Repository } from '../worktree/enter-nested.ts';

export interface Snapshot {
  /** All files as they are, with untracked ones and without ignored ones. */
  readonly tree: string;
  /** A commit of the staged files, if they differ from both HEAD and the files. */
  readonly index: string | undefined;
  readonly missed: readonly string[];
}

/** Nested repositories in the index, of which only the commit is taken, and others that git must not read. */
export interface Gitlinks {
  readonly all: readonly string[];
  readonly readable: readonly string[];
}

/** Only one path: a path can contain a line feed, and then its second line would be any path the agent likes. */
const indexPathCall = (worktree: string): GitCall => read(worktree, 'rev-parse', '--path-format=absolute', '--git-path', 'index');

/** Paths of index and files for one call. */
type Places = { readonly GIT_INDEX_FILE: string; readonly GIT_WORK_TREE?: string; readonly GIT_OBJECT_DIRECTORY?: string };
const QUIET = ['-c', 'advice.addEmbeddedRepo=false', '-c', 'core.safecrlf=false'];
/** `add` would run `git status` in each nested repository of the index, whatever the settings are (git 2.39). */
export const addAllCall = (worktree: string, env: Places, except: readonly string[], which: '--all' | '--update' = '--all'): GitCall => ({
  ...write(worktree, ...QUIET, 'add', which, '--ignore-errors', '--pathspec-from-file=-', '--pathspec-file-nul'),
  env,
  stdin: [':/', ...except.map((path) => `:(top,exclude,literal)${path}`)].join('\0'),
});
/** Reads HEAD of a nested repository, and runs nothing there. */
const addGitlinksCall = (worktree: string, env: Places, paths: readonly string[]): GitCall => ({
  ...write(worktree, 'update-index', '-z', '--stdin'),
  env,
  stdin: paths.join('\0'),
});
export const writeTreeCall = (worktree: string, env: Places): GitCall => ({ ...write(worktree, 'write-tree'), env });
const filesCall = (worktree: string, env: Places): GitCall => ({ ...read(worktree, 'ls-files', '-z', '--stage'), env });

/** Makes a tree of the files with a copy of the index, so the worker's staged files and a merge in progress stay as they are. */
export async function snapshot(git: Git, worktree: string, head: string | undefined, gitlinks: Gitlinks): Promise<Snapshot> {
  await using scratch = await git.files.scratch();
  const places = { GIT_INDEX_FILE: join(scratch.path, 'index') };
  await copyIndex(git, worktree, places.GIT_INDEX_FILE);
  const staged = await git.run(writeTreeCall(worktree, places));
  const missed = await addAll(git, worktree, places, gitlinks.all);
  if (gitlinks.readable.length > 0) await git.ok(addGitlinksCall(worktree, places, gitlinks.readable));
  const tree = (await git.ok(writeTreeCall(worktree, places))).trim();
  // An index with unmerged entries has no tree. The files with their conflict markers are saved instead.
  const stagedTree = staged.status === 0 ? staged.stdout.trim() : undefined;
  return { tree, index: await stagedCommit(git, worktree, head, stagedTree, tree), missed };
}

/** What is staged, if the worktree itself is gone; undefined if git kept no readable index. */
export async function stagedTree(git: Git, admin: string): Promise<Snapshot | undefined> {
  await using scratch = await git.files.scratch();
  const places = { GIT_INDEX_FILE: join(scratch.path, 'index') };
  if (!(await copyIndex(git, admin, places.GIT_INDEX_FILE).catch(() => false))) return undefined;
  const staged = await git.run(writeTreeCall(admin, places));
  return staged.status === 0 ? { tree: staged.stdout.trim(), index: undefined, missed: [] } : undefined;
}

/**
 * Copies the index into a scratch folder. The copy keeps git's cached file times, so git reads only changed files again. It must have the
 * time of the index itself, or git would trust the cached time of a file that changed in the second in which it was added. Returns whether
 * there is one.
 */
export async function copyIndex(git: Git, worktree: string, to: string): Promise<boolean> {
  const index = onePath(await git.ok(indexPathCall(worktree)));
  const files = filesAt(git, worktree);
  if (!(await files.exists(index))) return false;
  await files.copy(index, to);
  return true;
}

/** Stores the files of a folder that is not a repository in the outer one. The tree is undefined if there are no files. */
export async function folderTree(
  { git, at: around }: Repository,
  folder: string,
): Promise<{ readonly tree: string | undefined; readonly missed: readonly string[] }> {
  await using scratch = await git.files.scratch();
  const places = { GIT_INDEX_FILE: join(scratch.path, 'index'), GIT_WORK_TREE: folder };
  const missed = await addAll(git, around, places, []);
  const files = splitZ(await git.ok(filesCall(around, places)));
  if (files.length === 0) return { tree: undefined, missed };
  // Only the hash of its commit would be saved.
  const nested = files.filter((row) => row.startsWith('160000 ')).map((row) => `${row.split('\t').slice(1).join('\t')} is a repository`);
  return { tree: (await git.ok(writeTreeCall(around, places))).trim(), missed: [...missed, ...nested] };
}

async function addAll(git: Git, worktree: string, places: Places, except: readonly string[]): Promise<string[]> {
  const call = addAllCall(worktree, places, except);
  const answer = await git.run(call);
  // Status 1 comes from `--ignore-errors`: git added everything else.
  if (answer.status > 1) throw gitFailed(call, answer);
  return notAdded(answer.stderr);
}

/** What `add --ignore-errors` could not add, in the words of git. Nested repositories are handled separately. */
export const notAdded = (stderr: string): string[] =>
  stderr.split('\n').filter((line) => /^(error|fatal)/.test(line) && !/does not have a commit checked out$/.test(line));

async function stagedCommit(
  git: Git,
  worktree: string,
  head: string | undefined,
  staged: string | undefined,
  tree: string,
): Promise<string | undefined> {
  if (staged === undefined || staged === tree) return undefined;
  if (head !== undefined && staged === (await readTreeId(git, worktree, head))) return undefined;
  const date = '0 +0000';
  // A fixed date: the same staged files make the same commit, so a repeated rescue finds it.
  const author = { name: 'llmc', email: 'llmc@localhost', date };
  const parents = head === undefined ? [] : [head];
  return commitTree(git, worktree, { tree: staged, parents, message: 'rescue: what was staged', author, committed: date });
}

/** Without the line feed that git adds. The path itself may end with another one. */
const onePath = (output: string): string => output.replace(/\n$/, '');
