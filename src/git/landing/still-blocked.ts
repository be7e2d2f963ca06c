import { unfinishedOperation } from '../rebase/operation.ts';
import { type Git, type GitCall, read } from '../run.ts';

/** What kept a landing from a checkout of the source. */
export interface Blocked {
  readonly where: string;
  /** The files in the way; none: an operation of git is in progress there. */
  readonly files: readonly string[];
}

/** Ignored files stop a landing too. */
const statusCall = (where: string, files: readonly string[]): GitCall =>
  read(
    where,
    ...['status', '--porcelain', '-z', '--untracked-files=all', '--ignored=matching', '--ignore-submodules=none', '--'],
    ...files.map((file) => `:(top,literal)${file}`),
  );

/** Whether one of these files still differs from the commit that is checked out, or the operation goes on. */
export async function isStillBlocked(git: Git, { where, files }: Blocked): Promise<boolean> {
  if (!(await git.files.exists(where))) return false;
  if (files.length === 0) return (await unfinishedOperation(git, where)) !== undefined;
  return (await git.ok(statusCall(where, files))) !== '';
}
