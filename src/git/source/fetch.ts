import { join } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { fault } from '../../base/fault.ts';
import { formerMainRef, localRef, trackingRef } from '../refs.ts';
import { type Git, type GitCall, gitFailed, read, write } from '../run.ts';
import { fetchCall } from './fetch-call.ts';
import { pointOriginAt, sourceMissing } from './origin.ts';

/** Fetches from the source's path: the remote `origin` may still point elsewhere. */
export const fetchMainCall = (root: string, branch: string, source: string): GitCall =>
  fetchCall(root, source, `+${localRef(branch)}:${trackingRef(branch)}`);
const keepFormerCall = (root: string, commit: string): GitCall => write(root, 'update-ref', '--no-deref', formerMainRef(commit), commit);
/** In the source, which has both commits unless it has deleted the old one. */
const isForwardCall = (source: string, before: string, now: string): GitCall =>
  read(source, 'merge-base', '--is-ancestor', '--end-of-options', before, now);
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
  if (known.status === 0 && newest.status === 0) await keepFormerMain(git, root, source, known.stdout.trim(), newest.stdout.trim());
  return await fetchNewer(git, root, branch, source);
}

/**
 * Keeps what main was if its new commit does not contain that: the work of a worker may build on it. Before the tracking ref moves,
 * because afterwards nothing in the root says that the old commit was one of main.
 */
async function keepFormerMain(git: Git, root: string, source: string, before: string, now: string): Promise<void> {
  if ((await git.run(isForwardCall(source, before, now))).status === 0) return;
  await git.ok(keepFormerCall(root, before));
  fault('fetch:after-former-main');
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
