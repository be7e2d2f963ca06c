import { type Answer, type Git, type GitCall, read, write } from '../run.ts';

export type IdentityEnv = Readonly<Record<string, string>>;

/** Stands in only when git itself knows no one, as in a fresh container. */
export const FALLBACK_IDENTITY: IdentityEnv = { GIT_COMMITTER_NAME: 'llmc', GIT_COMMITTER_EMAIL: 'llmc@localhost' };

const committerCall = (at: string): GitCall => read(at, 'var', 'GIT_COMMITTER_IDENT');
const setNameCall = (root: string): GitCall => write(root, 'config', '--local', 'user.name', 'llmc');
const setEmailCall = (root: string): GitCall => write(root, 'config', '--local', 'user.email', 'llmc@localhost');

const UNKNOWN = /tell me who you are|empty ident name|unable to auto-detect email|no (email|name) was given/i;

/** Whether a command failed only because git has no name for the committer. */
export function lacksIdentity(answer: Answer): boolean {
  return answer.status !== 0 && UNKNOWN.test(answer.stderr);
}

/** Tries with the user's identity first: asking beforehand would cost a process on every call. */
export async function withIdentity(run: (env: IdentityEnv) => Promise<Answer>): Promise<Answer> {
  const answer = await run({});
  return lacksIdentity(answer) ? run(FALLBACK_IDENTITY) : answer;
}

/** Without any identity no agent could commit in the root's worktrees. Whoever has one keeps it. */
export async function giveIdentity(git: Git, root: string): Promise<void> {
  if (!lacksIdentity(await git.run(committerCall(root)))) return;
  await git.ok(setNameCall(root));
  await git.ok(setEmailCall(root));
}
