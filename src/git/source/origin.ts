import { join } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { type Git, type GitCall, read } from '../run.ts';

const originCall = (root: string): GitCall =>
  read('/', 'config', '--file', join(root, '.git', 'config'), '--no-includes', '--get', 'remote.origin.url');
/** Returns the address of the root's remote `origin`, which agents use. */
export async function readOrigin(git: Git, root: string): Promise<string> {
  return (await git.run(originCall(root))).stdout.replace(/\n$/, '');
}

/** The source that each git has followed: a check on every fetch would cost a process. */
const followed = new WeakMap<Git, string>();

/** Sets the remote `origin` to the source in config.toml, so that an agent's `git fetch` reads the same repository. */
export async function pointOriginAt(git: Git, source: string): Promise<void> {
  if (followed.get(git) === source) return;
  await git.guard?.follow(source);
  followed.set(git, source);
}

export function sourceMissing(root: string, source: string, details: string): LlmcError {
  return new LlmcError('SOURCE_MISSING', `the source repository ${source} cannot be read`, {
    hint: `Restore it, or, if it moved, set source under [repo] in ${root}/config.toml`,
    details: details.trim(),
  });
}
