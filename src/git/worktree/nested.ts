import { join } from 'node:path';
import { type Git, type GitCall, read, splitZ } from '../run.ts';

/** A path inside a worktree of which git records at most a commit's hash, and no files. */
export interface Nested {
  /** Relative to the worktree, without a slash at the end. */
  readonly path: string;
  readonly at: string;
  /** The outer repository: the worktree, or another nested one. */
  readonly around: string;
  /** The commit in the index of the outer repository; undefined if it is not added there. */
  readonly recorded: string | undefined;
  /** `folder`: files at the path of a submodule that was never checked out. git does not show them. */
  readonly kind: 'repository' | 'folder';
}

const indexCall = (at: string): GitCall => read(at, 'ls-files', '-z', '--format=%(objectmode) %(objectname) %(path)');
/** git prints a nested repository as its path with a slash, without its files. Everything else is a file. */
const untrackedCall = (at: string): GitCall => read(at, 'ls-files', '--others', '--exclude-standard', '-z');

/** Finds submodules and other repositories below a worktree at any depth, without ignored ones. */
export async function findNested(git: Git, worktree: string): Promise<Nested[]> {
  return below(git, worktree, '');
}

/** Gitlinks of the index by path. */
export async function gitlinksOf(git: Git, at: string): Promise<Map<string, string>> {
  const rows = splitZ(await git.ok(indexCall(at))).filter((row) => row.startsWith('160000 '));
  return new Map(rows.map((row) => row.split(' ')).map(([, sha = '', ...path]) => [path.join(' '), sha]));
}

async function below(git: Git, around: string, prefix: string): Promise<Nested[]> {
  const [recorded, untracked] = await Promise.all([gitlinksOf(git, around), git.ok(untrackedCall(around))]);
  const others = splitZ(untracked).filter((path) => path.endsWith('/'));
  const found: Nested[] = [];
  for (const path of new Set([...recorded.keys(), ...others.map((each) => each.slice(0, -1))])) {
    const at = join(around, path);
    const nested = { path: `${prefix}${path}`, at, around, recorded: recorded.get(path) };
    if (await git.files.exists(join(at, '.git'))) {
      // The caller that saves a repository reports that git cannot read it.
      const inner = await below(git, at, `${nested.path}/`).catch(() => []);
      found.push({ ...nested, kind: 'repository' }, ...inner);
    } else if ((await git.files.entries(at)).length > 0) found.push({ ...nested, kind: 'folder' });
  }
  return found;
}
