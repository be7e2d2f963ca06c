import type { Activity } from '../../activity.ts';
import { hasBox } from '../../screen-rules/rules.ts';
import type { ClaudeView } from './view.ts';

export function readRetrying({ frame, turn }: ClaudeView): Activity | undefined {
  return working(frame.texts.retrying.test(turn.spinner ?? ''), 'retrying');
}

export function readCompacting({ frame, turn }: ClaudeView): Activity | undefined {
  return working(frame.texts.compacting.test(turn.spinner ?? ''), 'compacting');
}

/** The glyph and the verb change all the time; the shape of the line at column 0, lowest above the box, does not. */
export function readSpinner(view: ClaudeView): Activity | undefined {
  const last = view.turn.results.at(-1);
  const running = last?.by === 'note' && view.frame.texts.running.test(last.text);
  return working(hasBox(view) && (view.turn.spinner !== undefined || running));
}

/** Narrow panes and a user's status line hide this text, so it is never the only sign. */
export function readBusyHint({ frame }: ClaudeView): Activity | undefined {
  return working(frame.footer.some((line) => frame.texts.busyHint.test(line)));
}

/** The turn is over, but a background shell or task will start another turn when it ends. */
export function readBackground({ frame, turn }: ClaudeView): Activity | undefined {
  const { stillRunning, backgroundHint } = frame.texts;
  return working(stillRunning.test(turn.finished ?? '') || frame.footer.some((line) => backgroundHint.test(line)), 'background');
}

function working(yes: boolean, detail?: 'retrying' | 'background' | 'compacting'): Activity | undefined {
  if (!yes) return undefined;
  return detail === undefined ? { kind: 'processing' } : { kind: 'processing', detail };
}
