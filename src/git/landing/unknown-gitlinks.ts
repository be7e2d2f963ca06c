import { type Git, type GitCall, read, splitZ } from '../run.ts';
import { fetchCall } from '../source/fetch-call.ts';
import { enterNested } from '../worktree/enter-nested.ts';

export interface Gitlink {
  readonly path: string;
  readonly sha: string;
  /** `private`: a repository without a remote. `absent`: not checked out here, so llmc cannot look it up. `closed`: llmc does not run git there. */
  readonly why: 'not-on-remote' | 'private' | 'absent' | 'closed';
}

const changesCall = (at: string, base: string, tip: string): GitCall =>
  read(at, 'diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', '--end-of-options', base, tip, '--');
const onRemoteCall = (at: string, sha: string): GitCall =>
  read(at, 'for-each-ref', '--count=1', '--format=%(refname)', `--contains=${sha}`, 'refs/remotes');
const fetchRemoteCall = (at: string, name: string, address: string): GitCall =>
  fetchCall(at, address, `+refs/heads/*:refs/remotes/${name}/*`);
/** Also lists tags: a tagged commit can be on no tracking branch. */
const advertisedCall = (at: string, address: string): GitCall => read(at, 'ls-remote', '--quiet', '--', address);

/** Finds commits of nested repositories that `tip` would put on main and that no one else could fetch. */
export async function unknownGitlinks(git: Git, worktree: string, base: string, tip: string): Promise<Gitlink[]> {
  const unknown: Gitlink[] = [];
  for (const { path, sha } of parseGitlinks(await git.ok(changesCall(worktree, base, tip)))) {
    const why = await whyUnknown(git, worktree, path, sha);
    if (why !== undefined) unknown.push({ path, sha, why });
  }
  return unknown;
}

/** Pairs of `:<mode> <mode> <old> <new> <letter>` and a path. */
function parseGitlinks(text: string): { path: string; sha: string }[] {
  const fields = splitZ(text);
  const found: { path: string; sha: string }[] = [];
  for (let start = 0; start + 2 <= fields.length; start += 2) {
    const [, mode, , sha = ''] = (fields[start] ?? '').split(' ');
    if (mode === '160000') found.push({ path: fields[start + 1] ?? '', sha });
  }
  return found;
}

async function whyUnknown(git: Git, worktree: string, path: string, sha: string): Promise<Gitlink['why'] | undefined> {
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
