import { join } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { localRef, trackingRef } from '../refs.ts';
import { type Git, type GitCall, gitFailed, read, write } from '../run.ts';
import { fetchCall } from './fetch-call.ts';
import { pointOriginAt, sourceMissing } from './origin.ts';

/** Fetches from the source's path: the remote `origin` may still point elsewhere. */
export const fetchMainCall = (root: string, branch: string, source: string): GitCall =>
  fetchCall(root, source, `+${localRef(branch)}:${trackingRef(branch)}`);
const dropRefCall = (root: string, ref: string): GitCall => write(root, 'update-ref', '--no-deref', '-d', ref);
/** In the source, without the objects. */
export const tipCall = (source: string, branch: string): GitCall => read(source, 'rev-parse', '--quiet', '--verify', localRef(branch));
export const shaCall = (at: string, revision: string): GitCall =>
  read(at, 'rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`);

/** Returns the commit of the source's main branch, and fetches it unless the root has it. */
export async function fetchMain(git: Git, root: string, branch: string, source: string): Promise<string> {
  await requirePlainRef(git, root, branch);
  // A fetch that finds nothing new is three processes.
  const [known, newest] = await Promise.all([git.run(shaCall(root, trackingRef(branch))), git.run(tipCall(source, branch))]);
  if (known.status === 0 && newest.status === 0 && known.stdout === newest.stdout) {
    await pointOriginAt(git, source);
    return known.stdout.trim();
  }
  return await fetchNewer(git, root, branch, source);
}

async function fetchNewer(git: Git, root: string, branch: string, source: string): Promise<string> {
  const call = fetchMainCall(root, branch, source);
  // Not during a `worktree add`: its HEAD has no commit for a moment, and a fetch reads every HEAD (git 2.39).
  let answer = await git.locks.withLock(root, () => git.run(call));
  // Another fetch of the same root, such as an agent's, locks the ref for a moment and writes the same value.
  if (answer.status !== 0 && /cannot lock ref/.test(answer.stderr)) answer = await git.locks.withLock(root, () => git.run(call));
  if (answer.status === 0) {
    await pointOriginAt(git, source);
    return (await git.ok(shaCall(root, trackingRef(branch)))).trim();
  }
  if (/couldn't find remote ref/.test(answer.stderr)) {
    throw new LlmcError('BRANCH_NOT_FOUND', `the source has no branch "${branch}" any more`, {
      hint: `Restore it, or set [repo] branch in ${root}/config.toml`,
    });
  }
  if (/does not appear to be a git repository|does not exist|Could not read from remote/.test(answer.stderr)) {
    throw sourceMissing(root, source, answer.stderr);
  }
  throw gitFailed(call, answer);
}

/** A ref is a hash or the name of another ref. */
const LONGEST_REF = 4_096;

/** git fetches through a symbolic ref: an agent could name the branch of another worker there, and lose its commits. */
async function requirePlainRef(git: Git, root: string, branch: string): Promise<void> {
  const ref = trackingRef(branch);
  // git keeps a symbolic ref in a file of its own, never among the packed refs.
  const text = await git.files.readPlain(join(root, '.git', ref), LONGEST_REF);
  if (text?.startsWith('ref:')) await git.ok(dropRefCall(root, ref));
}
