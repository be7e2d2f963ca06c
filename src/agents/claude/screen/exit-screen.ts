import type { Activity } from '../../activity.ts';
import { classifyExit } from '../../classify-exit.ts';
import { hasBox, type Seen } from './seen.ts';

/** The wording is tmux's own, drawn into a pane kept by `remain-on-exit`; on a narrow pane it takes two lines. */
export function readDeadPane({ frame }: Seen): Activity | undefined {
  const last = frame.lines.filter((line) => line !== '').slice(-2);
  const at = last.findIndex((line) => line.startsWith('Pane is dead'));
  if (at === -1) return undefined;
  const match = /\((?:status (\d+)|signal (\w+))/.exec(last.slice(at).join(' '));
  const status = match?.[1] === undefined ? null : Number(match[1]);
  const signal = match?.[2] ?? null;
  return { kind: 'exited', how: classifyExit(status, signal), status, signal };
}

export function readResumeHint({ frame }: Seen): Activity | undefined {
  const words = frame.lines.filter((line) => line !== '').slice(-3);
  return words.some((line) => frame.texts.leftBehind.test(line)) ? { kind: 'exited', how: 'user', status: null, signal: null } : undefined;
}

/** A refusal to start is plain text on an otherwise empty screen, wrapped at the pane's width in the middle of words. */
export function readLaunchError(seen: Seen): Activity | undefined {
  if (hasBox(seen) || seen.frame.sheet !== undefined) return undefined;
  const words = seen.frame.lines.filter((line) => line !== '' && !line.startsWith('Pane is dead'));
  for (const [index, line] of words.entries()) {
    const next = words.slice(index, index + 3);
    const found = seen.frame.texts.launchErrors.find(({ pattern }) => pattern.test(line) || pattern.test(next.join('')));
    if (found === undefined) continue;
    return { kind: 'error', type: found.type, recoverable: found.recoverable, message: next.map((part) => part.trim()).join(' ') };
  }
  return undefined;
}
