import { join } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import type { RunOptions } from '../../base/ports.ts';
import { localRef } from '../refs.ts';
import { type Git, type GitCall, gitFailed, read, write } from '../run.ts';
import type { Source } from './source.ts';

const lfsAttributesCall = (repository: string, ref: string): GitCall =>
  read(
    repository,
    'grep',
    '--quiet',
    '--extended-regexp',
    '-e',
    '^[^#]*[[:space:]]filter=lfs([[:space:]]|$)',
    ref,
    '--',
    ':(top,glob)**/.gitattributes',
  );
/** Into the configuration of the store. Those of the workers take it over from there. */
const lfsInstallCall = (root: string): GitCall => ({ ...write('/', 'lfs', 'install', '--local'), env: { GIT_DIR: join(root, '.git') } });

export async function usesLfs(git: Git, repository: string, ref: string): Promise<boolean> {
  const call = lfsAttributesCall(repository, ref);
  const answer = await git.run(call);
  if (answer.status > 1) throw gitFailed(call, answer);
  return answer.status === 0;
}

/** Sets up the filters of the root and copies every object of the source, so that a new worktree needs no server. */
export async function setUpLfs(git: Git, source: Source, root: string, options?: RunOptions): Promise<void> {
  if (!(await usesLfs(git, source.path, localRef(source.branch)))) return;
  const call = lfsInstallCall(root);
  const installed = await git.run(call, options);
  if (installed.status !== 0) {
    if (!/is not a git command/.test(installed.stderr)) throw gitFailed(call, installed);
    throw new LlmcError('GIT_NOT_FOUND', 'this repository keeps files in git-lfs, which is not installed', {
      hint: 'Install git-lfs (Debian: apt install git-lfs, macOS: brew install git-lfs) and run the command again.',
    });
  }
  await shareLfsObjects(git, source.gitDir, join(root, '.git'));
}

/**
 * Copies missing objects. git-lfs names content by its hash, so this only adds files, and none whose content has another hash.
 * Landing needs it too: a pointer without its object breaks the user's checkout.
 */
export function shareLfsObjects(git: Git, fromGitDir: string, toGitDir: string): Promise<number> {
  return git.files.copyHashed(join(fromGitDir, 'lfs', 'objects'), join(toGitDir, 'lfs', 'objects'));
}
