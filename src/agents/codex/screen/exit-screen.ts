import type { Activity } from '../../activity.ts';
import { classifyExit } from '../../classify-exit.ts';
import { hasBox, type Seen } from './seen.ts';
import { LAUNCH_ERRORS, TEXTS } from './texts.ts';

/** The wording is tmux's own, drawn into a pane kept by `remain-on-exit`; on a narrow pane it takes two lines. */
export function readDeadPane({ frame }: Seen): Activity | undefined {
  const last = frame.lines.filter((line) => line !== '').slice(-2);
  const at = last.findIndex((line) => line.startsWith('Pane is dead'));
  if (at === -1) return undefined;
  const [, code, signal = null] = /\((?:status (\d+)|signal (\w+))/.exec(last.slice(at).join(' ')) ?? [];
  const status = code === undefined ? null : Number(code);
  return { kind: 'exited', how: classifyExit(status, signal), status, signal };
}

export function readResumeHint(seen: Seen): Activity | undefined {
  const words = seen.frame.lines.filter((line) => line !== '').slice(-2);
  const left = !hasBox(seen) && words.some((line) => TEXTS.leftBehind.test(line));
  return left ? { kind: 'exited', how: 'user', status: null, signal: null } : undefined;
}

/** A refusal to start is plain text on an otherwise empty screen, wrapped at the pane's width in the middle of words. */
export function readLaunchError(seen: Seen): Activity | undefined {
  if (hasBox(seen) || seen.frame.ghost || seen.dialog !== undefined) return undefined;
  const words = seen.frame.lines.filter((line) => line !== '' && !line.startsWith('Pane is dead'));
  for (const [index, line] of words.entries()) {
    const next = words.slice(index, index + 2).join('');
    const found = LAUNCH_ERRORS.find(({ pattern }) => pattern.test(line) || pattern.test(next));
    if (found !== undefined) return { kind: 'error', type: found.type, recoverable: found.recoverable, message: next };
  }
  return undefined;
}
