import { LlmcError } from '../../base/error.ts';
import { type Git, type GitCall, read, write } from '../run.ts';

const originCall = (root: string): GitCall => read(root, 'config', '--local', '--get', 'remote.origin.url');
const setOriginCall = (root: string, source: string): GitCall =>
  write(root, 'config', '--local', '--replace-all', 'remote.origin.url', source);

/** Where the root's remote points: what agents mean by `origin`. */
export async function originOf(git: Git, root: string): Promise<string> {
  return (await git.run(originCall(root))).stdout.replace(/\n$/, '');
}

/** Asked once for each source config.toml names: a process on every fetch would be one too many. */
const pointed = new WeakMap<Git, Map<string, string>>();

/** config.toml says where the source is; the remote follows, so that an agent's own `git fetch` reads the same repository. */
export async function pointOriginAt(git: Git, root: string, source: string): Promise<void> {
  const known = pointed.get(git) ?? new Map<string, string>();
  if (known.get(root) === source) return;
  if ((await originOf(git, root)) !== source) await git.ok(setOriginCall(root, source));
  pointed.set(git, known.set(root, source));
}

export function sourceMissing(root: string, source: string, details: string): LlmcError {
  return new LlmcError('SOURCE_MISSING', `the source repository ${source} cannot be read`, {
    hint: `Put it back, or, if it moved, set source under [repo] in ${root}/config.toml`,
    details: details.trim(),
  });
}
