import type { Dialog } from '../dialog.ts';
import type { Row, Size } from './frame.ts';
import { displayable, wrapHard, wrapWords } from './wrap.ts';

const HINTS = {
  trust: 'Enter to confirm · Esc to cancel',
  permission: 'Enter to choose · Esc to cancel',
  question: 'Enter to select · ↑/↓ to navigate · Esc to cancel',
  writing: 'Enter to select · ↑/↓ to navigate · or type an answer · Esc to cancel',
};

/** Draws a dialog instead of the input box. The choices are always visible; the detail is cut first. */
export function dialogRows(dialog: Dialog, size: Size): Row[] {
  const width = Math.max(10, size.width - 2);
  const question = wrapWords(displayable(dialog.question), width - 1).slice(0, 4);
  const choices = dialog.choices.flatMap((label, index) => choiceRows(dialog, label, index, width));
  const fixed = 1 + 1 + 1 + question.length + choices.length + 2;
  const room = Math.max(0, Math.min(12, size.height - fixed - 3));
  const detail = dialog.detail === '' ? [] : wrapHard(displayable(dialog.detail), width - 2);
  const shown = detail.length > room ? [...detail.slice(0, Math.max(0, room - 1)), '…'] : detail;
  const body = [
    ` ${dialog.title}`,
    ...(shown.length > 0 ? ['', ...shown.map((line) => `   ${line}`)] : []),
    '',
    ...question.map((line) => ` ${line}`),
    ...choices,
    '',
    ` ${HINTS[dialog.freeText ? 'writing' : dialog.kind]}`,
  ];
  return [{ text: '─'.repeat(size.width), style: 'dim' }, ...body.map((text) => ({ text }))];
}

function choiceRows(dialog: Dialog, label: string, index: number, width: number): string[] {
  const writes = dialog.freeText && index === dialog.choices.length - 1;
  const text = writes && dialog.typed !== '' ? dialog.typed.replaceAll('\n', ' ') : label;
  const mark = index === dialog.selected ? ' ❯ ' : '   ';
  const number = dialog.kind === 'trust' ? '' : `${index + 1}. `;
  return wrapWords(displayable(text), width - 7)
    .slice(0, 5)
    .map((line, row) => `${row === 0 ? mark + number : '      '}${line}`);
}
