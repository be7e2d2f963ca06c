import { LlmcError } from '../base/error.ts';
import { type Git, type GitCall, read } from './run.ts';

export interface GitVersion {
  readonly major: number;
  readonly minor: number;
  readonly text: string;
}

/** git 2.38 added `merge-tree --write-tree`, which predicts conflicts without changing files. */
export const MINIMUM_GIT: GitVersion = { major: 2, minor: 38, text: '2.38' };

const versionCall: GitCall = read('/', '--version');

/** Reads `git version 2.39.5`, also with a vendor's suffix such as `(Apple Git-154)` or `.windows.1`. */
export function parseVersion(text: string): GitVersion | undefined {
  const found = /^git version ((\d+)\.(\d+)[\w.-]*)/.exec(text);
  return found?.[1] === undefined ? undefined : { major: Number(found[2]), minor: Number(found[3]), text: found[1] };
}

export function isAtLeast(version: GitVersion, minimum: GitVersion): boolean {
  return version.major > minimum.major || (version.major === minimum.major && version.minor >= minimum.minor);
}

async function gitVersion(git: Git): Promise<GitVersion> {
  const text = await git.ok(versionCall);
  const version = parseVersion(text);
  if (version === undefined) throw new LlmcError('GIT_FAILED', `cannot read a version from "${text.trim()}"`);
  return version;
}

/** Throws GIT_NOT_FOUND or GIT_TOO_OLD. */
export async function requireGit(git: Git): Promise<GitVersion> {
  const version = await gitVersion(git);
  if (isAtLeast(version, MINIMUM_GIT)) return version;
  throw new LlmcError('GIT_TOO_OLD', `git ${version.text} is too old: llmc needs ${MINIMUM_GIT.text} or newer`, {
    hint: 'Update git, then: llmc doctor',
  });
}
