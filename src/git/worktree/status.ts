import { type GitCall, gitFailed, read, splitZ } from '../run.ts';
import type { Repository } from './enter-nested.ts';

export interface ChangedPath {
  readonly path: string;
  readonly kind: 'changed' | 'unmerged' | 'untracked';
}

export interface WorktreeStatus {
  /** Undefined before the first commit. */
  readonly head: string | undefined;
  /** Undefined when HEAD is detached. */
  readonly branch: string | undefined;
  readonly changes: readonly ChangedPath[];
}

/** `normal`: a folder without a tracked file is one entry, with a slash at its end. */
type Untracked = 'normal' | 'all';

/** Compares only the commit of a nested repository: to look into it, git would run there, with its configuration (git 2.39). */
const statusCall = (worktree: string, untracked: Untracked): GitCall =>
  read(
    worktree,
    ...['status', '--porcelain=v2', '-z', '--branch', '--no-ahead-behind', '--no-renames'],
    ...[`--untracked-files=${untracked}`, '--ignore-submodules=dirty'],
  );

export interface RepositoryStatus extends WorktreeStatus {
  /** Folders that git could not look into, in its own words. It reports no change below them. */
  readonly unread: readonly string[];
}

/** Reads HEAD, branch and every change in one call, without changes inside nested repositories. */
export async function ownStatus({ git, at }: Repository, untracked: Untracked = 'normal'): Promise<RepositoryStatus> {
  const call = statusCall(at, untracked);
  const answer = await git.run(call);
  if (answer.status !== 0) throw gitFailed(call, answer);
  return { ...parseStatus(answer.stdout), unread: unreadFolders(answer.stderr) };
}

/** More of a path helps no reader. */
const LONGEST_SHOWN = 200;

/** git only warns, and ends with status 0, about a folder that it may not read or whose path is too long (4,096 bytes on Linux). */
export function unreadFolders(stderr: string): string[] {
  const lines = stderr.split('\n').filter((line) => line.startsWith('warning: could not open directory '));
  const short = (line: string) =>
    line.length <= 2 * LONGEST_SHOWN ? line : `${line.slice(0, LONGEST_SHOWN)}…${line.slice(-LONGEST_SHOWN)}`;
  return [...new Set(lines.map((line) => short(line.slice('warning: '.length))))];
}

/** Fields before the path in each kind of line of `--porcelain=v2` without renames. */
const FIELDS: Readonly<Record<string, number>> = { '1': 8, u: 10, '?': 1 };

export function parseStatus(text: string): WorktreeStatus {
  let head: string | undefined;
  let branch: string | undefined;
  const changes: ChangedPath[] = [];
  for (const line of splitZ(text)) {
    if (line.startsWith('# branch.oid ')) head = unless(line.slice(13), '(initial)');
    else if (line.startsWith('# branch.head ')) branch = unless(line.slice(14), '(detached)');
    const fields = FIELDS[line[0] ?? ''];
    if (fields === undefined) continue;
    const path = line.split(' ').slice(fields).join(' ');
    changes.push({ path, kind: line[0] === '?' ? 'untracked' : line[0] === 'u' ? 'unmerged' : 'changed' });
  }
  return { head, branch, changes };
}

const unless = (value: string, none: string): string | undefined => (value === none ? undefined : value);
