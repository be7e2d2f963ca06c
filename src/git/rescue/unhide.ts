import { type Git, type GitCall, read, splitZ, write } from '../run.ts';

type Flag = '--no-assume-unchanged' | '--no-skip-worktree' | '--skip-worktree';

/** A letter and a blank before each path: lower case for `--assume-unchanged`, S for `--skip-worktree`. */
const flagsCall = (worktree: string): GitCall => read(worktree, 'ls-files', '-v', '-z');
const deletedCall = (worktree: string): GitCall => read(worktree, 'ls-files', '--deleted', '-z');
const setCall = (worktree: string, flag: Flag, paths: readonly string[]): GitCall => ({
  ...write(worktree, 'update-index', flag, '-z', '--stdin'),
  stdin: paths.join('\0'),
});

/**
 * Takes back the marks that make git overlook changed files: a rescue would miss them. A file that a sparse checkout left out keeps its
 * mark, or it would look deleted.
 */
export async function unhide(git: Git, worktree: string): Promise<void> {
  const rows = splitZ(await git.ok(flagsCall(worktree)));
  const marked = (letters: RegExp) => rows.filter((row) => letters.test(row)).map((row) => row.slice(2));
  const [assumed, skipped] = [marked(/^[a-z]/), marked(/^S/i)];
  if (assumed.length > 0) await git.ok(setCall(worktree, '--no-assume-unchanged', assumed));
  if (skipped.length === 0) return;
  await git.ok(setCall(worktree, '--no-skip-worktree', skipped));
  const deleted = new Set(splitZ(await git.ok(deletedCall(worktree))));
  const absent = skipped.filter((path) => deleted.has(path));
  if (absent.length > 0) await git.ok(setCall(worktree, '--skip-worktree', absent));
}
