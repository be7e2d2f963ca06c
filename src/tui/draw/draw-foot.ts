import { cutToWidth, measureWidth } from '../../base/text-width.ts';
import { visibleLine } from '../../base/visible-text.ts';
import { type KeyHint, keysFor } from '../model/keys.ts';
import { likeText } from '../model/task-like.ts';
import { type Mode, makeRootPrefix, type TypingPurpose, type View } from '../model/view.ts';
import { cutLine, span, widthOfLine } from '../screen/fit.ts';
import type { Line, Span } from '../screen/line.ts';
import { drawField } from '../screen/text-field.ts';
import { wrapText } from '../screen/wrap.ts';
import { runningLine } from './running-line.ts';

/** The notice, the task line, and the keys that work now. Without room, the notice takes the place of the task line. */
export function drawFoot(view: View, rows: number): readonly Line[] {
  const { columns } = view.size;
  if (view.mode.kind === 'confirm') return confirmLines(view.mode, view, rows);
  const notice = cutLine(noticeLine(view), columns);
  const typed = cutLine(typingLine(view, columns), columns);
  const keys = keysLine(view, columns);
  if (rows >= 3) return [notice, typed, keys];
  return [view.mode.kind === 'typing' || notice.length === 0 ? typed : notice, keys];
}

const TONES = { good: 'green', bad: 'red', plain: undefined } as const;

/** The last outcome; else what is under way, with its last line. */
function noticeLine(view: View): Line {
  const { notice, running } = view;
  if (notice !== undefined) {
    const color = TONES[notice.tone];
    const text = span(visibleLine(notice.text), color === undefined ? {} : { color });
    return notice.hint === undefined ? [text] : [text, span(`  → ${visibleLine(notice.hint)}`, { dim: true })];
  }
  const last = running.at(-1);
  return last === undefined ? [] : runningLine(last, running.length - 1, makeRootPrefix(view, last.effect.root));
}

/** A question without its end may ask the opposite, so one that is too long takes the line of the notice too. */
function confirmLines(mode: Extract<Mode, { kind: 'confirm' }>, view: View, rows: number): readonly Line[] {
  const { columns } = view.size;
  const keys = keysLine(view, columns);
  const choice = mode.offer === undefined ? ' [y/N] ' : ' [Y/n/q] ';
  const question = visibleLine(mode.question);
  const bold = (text: string): Line => [span(text, { bold: true, color: 'yellow' })];
  const withChoice = (text: string): Line => bold(`${cutToWidth(text, columns - choice.length)}${choice}`);
  if (rows < 3) return [withChoice(question), keys];
  if (measureWidth(question) + choice.length <= columns) return [cutLine(noticeLine(view), columns), withChoice(question), keys];
  const [first = '', ...rest] = wrapText(question, columns).map((line) => line.map(({ text }) => text).join(''));
  return [bold(first), withChoice(rest.join(' ')), keys];
}

function labelFor(asked: TypingPurpose): string {
  switch (asked.kind) {
    case 'task':
      return 'task';
    case 'filter':
      return 'filter';
    case 'command':
      return ': llmc';
    case 'find':
      return 'search here';
    case 'search':
      return 'search all tasks, answers and logs';
    case 'message':
      return `message to ${asked.worker}`;
    case 'answer':
      return `answer to ${asked.worker}`;
    case 'reject':
      if (asked.comments === 0) return `what should ${asked.worker} change`;
      return `words beside ${asked.comments} ${asked.comments === 1 ? 'comment' : 'comments'} to ${asked.worker}, or none`;
    case 'comment':
      return `comment on ${asked.at}`;
    case 'decide':
      return `${asked.run}#${asked.number} ${asked.option}`;
    case 'queued':
      return `task ${asked.number}`;
    case 'held':
      return `message ${asked.id} to ${asked.worker}`;
  }
}

function typingLine(view: View, columns: number): Line {
  const { mode, task, like } = view;
  const place = visibleLine(makeRootPrefix(view, view.root, ''));
  if (mode.kind === 'typing') {
    const asks = mode.asked.kind === 'task' ? visibleLine(likeText(like)) : '';
    const label = `${visibleLine(`${mode.asked.kind === 'filter' ? '' : makeRootPrefix(view, view.root)}${labelFor(mode.asked)}`)}${asks === '' ? '' : ' '}`;
    // Half of the line is for the text.
    const head = [
      span(label, { bold: true }),
      span(cutToWidth(asks, Math.max(0, Math.floor(columns / 2) - label.length))),
      span('› ', { bold: true }),
    ];
    return [...head, ...drawField(mode.field, columns - widthOfLine(head))];
  }
  if (task.text !== '') return [span(`${place}› `), span(visibleLine(task.text), { dim: true })];
  return [span(`${place}› `, { dim: true }), span('n: a task for the next idle worker', { dim: true })];
}

/** As many keys as fit; the help is always among them. */
function keysLine(view: View, columns: number): Line {
  const hints = keysFor(view);
  const help = hints.find(({ key }) => key === '?');
  const spans: Span[] = [];
  let isHelpShown = help === undefined;
  for (const hint of hints) {
    isHelpShown ||= hint === help;
    const next = [...spans, ...keySpans(hint, spans.length === 0)];
    const reserved = help === undefined || isHelpShown ? [] : keySpans(help, false);
    if (widthOfLine([...next, ...reserved]) > columns)
      return help === undefined || (isHelpShown && hint !== help) ? spans : [...spans, ...keySpans(help, spans.length === 0)];
    spans.push(...next.slice(spans.length));
  }
  return spans;
}

function keySpans({ key, does }: KeyHint, isFirst: boolean): readonly Span[] {
  return [...(isFirst ? [] : [span('  ')]), span(key, { bold: true }), span(` ${does}`, { dim: true })];
}
