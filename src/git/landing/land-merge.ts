import { join } from 'node:path';
import { privateFolder } from '../private/place.ts';
import { unfinishedOperation } from '../rebase/operation.ts';
import { overwrittenFiles, untrackedAmongThem } from '../rebase/overwritten.ts';
import { complaint, type Git, type GitCall, gitFailed, read, write } from '../run.ts';
import { fetchCall } from '../source/fetch-call.ts';
import { shareLfsObjects } from '../source/lfs.ts';
import type { Worktree } from '../worktree/worktree-list.ts';
import { type BranchLanding, busyText, goneCheckout, type Landed } from './landed.ts';
import { patchIdInSource } from './patch.ts';

const SETTINGS = ['-c', 'merge.autoStash=false', '-c', 'gc.auto=0', '-c', 'maintenance.auto=false'];
/** The user's edits stay where they are or stop the merge, and so do ignored files such as `.env`, which git would replace without a word. */
export const fastForwardCall = (checkout: string, sha: string): GitCall =>
  write(checkout, ...SETTINGS, 'merge', '--quiet', '--ff-only', '--no-overwrite-ignore', '--end-of-options', sha);
const commonDirCall = (at: string): GitCall => read(at, 'rev-parse', '--path-format=absolute', '--git-common-dir');

/** Lands where main is checked out: only a merge in that checkout moves the branch and its files together. */
export async function landByMerge(git: Git, landing: BranchLanding, checkout: Worktree): Promise<Landed> {
  const where = checkout.path;
  if (checkout.prunable !== undefined || !(await git.files.exists(where))) {
    return { kind: 'refused', reason: goneCheckout(where, landing.branch) };
  }
  // Objects alone change nothing that a user sees, so fetch them at the same time.
  const [unfinished] = await Promise.all([unfinishedOperation(git, where), takeObjects(git, landing, where)]);
  if (unfinished !== undefined) return { kind: 'refused', reason: busyText(unfinished.operation, where), where };
  if (!(await isReviewed(git, landing, where))) return { kind: 'changed' };
  const merged = await git.run(fastForwardCall(where, landing.sha));
  if (merged.status === 0) return { kind: 'landed', how: 'merge', where };
  const files = overwrittenFiles(merged.stderr);
  if (files.length > 0) return inTheWay(where, files, untrackedAmongThem(merged.stderr));
  return { kind: 'refused', reason: `git merge in ${where} said: ${complaint(merged.stderr) || merged.stdout.trim()}` };
}

/** How many files the reason names; the details name all. */
const NAMED = 5;

export function inTheWay(
  where: string,
  files: readonly string[],
  untracked: readonly string[],
  place = 'where the commit adds some',
): Extract<Landed, { kind: 'refused' }> {
  const edits = { kind: 'refused', reason: `uncommitted changes in ${where} are in the way`, files, where } as const;
  if (untracked.length === 0) return { ...edits, todo: `Commit or move your own changes in ${where}` };
  const names = [...untracked.slice(0, NAMED), ...(untracked.length > NAMED ? ['…'] : [])].join(', ');
  const reason = `${where} already has files that git does not track ${place}: ${names}`;
  const move = 'Move or delete those files';
  return { ...edits, reason, todo: untracked.length === files.length ? move : `${move}, and commit or move your other changes there` };
}

/** Compares the change with the reviewed one, with the objects that the source has now. */
export async function isReviewed(git: Git, landing: BranchLanding, where: string): Promise<boolean> {
  if (landing.reviewed === null) return true;
  const usual = join(where, '.git');
  const isUsual = await git.files.exists(join(usual, 'objects'));
  const gitDir = isUsual ? usual : (await git.ok(commonDirCall(where))).replace(/\n$/, '');
  return (await patchIdInSource(git, landing, gitDir)) === landing.reviewed;
}

export async function takeObjects(git: Git, { root, sha }: Pick<BranchLanding, 'root' | 'sha'>, where: string): Promise<void> {
  // The other entrance to the clone would read the configuration that agents can write.
  const plain = fetchCall(where, privateFolder(root), sha);
  // Without it, git takes a `.gitmodules` whose address is an option, and a folder that is `.git` on another system.
  const call = { ...plain, args: ['-c', 'fetch.fsckObjects=true', ...plain.args] };
  const fetched = await git.run(call);
  if (fetched.status !== 0) throw gitFailed(call, fetched);
  const rootGitDir = join(root, '.git');
  if (!(await git.files.exists(join(rootGitDir, 'lfs')))) return;
  await shareLfsObjects(git, rootGitDir, (await git.ok(commonDirCall(where))).trimEnd());
}
