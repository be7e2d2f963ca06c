import { type Git, type GitCall, gitFailed, read, write } from '../run.ts';
import { withIdentity } from '../source/identity.ts';

const subjectCall = (at: string): GitCall => read(at, 'log', '-1', '--format=%s');
/** Not in submodules: git would run there, with their configuration. */
const stageCall = (at: string): GitCall => write(at, '-c', 'submodule.recurse=false', 'add', '--update', '--', '.');
const commitCall = (at: string, message: string, env: Readonly<Record<string, string>>): GitCall => ({
  ...write(at, '-c', 'gc.auto=0', 'commit', '--quiet', '--no-verify', '--no-gpg-sign', '--cleanup=verbatim', '-m', message),
  env,
});

/** Commits all changes of tracked files as a fixup, whose message a squash leaves out. */
export async function commitFormatting(git: Git, worktree: string): Promise<void> {
  const subject = (await git.ok(subjectCall(worktree))).trim();
  await git.ok(stageCall(worktree));
  const message = `fixup! ${subject}`;
  const answer = await withIdentity((env) => git.run(commitCall(worktree, message, { ...toAuthor(env), ...env })));
  if (answer.status !== 0) throw gitFailed(commitCall(worktree, message, {}), answer);
}

/** git wants to know the author as well. */
function toAuthor({
  GIT_COMMITTER_NAME: name,
  GIT_COMMITTER_EMAIL: email,
}: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return name === undefined || email === undefined ? {} : { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email };
}
