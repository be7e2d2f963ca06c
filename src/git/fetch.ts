import { LlmcError } from '../base/error.ts';
import { localRef, trackingRef } from './refs.ts';
import { type Git, type GitCall, gitFailed, read, write } from './run.ts';

export const fetchMainCall = (root: string, branch: string): GitCall =>
  write(
    root,
    'fetch',
    '--quiet',
    '--no-tags',
    '--no-write-fetch-head',
    '--no-auto-maintenance',
    '--no-recurse-submodules',
    'origin',
    `+${localRef(branch)}:${trackingRef(branch)}`,
  );
export const shaCall = (at: string, revision: string): GitCall =>
  read(at, 'rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`);
const originCall = (root: string): GitCall => read(root, 'remote', 'get-url', 'origin');

/** What the source's main branch is now. */
export async function fetchMain(git: Git, root: string, branch: string): Promise<string> {
  const call = fetchMainCall(root, branch);
  // Not beside a `worktree add`: its HEAD names no commit for a moment, and a fetch looks at every one (git 2.39).
  let answer = await git.inTurn(root, () => git.run(call));
  // Another fetch of the same root holds the ref for a moment and writes the same value.
  if (answer.status !== 0 && /cannot lock ref/.test(answer.stderr)) answer = await git.inTurn(root, () => git.run(call));
  if (answer.status === 0) return (await git.ok(shaCall(root, trackingRef(branch)))).trim();
  if (/couldn't find remote ref/.test(answer.stderr)) {
    throw new LlmcError('BRANCH_NOT_FOUND', `the source has no branch "${branch}" any more`, {
      hint: `Bring it back, or set [repo] branch in ${root}/config.toml`,
    });
  }
  if (/does not appear to be a git repository|does not exist|Could not read from remote/.test(answer.stderr)) {
    const source = (await git.run(originCall(root))).stdout.trim();
    throw new LlmcError('SOURCE_MISSING', `the source repository ${source} cannot be read`, {
      hint: `If it moved: git -C "${root}" remote set-url origin <new path>`,
      details: answer.stderr.trim(),
    });
  }
  throw gitFailed(call, answer);
}
