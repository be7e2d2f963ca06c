import { join } from 'node:path';
import { type Git, type GitCall, read, splitZ, write } from '../run.ts';

export interface Gitlink {
  readonly path: string;
  readonly sha: string;
  /** `private`: a repository without a remote. `absent`: not checked out here, so llmc cannot look it up. */
  readonly why: 'not-on-remote' | 'private' | 'absent';
}

const changesCall = (at: string, base: string, tip: string): GitCall =>
  read(at, 'diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', base, tip, '--');
const remotesCall = (at: string): GitCall => read(at, 'remote');
const onRemoteCall = (at: string, sha: string): GitCall =>
  read(at, 'for-each-ref', '--count=1', '--format=%(refname)', `--contains=${sha}`, 'refs/remotes');
const fetchCall = (at: string): GitCall => write(at, 'fetch', '--quiet', '--all', '--no-recurse-submodules', '--no-auto-maintenance');
/** Also lists tags: a tagged commit can be on no tracking branch. */
const advertisedCall = (at: string, remote: string): GitCall => read(at, 'ls-remote', '--quiet', '--', remote);

/** Finds commits of nested repositories that `tip` would put on main and that no one else could fetch. */
export async function unknownGitlinks(git: Git, worktree: string, base: string, tip: string): Promise<Gitlink[]> {
  const unknown: Gitlink[] = [];
  for (const { path, sha } of parseGitlinks(await git.ok(changesCall(worktree, base, tip)))) {
    const why = await whyUnknown(git, join(worktree, path), sha);
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

async function whyUnknown(git: Git, at: string, sha: string): Promise<Gitlink['why'] | undefined> {
  if (!(await git.files.exists(join(at, '.git')))) return 'absent';
  const remotes = (await git.ok(remotesCall(at))).split('\n').filter(Boolean);
  if (remotes.length === 0) return 'private';
  const isOnRemote = async () => (await git.run(onRemoteCall(at, sha))).stdout.trim() !== '';
  if (await isOnRemote()) return undefined;
  // The commit may have been pushed from another clone.
  await git.run(fetchCall(at));
  if (await isOnRemote()) return undefined;
  for (const remote of remotes) if ((await git.run(advertisedCall(at, remote))).stdout.includes(sha)) return undefined;
  return 'not-on-remote';
}
