import { type ChoiceRow, listAround, matchRow } from '../../screen-rules/choice-list.ts';
import type { Choice as BaseChoice } from '../../screen-rules/dialog.ts';

export interface ClaudeChoice extends BaseChoice {
  /** Null if the row has no check box. */
  readonly checked: boolean | null;
  /** The key that picks it, in a dialog without a list. */
  readonly key?: string;
}

/** Null for a row without a number, such as `Submit`. */
type Row = ClaudeChoice & ChoiceRow;

export interface ChoiceList {
  readonly choices: readonly ClaudeChoice[];
  /** The line of the first choice; the question is above it. */
  readonly firstLine: number;
}

const NUMBERED = /^(?<indent>\s*)(?<mark>[❯↓↑]?)(?<gap>\s*)(?<number>\d{1,2})\. (?:\[(?<tick>[ ✔])\] )?\s*(?<text>.*)$/;
const ACTION = /^(?<indent>\s*)(?<mark>❯?)(?<gap>\s+)(?<text>Submit|Next|Enable selected)$/;

/** Reads a list of choices by its selected row (`❯`), because plain text can look like a list but has no such row in the same column. */
export function readChoices(lines: readonly string[]): ChoiceList | undefined {
  return readNumbered(lines) ?? readPlain(lines);
}

function readNumbered(lines: readonly string[]): ChoiceList | undefined {
  const rows = lines.flatMap((line, index) => numberedRow(line, index) ?? []);
  const actions = lines.flatMap((line, index) => actionRow(line, index) ?? []);
  const selected = [...rows, ...actions].findLast((row) => row.selected);
  // `Submit` is in another column; the rows with check boxes above it give the column of the list.
  const column = selected?.number === null ? rows.findLast((row) => row.checked !== null)?.column : selected?.column;
  const [first, ...others] = listAround(rows, selected?.line ?? -1, column);
  if (first === undefined) return undefined;
  const list = [first, ...others, ...actions.filter(({ line }) => line >= first.line)];
  return { choices: list.sort((a, b) => a.line - b.line).map(bare), firstLine: first.line };
}

/** The visible lower part of a list whose selected row has scrolled away: the rows that count up to the last one without a gap. */
export function readLowerChoices(lines: readonly string[]): ChoiceList | undefined {
  const rows = lines.flatMap((line, index) => numberedRow(line, index) ?? []);
  const last = rows.at(-1);
  const run: Row[] = [];
  for (const row of rows.filter(({ column }) => column === last?.column).reverse()) {
    const above = run[0];
    if (above !== undefined && row.number !== (above.number ?? 0) - 1) break;
    run.unshift(row);
  }
  const first = run[0];
  return first === undefined ? undefined : { choices: run.map(bare), firstLine: first.line };
}

function numberedRow(line: string, index: number): Row | undefined {
  const row = matchRow(NUMBERED, line, index);
  if (row === undefined) return undefined;
  const { tick, text } = row;
  // A second column can hold a preview or a description.
  return { ...row, label: text.split(/ {2,}/)[0]?.trim() ?? '', checked: tick === undefined ? null : tick === '✔' };
}

function actionRow(line: string, index: number): Row | undefined {
  const row = matchRow(ACTION, line, index);
  return row && { ...row, label: row.text, number: null, checked: null };
}

/** Start-up dialogs have no numbers: rows are the unbroken lines around the selected one. */
function readPlain(lines: readonly string[]): ChoiceList | undefined {
  const at = lines.findLastIndex((line) => /^\s*❯ (?!\d+\. )\S/.test(line));
  if (at === -1) return undefined;
  const column = (lines[at] ?? '').indexOf('❯') + 2;
  const isRow = (line: string | undefined) => {
    const indent = /^(\s*)\S/.exec(line ?? '')?.[1]?.length ?? -1;
    return indent >= column && indent <= column + 3;
  };
  let first = at;
  while (isRow(lines[first - 1])) first -= 1;
  let last = at;
  while (isRow(lines[last + 1])) last += 1;
  return { choices: lines.slice(first, last + 1).map((line, index) => plainChoice(line, first + index === at)), firstLine: first };
}

function plainChoice(line: string, selected: boolean): ClaudeChoice {
  const [, tick, label = ''] = /^\s*(?:❯ )?(?:\[([ ✔])\] )?(?:✔ )?(.*)$/.exec(line) ?? [];
  return { label: label.trim(), number: null, selected, checked: tick === undefined ? null : tick === '✔' };
}

function bare({ label, number, selected, checked }: Row): ClaudeChoice {
  return { label, number, selected, checked };
}
