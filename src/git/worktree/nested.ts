import { join } from 'node:path';
import { type Git, type GitCall, read, splitZ } from '../run.ts';
import { type Entered, enterNested, type Repository } from './enter-nested.ts';

/** A path inside a worktree of which git records at most a commit's hash, and no files. */
interface Found {
  /** Relative to the worktree, without a slash at the end. */
  readonly path: string;
  readonly at: string;
  /** The outer repository: the worktree, or another nested one. */
  readonly around: Repository;
  /** The commit in the index of the outer repository; undefined if it is not added there. */
  readonly recorded: string | undefined;
}

export type Nested = Found &
  (
    | { readonly kind: 'repository'; readonly inside: Entered }
    /** Files at the path of a submodule that was never checked out. git does not show them. */
    | { readonly kind: 'folder' }
    /** A repository in which llmc does not let git work. */
    | { readonly kind: 'closed'; readonly why: string }
  );

export interface NestedList extends AsyncDisposable {
  readonly all: readonly Nested[];
}

export interface Search {
  /** Also repositories that are not in the index. */
  readonly untracked: boolean;
}

const indexCall = (at: string): GitCall => read(at, 'ls-files', '-z', '--format=%(objectmode) %(objectname) %(path)');
/** git prints a nested repository as its path with a slash, without its files. Everything else is a file. */
const untrackedCall = (at: string): GitCall => read(at, 'ls-files', '--others', '--exclude-standard', '-z');

/** Finds submodules and other repositories below a worktree at any depth, outer ones first, without ignored ones. */
export async function findNested(git: Git, worktree: string, search: Search = { untracked: true }): Promise<NestedList> {
  const stack = new AsyncDisposableStack();
  try {
    const all = await below(stack, { git, at: worktree }, worktree, '', search);
    return { all, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** Gitlinks of the index by path. */
export async function readGitlinks({ git, at }: Repository): Promise<Map<string, string>> {
  const rows = splitZ(await git.ok(indexCall(at))).filter((row) => row.startsWith('160000 '));
  return new Map(rows.map((row) => row.split(' ')).map(([, sha = '', ...path]) => [path.join(' '), sha]));
}

async function below(stack: AsyncDisposableStack, around: Repository, worktree: string, prefix: string, search: Search): Promise<Nested[]> {
  const [recorded, untracked] = await Promise.all([readGitlinks(around), search.untracked ? around.git.ok(untrackedCall(around.at)) : '']);
  const others = splitZ(untracked).filter((path) => path.endsWith('/'));
  const found: Nested[] = [];
  for (const path of new Set([...recorded.keys(), ...others.map((each) => each.slice(0, -1))])) {
    const nested = await lookAt(around, worktree, `${prefix}${path}`, recorded.get(path));
    if (nested === undefined) continue;
    found.push(nested);
    if (nested.kind !== 'repository') continue;
    stack.use(nested.inside);
    // The caller that saves a repository reports that git cannot read it.
    found.push(...(await below(stack, nested.inside, worktree, `${nested.path}/`, search).catch(() => [])));
  }
  return found;
}

/** A link, and what is behind one, is not nested: git treats the link itself as a file. */
export async function lookAt(
  around: Repository,
  worktree: string,
  path: string,
  recorded: string | undefined,
): Promise<Nested | undefined> {
  const { files } = around.git;
  if ((await files.kindBeneath(worktree, path)) !== 'folder') return undefined;
  const found = { path, at: join(worktree, path), around, recorded };
  if ((await files.kindBeneath(worktree, `${path}/.git`)) === 'missing')
    return (await files.entries(found.at)).length > 0 ? { ...found, kind: 'folder' } : undefined;
  const inside = await enterNested(around.git, worktree, path);
  return 'closed' in inside ? { ...found, kind: 'closed', why: inside.closed } : { ...found, kind: 'repository', inside };
}
