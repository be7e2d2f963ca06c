import type { Screen } from '../../terminal/screen.ts';
import type { Choice, OpenDialog } from '../screen-rules/dialog.ts';

export interface DemoDialog extends OpenDialog {
  readonly kind: 'startup' | 'permission' | 'question';
  /** The last choice accepts free text. */
  readonly freeText: boolean;
}

interface Hint {
  readonly kind: DemoDialog['kind'];
  readonly freeText: boolean;
}

const HINTS: Readonly<Record<string, Hint>> = {
  ' Enter to confirm · Esc to cancel': { kind: 'startup', freeText: false },
  ' Enter to choose · Esc to cancel': { kind: 'permission', freeText: false },
  ' Enter to select · ↑/↓ to navigate · Esc to cancel': { kind: 'question', freeText: false },
  ' Enter to select · ↑/↓ to navigate · or type an answer · Esc to cancel': { kind: 'question', freeText: true },
};

const CONTINUED = /^ {6}\S/;

/** The dialog on the screen. It is always at the bottom, below the last rule, and ends with its hint. */
export function readDialog(screen: Screen): DemoDialog | undefined {
  const lines = screen.lines.map((line) => line.trimEnd());
  const end = lines.findLastIndex((line) => line !== '');
  const hint = HINTS[lines[end] ?? ''];
  const rule = lines.findLastIndex((line) => /^─{10,}$/.test(line));
  if (hint === undefined || rule === -1) return undefined;
  const body = lines.slice(rule + 1, end);
  const row = hint.kind === 'startup' ? /^ ([❯ ]) (\S.*)$/ : /^ ([❯ ]) [1-9]\. (.*)$/;
  const lastRow = body.findLastIndex((line) => line !== '');
  let firstRow = lastRow + 1;
  while (firstRow > 0 && isChoiceRow(body[firstRow - 1] ?? '', row)) firstRow -= 1;
  const choices = readChoices(body.slice(firstRow, lastRow + 1), row);
  if (!choices.some((choice) => choice.selected)) return undefined;
  const tool = /^ Permission needed: (.+)$/.exec(body[0] ?? '')?.[1] ?? '';
  const command = tool === '' ? undefined : commandIn(body.slice(1, firstRow));
  return { kind: hint.kind, tool, command, question: paragraphBefore(body, firstRow), choices, freeText: hint.freeText };
}

/** Indented further than the question below it. */
function commandIn(heading: readonly string[]): string | undefined {
  const lines = heading.flatMap((line) => (line.startsWith('   ') ? line.slice(3) : []));
  return lines.length === 0 ? undefined : lines.join('\n');
}

function isChoiceRow(line: string, row: RegExp): boolean {
  return CONTINUED.test(line) || row.test(line);
}

function readChoices(rows: readonly string[], row: RegExp): Choice[] {
  const choices: Choice[] = [];
  for (const line of rows) {
    const [, mark, label] = CONTINUED.test(line) ? [] : (row.exec(line) ?? []);
    const previous = choices.pop();
    if (label !== undefined) choices.push(...(previous ? [previous] : []), { label, number: null, selected: mark === '❯' });
    else if (previous) choices.push({ ...previous, label: `${previous.label} ${line.trim()}` });
  }
  return choices;
}

function paragraphBefore(body: readonly string[], end: number): string {
  const start = body.slice(0, end).lastIndexOf('') + 1;
  return body
    .slice(start, end)
    .map((line) => line.trim())
    .join(' ');
}
