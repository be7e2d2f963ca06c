export interface Choice {
  readonly label: string;
  /** null for rows without a number, such as `Submit`. */
  readonly number: number | null;
  readonly selected: boolean;
  /** null where nothing can be ticked. */
  readonly checked: boolean | null;
}

interface Row extends Choice {
  readonly line: number;
  /** Column where the number, or the label of a list without numbers, begins. */
  readonly column: number;
}

export interface ChoiceList {
  readonly choices: readonly Choice[];
  /** The line of the first choice, for what stands above it. */
  readonly firstLine: number;
}

const NUMBERED = /^(\s*)([❯↓↑]?)(\s*)(\d{1,2})\. (?:\[([ ✔])\] )?\s*(.*)$/;
const ACTION = /^(\s*)(❯?)(\s+)(Submit|Next|Enable selected)$/;

/** Reads a list of choices by its selected row (`❯`): plain text can look like a list, but has no such row at the same column. */
export function readChoices(lines: readonly string[]): ChoiceList | undefined {
  return readNumbered(lines) ?? readPlain(lines);
}

function readNumbered(lines: readonly string[]): ChoiceList | undefined {
  const rows = lines.flatMap((line, index) => numberedRow(line, index) ?? []);
  const actions = lines.flatMap((line, index) => actionRow(line, index) ?? []);
  const selected = [...rows, ...actions].findLast((row) => row.selected);
  // `Submit` stands at a column of its own; the tickable rows above it give the list's.
  const column = selected?.number === null ? rows.findLast((row) => row.checked !== null)?.column : selected?.column;
  const first = rows.findLast((row) => row.number === 1 && row.column === column && row.line <= (selected?.line ?? -1));
  if (first === undefined) return undefined;
  const list = [...rows.filter((row) => row.column === column), ...actions].filter((row) => row.line >= first.line);
  return { choices: list.sort((a, b) => a.line - b.line).map(bare), firstLine: first.line };
}

/** The lower part of a list whose selected row is out of sight: the rows that count up to the last one without a gap. */
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
  const match = NUMBERED.exec(line);
  if (match === null) return undefined;
  const [, indent = '', mark = '', gap = '', number = '', tick, rest = ''] = match;
  return {
    // A preview or a description can stand in a second column.
    label: rest.split(/ {2,}/)[0]?.trim() ?? '',
    number: Number(number),
    selected: mark === '❯',
    checked: tick === undefined ? null : tick === '✔',
    line: index,
    column: indent.length + mark.length + gap.length,
  };
}

function actionRow(line: string, index: number): Row | undefined {
  const match = ACTION.exec(line);
  if (match === null) return undefined;
  const [, indent = '', mark = '', gap = '', label = ''] = match;
  return { label, number: null, selected: mark === '❯', checked: null, line: index, column: indent.length + mark.length + gap.length };
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

function plainChoice(line: string, selected: boolean): Choice {
  const [, tick, label = ''] = /^\s*(?:❯ )?(?:\[([ ✔])\] )?(?:✔ )?(.*)$/.exec(line) ?? [];
  return { label: label.trim(), number: null, selected, checked: tick === undefined ? null : tick === '✔' };
}

function bare({ label, number, selected, checked }: Row): Choice {
  return { label, number, selected, checked };
}
