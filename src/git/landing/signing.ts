import { LlmcError } from '../../base/error.ts';
import { type Git, type GitCall, read } from '../run.ts';
import { parseSettings, type Setting } from '../source/local-config.ts';

/** What to sign with, as settings for the call that signs. */
export type Signing = readonly Setting[];

const settingsCall = (source: string): GitCall =>
  read(source, 'config', '-z', '--get-regexp', '^(commit\\.gpgsign|user\\.signingkey|gpg\\..+)$');

/**
 * Reads whether and how the user signs commits in the source. The root does not copy these settings: agents would have to
 * sign their own commits too, with a key that asks for its passphrase.
 */
export async function readSigning(git: Git, source: string): Promise<Signing | undefined> {
  const settings = parseSettings((await git.run(settingsCall(source))).stdout);
  const wanted = settings.findLast(({ key }) => key === 'commit.gpgsign')?.value ?? 'false';
  return /^(true|yes|on|[1-9]\d*)$/i.test(wanted) ? settings.filter(({ key }) => key !== 'commit.gpgsign') : undefined;
}

/** Long enough to type a passphrase into a dialog. Without a dialog, the call would wait for ever. */
export const SIGNING_TIMEOUT_MS = 120_000;

export function signingFailed(said: string, cause?: unknown): LlmcError {
  // git's last line only says that it made no commit.
  const reasons = said.split('\n').filter((line) => line !== '' && !line.startsWith('fatal: failed to write commit object'));
  return new LlmcError('SIGNING_FAILED', `the commit cannot be signed: ${reasons.join('; ').replace(/^error: /, '')}`, {
    hint: 'Unlock the key for the user llmc runs as (gpg-agent, ssh-agent), then accept again. To land without a signature, run in the source: git config commit.gpgsign false',
    details: said.trim(),
    cause,
  });
}
