import { join } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { type Git, type GitCall, read, splitZ } from '../run.ts';

export interface Copied {
  readonly copied: readonly string[];
  readonly unchanged: readonly string[];
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
  readonly note?: string;
}

/** Lists untracked files that match a glob, ignored or not. git lists links and does not follow them. */
export const untrackedCall = (checkout: string, globs: readonly string[]): GitCall =>
  read(checkout, 'ls-files', '-z', '--others', '--', ...globs.map((glob) => `:(top,glob)${glob}`));
const trackedCall = (worktree: string, paths: readonly string[]): GitCall =>
  read(worktree, 'ls-files', '-z', '--', ...paths.map((path) => `:(top,literal)${path}`));

/** Keeps a command line far below any kernel's limit, even with the longest paths. */
const BATCH = 200;

/** Copies files that git does not track, such as `.env`, from the user's checkout into a worktree. */
export async function copyIgnored(git: Git, checkout: string | undefined, worktree: string, globs: readonly string[]): Promise<Copied> {
  if (globs.length === 0) return { copied: [], unchanged: [], skipped: [] };
  for (const glob of globs) requireInside(glob);
  if (checkout === undefined) return { copied: [], unchanged: [], skipped: [], note: 'the source is bare: it has no files to copy' };
  const paths = splitZ(await git.ok(untrackedCall(checkout, globs.flatMap(expandBraces))));
  const tracked = await trackedAmong(git, worktree, paths);
  const result = { copied: [] as string[], unchanged: [] as string[], skipped: [] as { path: string; why: string }[] };
  for (const path of paths) {
    if (tracked.has(path)) {
      result.skipped.push({ path, why: 'the worktree has it under version control' });
      continue;
    }
    const outcome = await git.files.sync(join(checkout, path), join(worktree, path), worktree);
    if (outcome === 'copied') result.copied.push(path);
    else if (outcome === 'unchanged') result.unchanged.push(path);
    else result.skipped.push({ path, why: outcome === 'outside' ? 'it would be written outside the worktree' : 'it is not a plain file' });
  }
  return result;
}

async function trackedAmong(git: Git, worktree: string, paths: readonly string[]): Promise<Set<string>> {
  const tracked = new Set<string>();
  for (let start = 0; start < paths.length; start += BATCH) {
    for (const path of splitZ(await git.ok(trackedCall(worktree, paths.slice(start, start + BATCH))))) tracked.add(path);
  }
  return tracked;
}

function requireInside(glob: string): void {
  if (glob !== '' && !glob.startsWith('/') && !glob.split('/').includes('..')) return;
  throw new LlmcError('CONFIG_INVALID', `copy_files: "${glob}" does not stay inside the repository`, {
    hint: 'Write globs relative to the top of the repository, such as ".env" or "config/*.local.json".',
  });
}

/** Expands `a.{x,y}`: users write it, and git's globs have no braces. */
export function expandBraces(glob: string): string[] {
  const found = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(glob);
  if (found === null) return [glob];
  const [, before = '', choices = '', after = ''] = found;
  return [...new Set(choices.split(',').flatMap((choice) => expandBraces(`${before}${choice}${after}`)))];
}
