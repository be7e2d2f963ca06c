import { listAround, type MatchedRow, matchRow } from '../../screen-rules/choice-list.ts';
import type { Choice } from '../../screen-rules/dialog.ts';

export interface ChoiceList {
  readonly choices: readonly Choice[];
  /** The line of the first choice; the heading is above it. */
  readonly firstLine: number;
  /** The line after the last one. */
  readonly endLine: number;
}

/** `>` marks the selected row only in the login dialog. */
const ROW = /^(?<indent> *)(?<mark>[›>]?)(?<gap> *)(?<number>\d)\. (?<text>.*)$/;
/** The text after a label: a description in a column of its own, the key that picks the row. */
const DESCRIPTION = / {2,}.*$/;
/** At 80 columns a label wraps here at the earliest. */
const FULL_LINE = 50;
const SHORTCUT = / \((?:[a-z]|esc)\)$/;

/** The lowest list with a selected row: a reply, or the command in a dialog, can resemble a list too, but is above it. */
export function readChoices(lines: readonly string[]): ChoiceList | undefined {
  const rows = lines.flatMap((line, index) => matchRow(ROW, line, index) ?? []);
  const selected = rows.findLast((row) => row.selected);
  if (selected === undefined) return undefined;
  const list = listAround(rows, selected.line, selected.column).filter(({ number }, index) => number === index + 1);
  const labels = list.map((row) => readLabel(row, lines));
  const choices = list.map(({ number, selected }, index) => ({ number, selected, label: labels[index]?.text ?? '' }));
  if (choices.filter((choice) => choice.selected).length !== 1) return undefined;
  return { choices, firstLine: list[0]?.line ?? 0, endLine: labels.at(-1)?.end ?? lines.length };
}

/** A label is three columns right of its number. A label that fills its line continues below itself; text further right is its description. */
function readLabel({ line, column, text }: MatchedRow, lines: readonly string[]): { text: string; end: number } {
  const parts = [text.replace(DESCRIPTION, '')];
  let end = line + 1;
  for (; /^ {4,}\S/.test(lines[end] ?? '') && !ROW.test(lines[end] ?? ''); end += 1) {
    const more = lines[end] ?? '';
    if (more.search(/\S/) === column + 3 && text.length >= FULL_LINE) parts.push(more.trim().replace(DESCRIPTION, ''));
  }
  return { text: parts.join(' ').replace(SHORTCUT, ''), end };
}
