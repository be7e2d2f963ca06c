import { join } from 'node:path';
import type { Command } from '../../base/command.ts';
import { LlmcError } from '../../base/error.ts';
import { type Git, type GitCall, read, toAnswer } from '../run.ts';
import type { BranchLanding } from './landed.ts';

/**
 * A fixed script that takes its values as arguments. It pipes the diff from git to git as bytes,
 * because a JavaScript string would change text in other encodings.
 * It drops blob names and line numbers, which a rebase changes.
 */
const SCRIPT = `{ git -C "$1" diff-tree -r -p --binary --full-index --no-renames --no-ext-diff --no-textconv --no-color -U3 \
--inter-hunk-context=0 --diff-algorithm=myers --indent-heuristic --src-prefix=a/ --dst-prefix=b/ --end-of-options "$2" "$3" -- || echo "diff failed" >&2; } \
| sed -e '/^index /d' -e 's/^@@ .*$/@@/' | git hash-object --stdin`;

const patchIdCommand = async (git: Git, at: string, base: string, tip: string, env: GitCall['env']): Promise<Command> => ({
  ...(await git.command({ ...read(at), outside: true, ...(env && { env }) })),
  file: 'sh',
  args: ['-c', SCRIPT, 'llmc-patch-id', at, base, tip],
});

/**
 * Hashes what `tip` changes against `base`. In the root, no attributes of a worktree apply. The hash is the same before and after a clean rebase.
 * `git patch-id` would ignore white space (its `--verbatim` needs git 2.39), but a changed
 * indentation is a change in Python or YAML.
 */
export async function hashPatch(git: Git, at: string, base: string, tip = 'HEAD', env?: GitCall['env']): Promise<string> {
  const answer = toAnswer(await git.processes.run(await patchIdCommand(git, at, base, tip, env)), read(at, 'diff-tree'));
  if (answer.status === 0 && answer.stderr === '') return answer.stdout.trim();
  throw new LlmcError('GIT_FAILED', `cannot compare ${base} with ${tip} in ${at}`, { details: answer.stderr.trim() });
}

/**
 * The same with the objects of the source. git believes the name of an object that it reads, so a forged object in the root can show
 * another content to the reviewer. The source has only objects that it hashed itself when it received them.
 */
export async function patchIdInSource(git: Git, { root, base, onto, sha }: BranchLanding, gitDir: string): Promise<string> {
  return hashPatch(git, root, base ?? onto ?? `${sha}^`, sha, { GIT_OBJECT_DIRECTORY: join(gitDir, 'objects') });
}
