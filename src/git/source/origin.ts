import { LlmcError } from '../../base/error.ts';
import { type Git, type GitCall, read, write } from '../run.ts';

const originCall = (root: string): GitCall => read(root, 'config', '--local', '--get', 'remote.origin.url');
const setOriginCall = (root: string, source: string): GitCall =>
  write(root, 'config', '--local', '--replace-all', 'remote.origin.url', source);

/** Returns the address of the root's remote `origin`, which agents use. */
export async function originOf(git: Git, root: string): Promise<string> {
  return (await git.run(originCall(root))).stdout.replace(/\n$/, '');
}

/** Caches the address: a check on every fetch would cost a process. */
const pointed = new WeakMap<Git, Map<string, string>>();

/** Sets the remote `origin` to the source in config.toml, so that an agent's `git fetch` reads the same repository. */
export async function pointOriginAt(git: Git, root: string, source: string): Promise<void> {
  const known = pointed.get(git) ?? new Map<string, string>();
  if (known.get(root) === source) return;
  if ((await originOf(git, root)) !== source) await git.ok(setOriginCall(root, source));
  pointed.set(git, known.set(root, source));
}

export function sourceMissing(root: string, source: string, details: string): LlmcError {
  return new LlmcError('SOURCE_MISSING', `the source repository ${source} cannot be read`, {
    hint: `Restore it, or, if it moved, set source under [repo] in ${root}/config.toml`,
    details: details.trim(),
  });
}
