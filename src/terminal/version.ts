import { LlmcError } from '../base/error.ts';
import type { Processes } from '../base/ports.ts';
import { findRefusal } from '../base/refusal.ts';
import { refusalHint, refusalText } from '../base/refusal-text.ts';
import { tmuxVersion as versionCommand } from './tmux-commands.ts';

export interface TmuxVersion {
  readonly major: number;
  readonly minor: number;
  readonly text: string;
}

/** tmux has exact targets (`=name:`), `-e` and the pane formats that llmc reads since 3.2. */
export const MINIMUM_TMUX: TmuxVersion = { major: 3, minor: 2, text: '3.2' };

/** Reads `tmux 3.3a`, `tmux 3.2-rc2`, `tmux next-3.4`; a build of the development branch, `tmux master`, is newer than any release. */
export function parseTmuxVersion(text: string): TmuxVersion | undefined {
  const name = /^tmux (\S+)/.exec(text)?.[1];
  if (name === undefined) return undefined;
  if (name === 'master') return { major: Number.POSITIVE_INFINITY, minor: 0, text: name };
  const found = /^(?:next-)?(\d+)\.(\d+)(?:[a-z]|-rc\d*)?$/.exec(name);
  return found === null ? undefined : { major: Number(found[1]), minor: Number(found[2]), text: name };
}

export function tmuxSuffices(version: TmuxVersion): boolean {
  return version.major > MINIMUM_TMUX.major || (version.major === MINIMUM_TMUX.major && version.minor >= MINIMUM_TMUX.minor);
}

/**
 * Before 3.7, the server crashes, with every agent, if a session or buffer changes while a control client connects or
 * disconnects (tmux/tmux#4980 and #5004; 3.3a crashed within a few dozen tries on a busy machine).
 */
export function supportsControlClients(version: TmuxVersion | undefined): boolean {
  return version !== undefined && (version.major > 3 || (version.major === 3 && version.minor >= 7));
}

/** Throws TMUX_NOT_FOUND or TMUX_TOO_OLD. Accepts a version without an order, such as `openbsd-7.5`, and returns undefined. */
export async function requireTmux(processes: Processes): Promise<TmuxVersion | undefined> {
  const { outcome, stdout } = await processes.run(versionCommand(), { timeoutMs: 5_000 });
  if (outcome.kind === 'not-started' && outcome.missing) {
    throw new LlmcError('TMUX_NOT_FOUND', 'tmux is not installed', {
      hint: `Install tmux ${MINIMUM_TMUX.text} or newer, then: llmc doctor`,
    });
  }
  if (outcome.kind !== 'exited' || outcome.status !== 0) {
    const cause = outcome.kind === 'not-started' ? outcome.cause : undefined;
    const refusal = findRefusal(cause);
    const why = refusal === undefined ? '' : `: ${refusalText(refusal)}`;
    throw new LlmcError('TMUX_SESSION_FAILED', `tmux does not say its version${why}`, { hint: refusal && refusalHint(refusal), cause });
  }
  const version = parseTmuxVersion(stdout);
  if (version === undefined || tmuxSuffices(version)) return version;
  throw new LlmcError('TMUX_TOO_OLD', `tmux ${version.text} is too old: llmc needs ${MINIMUM_TMUX.text} or newer`, {
    hint: 'Update tmux, then: llmc doctor',
  });
}
