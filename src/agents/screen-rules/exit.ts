import type { Activity } from '../activity.ts';
import { classifyExit } from '../classify-exit.ts';
import type { ErrorText } from './error-text.ts';
import type { Read, ScreenView } from './rules.ts';

/** tmux draws this text itself into a pane kept by `remain-on-exit`; on a narrow pane it takes two lines. */
export const readDeadPane: Read<ScreenView> = ({ frame }) => {
  const last = lastLines(frame.lines, 2);
  const at = last.findIndex((line) => line.startsWith('Pane is dead'));
  if (at === -1) return undefined;
  const [, code, signal = null] = /\((?:status (\d+)|signal (\w+))/.exec(last.slice(at).join(' ')) ?? [];
  const status = code === undefined ? null : Number(code);
  return { kind: 'exited', how: classifyExit(status, signal), status, signal };
};

/** A CLI that exits shows how to resume the conversation, within the last `rows` lines. */
export function readResumeHint({ lines }: ScreenView['frame'], hint: RegExp, rows: number): Activity | undefined {
  return lastLines(lines, rows).some((line) => hint.test(line)) ? { kind: 'exited', how: 'user', status: null, signal: null } : undefined;
}

/**
 * A refusal to start is plain text on an otherwise empty screen. The terminal wraps it at the pane's width in the middle of
 * words, so llmc also matches up to `rows` lines joined into one. `message` joins them for people.
 */
export function readLaunchError(
  { lines }: ScreenView['frame'],
  errors: readonly ErrorText[],
  { rows, message }: { readonly rows: number; readonly message: (rows: readonly string[]) => string },
): Activity | undefined {
  const shown = lines.filter((line) => line !== '' && !line.startsWith('Pane is dead'));
  for (const [index, line] of shown.entries()) {
    const block = shown.slice(index, index + rows);
    const found = errors.find(({ pattern }) => pattern.test(line) || pattern.test(block.join('')));
    if (found !== undefined) return { kind: 'error', type: found.type, recoverable: found.recoverable, message: message(block) };
  }
  return undefined;
}

const lastLines = (lines: readonly string[], count: number): readonly string[] => lines.filter((line) => line !== '').slice(-count);
