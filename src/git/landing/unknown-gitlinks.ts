import { type Git, type GitCall, read, splitZ } from '../run.ts';
import { fetchCall } from '../source/fetch-call.ts';
import { enterNested } from '../worktree/enter-nested.ts';

/** The commit of a nested repository. */
export interface Gitlink {
  readonly path: string;
  readonly sha: string;
}

export interface UnknownGitlink extends Gitlink {
  /** `private`: a repository without a remote. `absent`: not checked out here, so llmc cannot look it up. `closed`: llmc does not run git there. */
  readonly why: 'not-on-remote' | 'private' | 'absent' | 'closed';
}

/** The commit graph, a file that an agent can write, may name other trees for these commits (git 2.39). */
const changesCall = (at: string, base: string, tip: string): GitCall =>
  read(
    at,
    '-c',
    'core.commitGraph=false',
    'diff-tree',
    '-r',
    '-z',
    '--raw',
    '--no-renames',
    '--no-abbrev',
    '--end-of-options',
    base,
    tip,
    '--',
  );
const onRemoteCall = (at: string, sha: string): GitCall =>
  read(at, 'for-each-ref', '--count=1', '--format=%(refname)', `--contains=${sha}`, 'refs/remotes');
const fetchRemoteCall = (at: string, name: string, address: string): GitCall =>
  fetchCall(at, address, `+refs/heads/*:refs/remotes/${name}/*`);
/** Also lists tags: a tagged commit can be on no tracking branch. */
const advertisedCall = (at: string, address: string): GitCall => read(at, 'ls-remote', '--quiet', '--', address);

/** Lists the commits of nested repositories that `tip` would put on main. */
export async function changedGitlinks(git: Git, at: string, base: string, tip: string): Promise<readonly Gitlink[]> {
  return parseGitlinks(await git.ok(changesCall(at, base, tip)));
}

/** Finds those commits of nested repositories that no one else could fetch. */
export async function unknownGitlinks(git: Git, worktree: string, changed: readonly Gitlink[]): Promise<readonly UnknownGitlink[]> {
  const unknown: UnknownGitlink[] = [];
  for (const { path, sha } of changed) {
    const why = await whyUnknown(git, worktree, path, sha);
    if (why !== undefined) unknown.push({ path, sha, why });
  }
  return unknown;
}

/** Pairs of `:<mode> <mode> <old> <new> <letter>` and a path. */
function parseGitlinks(text: string): readonly Gitlink[] {
  const fields = splitZ(text);
  const found: Gitlink[] = [];
  for (let start = 0; start + 2 <= fields.length; start += 2) {
    const [, mode, , sha = ''] = (fields[start] ?? '').split(' ');
    if (mode === '160000') found.push({ path: fields[start + 1] ?? '', sha });
  }
  return found;
}

async function whyUnknown(git: Git, worktree: string, path: string, sha: string): Promise<UnknownGitlink['why'] | undefined> {
  if ((await git.files.kindBeneath(worktree, `${path}/.git`)) === 'missing') return 'absent';
  const entered = await enterNested(git, worktree, path);
  if ('closed' in entered) return 'closed';
  await using inside = entered;
  const { git: inner, at, remotes } = inside;
  if (remotes.size === 0) return 'private';
  const isOnRemote = async () => (await inner.run(onRemoteCall(at, sha))).stdout.trim() !== '';
  if (await isOnRemote()) return undefined;
  // The commit may have been pushed from another clone.
  for (const [name, address] of remotes) await inner.run(fetchRemoteCall(at, name, address));
  if (await isOnRemote()) return undefined;
  for (const address of remotes.values()) if ((await inner.run(advertisedCall(at, address))).stdout.includes(sha)) return undefined;
  return 'not-on-remote';
}
