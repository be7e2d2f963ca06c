import { join } from 'node:path';
import { commandLine } from '../../base/shell-quote.ts';
import { type Git, type GitAnswer, type GitCall, read, write } from '../run.ts';
import type { Setting } from './local-config.ts';

export type IdentityEnv = Readonly<Record<string, string>>;

/** Used only if git has no identity, as in a new container. */
export const FALLBACK_IDENTITY: IdentityEnv = { GIT_COMMITTER_NAME: 'llmc', GIT_COMMITTER_EMAIL: 'llmc@localhost' };

/** The identity that `giveIdentity` has set in a root. */
export const OWN_IDENTITY = 'llmc <llmc@localhost>';

/** Written into the root, where they win over what llmc has set there. */
export function setIdentityCommands(root: string): string {
  const set = (key: string, value: string) => commandLine('git', '-C', root, 'config', key, value);
  return `${set('user.name', 'Your Name')} && ${set('user.email', 'you@example.com')}`;
}

const committerCall = (at: string): GitCall => read(at, 'var', 'GIT_COMMITTER_IDENT');
/** Into the configuration of the store. Those of the workers take it over from there. */
const setCall = (root: string, key: string, value: string): GitCall =>
  write('/', 'config', '--file', join(root, '.git', 'config'), key, value);

const UNKNOWN = /tell me who you are|empty ident name|unable to auto-detect email|no (email|name) was given/i;

/** Whether a command failed only because git has no name for the committer. */
export function lacksIdentity(answer: GitAnswer): boolean {
  return answer.status !== 0 && UNKNOWN.test(answer.stderr);
}

/** Tries the user's identity first: a check beforehand would cost a process on every call. */
export async function withIdentity(run: (env: IdentityEnv) => Promise<GitAnswer>): Promise<GitAnswer> {
  const answer = await run({});
  return lacksIdentity(answer) ? run(FALLBACK_IDENTITY) : answer;
}

/** The settings that name the committer of llmc, for a repository that another user commits in. */
export async function identitySettings(git: Git, root: string): Promise<readonly Setting[]> {
  const { stdout } = await git.run(committerCall(root));
  const [, name, email] = /^(.*) <(.*)> \d+ [-+]\d+\n$/.exec(stdout) ?? [];
  if (name === undefined || email === undefined) return [];
  return [
    { key: 'user.name', value: name },
    { key: 'user.email', value: email },
  ];
}

/** The variables that a call needs which must not be tried twice: none where git knows the user. */
export async function identityEnv(git: Git, at: string): Promise<IdentityEnv> {
  return lacksIdentity(await git.run(committerCall(at))) ? FALLBACK_IDENTITY : {};
}

/** Sets an identity in the root if git has none: without one, no agent can commit. Says whether it did. */
export async function giveIdentity(git: Git, root: string): Promise<boolean> {
  if (!lacksIdentity(await git.run(committerCall(root)))) return false;
  await git.ok(setCall(root, 'user.name', 'llmc'));
  await git.ok(setCall(root, 'user.email', 'llmc@localhost'));
  return true;
}
