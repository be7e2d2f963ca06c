import { isAncestor } from '../inspect.ts';
import { localRef } from '../refs.ts';
import { complaint, type Git, type GitAnswer, type GitCall, write } from '../run.ts';
import { isReviewed, takeObjects } from './land-merge.ts';
import type { BranchLanding, Landed } from './landed.ts';

/** The lease makes the push a compare-and-swap; an empty one means that there is no such branch. `landByPush` checks before that it is a fast-forward. */
export const pushCall = ({ source, root, branch, sha, onto }: BranchLanding): GitCall =>
  write(
    root,
    'push',
    '--porcelain',
    '--no-verify',
    '--no-signed',
    '--no-follow-tags',
    '--recurse-submodules=no',
    `--force-with-lease=${localRef(branch)}:${onto ?? ''}`,
    '--',
    source,
    `${sha}:${localRef(branch)}`,
  );

/** Lands where the branch is not checked out: the push moves the branch, and the source's hooks can refuse it. */
export async function landByPush(git: Git, landing: BranchLanding): Promise<Landed> {
  // The lease alone would accept a commit that moves the branch backwards.
  if (landing.onto !== null && !(await isAncestor(git, landing.root, landing.onto, landing.sha))) {
    return { kind: 'refused', reason: `${landing.sha} does not build on ${landing.onto}` };
  }
  await takeObjects(git, landing, landing.source);
  if (!(await isReviewed(git, landing, landing.source))) return { kind: 'changed' };
  const pushed = await git.run(pushCall(landing));
  if (pushed.status === 0) return { kind: 'landed', how: 'push', where: landing.source };
  return { kind: 'refused', reason: `${landing.source} refused the push: ${refusal(pushed)}` };
}

/** The reason of a refused push: git's verdict on the ref, then what a hook printed. */
export function refusal({ stdout, stderr }: GitAnswer): string {
  const verdict = /^!\t[^\t]*\t(.+)$/m.exec(stdout)?.[1];
  const remote = stderr
    .split('\n')
    .filter((line) => line.startsWith('remote: '))
    .map((line) => line.slice('remote: '.length).trim())
    .filter((line) => line !== '');
  return [verdict ?? complaint(stderr), ...remote].join('; ');
}
