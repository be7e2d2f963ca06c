import { join } from 'node:path';
import { type Git, type GitCall, read, splitZ } from '../run.ts';

/** A place inside a worktree of which git records a commit's name at most, and none of the files. */
export interface Nested {
  /** Relative to the worktree, without a slash at the end. */
  readonly path: string;
  readonly at: string;
  /** The repository it lies in: the worktree, or another nested one. */
  readonly around: string;
  /** The commit that the repository around it has in its index; undefined for one nobody has added. */
  readonly recorded: string | undefined;
  /** `folder`: files in the place of a submodule that was never checked out. git shows them nowhere. */
  readonly kind: 'repository' | 'folder';
}

const indexCall = (at: string): GitCall => read(at, 'ls-files', '-z', '--format=%(objectmode) %(objectname) %(path)');
/** Prints a repository as its path with a slash and does not look inside; everything else is a file. */
const untrackedCall = (at: string): GitCall => read(at, 'ls-files', '--others', '--exclude-standard', '-z');

/** Submodules and other repositories below a worktree, however deep; ignored ones are left alone like all ignored files. */
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
      // One that git cannot read is for whoever wants to save it to say.
      const inner = await below(git, at, `${nested.path}/`).catch(() => []);
      found.push({ ...nested, kind: 'repository' }, ...inner);
    } else if ((await git.files.entries(at)).length > 0) found.push({ ...nested, kind: 'folder' });
  }
  return found;
}
