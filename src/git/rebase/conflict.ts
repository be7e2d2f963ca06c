import { readTreeId } from '../inspect.ts';
import { type Git, type GitCall, gitFailed, read, splitZ } from '../run.ts';
import { unrelatedHistory } from './former-main.ts';

const mergeTreeCall = (at: string, ours: string, theirs: string): GitCall =>
  read(at, 'merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', '--end-of-options', ours, theirs);
/** Without `--ignore-submodules`, git would run in each nested repository, with its configuration. */
const unmergedCall = (worktree: string): GitCall =>
  read(worktree, 'diff', '--name-only', '--diff-filter=U', '--ignore-submodules=dirty', '-z');

/** Lists the files that would conflict in a merge. Changes neither index nor files. */
export async function predictConflicts(git: Git, at: string, ours: string, theirs: string): Promise<string[]> {
  const call = mergeTreeCall(at, ours, theirs);
  const answer = await git.run(call);
  // git 2.39 also ends with 1, and without a tree, if it does not find one of the commits.
  if (/refusing to merge unrelated histories/.test(answer.stderr)) throw unrelatedHistory(at, ours);
  if (answer.status > 1 || answer.stdout === '') throw gitFailed(call, answer);
  // The first field is the tree that git wrote.
  return answer.status === 0 ? [] : unique(splitZ(answer.stdout).slice(1));
}

/** The files of a merge without conflicts; undefined if there are some. */
export async function mergedTree(git: Git, at: string, ours: string, theirs: string): Promise<string | undefined> {
  const { status, stdout } = await git.run(mergeTreeCall(at, ours, theirs));
  return status === 0 ? splitZ(stdout)[0] : undefined;
}

/** Whether a merge of HEAD into `main` would leave the files of main as they are. */
export async function addsNothing(git: Git, at: string, main: string): Promise<boolean> {
  const [merged, tree] = await Promise.all([mergedTree(git, at, main, 'HEAD'), readTreeId(git, at, main)]);
  return merged === tree;
}

export async function unmergedFiles(git: Git, worktree: string): Promise<string[]> {
  return unique(splitZ(await git.ok(unmergedCall(worktree))));
}

const unique = (paths: readonly string[]): string[] => [...new Set(paths.filter((path) => path !== ''))];
