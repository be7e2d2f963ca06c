import { join } from 'node:path';
import { isAncestor } from '../inspect.ts';
import { localRef } from '../refs.ts';
import { type Answer, complaint, type Git, type GitCall, write } from '../run.ts';
import { shareLfsObjects } from '../source/lfs.ts';
import { commonDirCall } from './land-merge.ts';
import type { Landed, Landing } from './landed.ts';

/** The lease makes it a compare-and-swap; that it is a fast-forward is checked before. */
export const pushCall = ({ source, root, branch, sha, onto }: Landing): GitCall =>
  write(
    root,
    'push',
    '--porcelain',
    '--no-verify',
    '--no-signed',
    '--no-follow-tags',
    '--recurse-submodules=no',
    `--force-with-lease=${localRef(branch)}:${onto}`,
    '--',
    source,
    `${sha}:${localRef(branch)}`,
  );

/** Main is checked out nowhere: a push moves it, and the source's own hooks have their say. */
export async function landByPush(git: Git, landing: Landing): Promise<Landed> {
  // The lease alone would let a commit through that takes main back.
  if (!(await isAncestor(git, landing.root, landing.onto, landing.sha))) {
    return { kind: 'refused', reason: `${landing.sha} does not build on ${landing.onto}` };
  }
  const rootGitDir = join(landing.root, '.git');
  if (await git.files.exists(join(rootGitDir, 'lfs'))) {
    await shareLfsObjects(git, rootGitDir, (await git.ok(commonDirCall(landing.source))).trimEnd());
  }
  const pushed = await git.run(pushCall(landing));
  if (pushed.status === 0) return { kind: 'landed', how: 'push', where: landing.source };
  return { kind: 'refused', reason: `${landing.source} refused the push: ${refusal(pushed)}` };
}

/** What git says about the ref, then what a hook printed. */
export function refusal({ stdout, stderr }: Answer): string {
  const verdict = /^!\t[^\t]*\t(.+)$/m.exec(stdout)?.[1];
  const remote = stderr
    .split('\n')
    .filter((line) => line.startsWith('remote: '))
    .map((line) => line.slice('remote: '.length).trim())
    .filter((line) => line !== '');
  return [verdict ?? complaint(stderr), ...remote].join('; ');
}
