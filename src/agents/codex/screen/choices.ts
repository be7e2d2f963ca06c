export interface Choice {
  readonly label: string;
  readonly number: number;
  readonly selected: boolean;
}

export interface ChoiceList {
  readonly choices: readonly Choice[];
  /** The line of the first choice, for what stands above it. */
  readonly firstLine: number;
  /** The line after the last one. */
  readonly endLine: number;
}

interface Row {
  readonly line: number;
  /** Where the number begins; the label stands three further. */
  readonly column: number;
  readonly number: number;
  readonly selected: boolean;
  readonly text: string;
}

/** `>` marks the selected row of the login alone. */
const ROW = /^( *)([›>]?)( *)(\d)\. (.*)$/;
/** What stands behind a label: a description in a column of its own, the key that picks the row. */
const DESCRIPTION = / {2,}.*$/;
/** At 80 columns a label wraps here at the earliest. */
const FULL_LINE = 50;
const SHORTCUT = / \((?:[a-z]|esc)\)$/;

/** The lowest list with a selected row: a reply, or the command a dialog asks about, can look like one too, but stands above it. */
export function readChoices(lines: readonly string[]): ChoiceList | undefined {
  const rows = lines.flatMap((line, index) => rowOf(line, index) ?? []);
  const selected = rows.findLast((row) => row.selected);
  if (selected === undefined) return undefined;
  const own = rows.filter(({ column }) => column === selected.column);
  const first = own.findLastIndex(({ number, line }) => number === 1 && line <= selected.line);
  if (first === -1) return undefined;
  const list = own.slice(first).filter(({ number }, index) => number === index + 1);
  const labels = list.map((row) => labelOf(row, lines));
  const choices = list.map(({ number, selected }, index) => ({ number, selected, label: labels[index]?.text ?? '' }));
  if (choices.filter((choice) => choice.selected).length !== 1) return undefined;
  return { choices, firstLine: list[0]?.line ?? 0, endLine: labels.at(-1)?.end ?? lines.length };
}

function rowOf(line: string, index: number): Row | undefined {
  const [, indent, mark = '', gap = '', number, text = ''] = ROW.exec(line) ?? [];
  if (indent === undefined) return undefined;
  return { line: index, column: indent.length + mark.length + gap.length, number: Number(number), selected: mark !== '', text };
}

/** A label that fills its line goes on below itself; what goes on further right is its description. */
function labelOf({ line, column, text }: Row, lines: readonly string[]): { text: string; end: number } {
  const parts = [text.replace(DESCRIPTION, '')];
  let end = line + 1;
  for (; /^ {4,}\S/.test(lines[end] ?? '') && rowOf(lines[end] ?? '', end) === undefined; end += 1) {
    const more = lines[end] ?? '';
    if (more.search(/\S/) === column + 3 && text.length >= FULL_LINE) parts.push(more.trim().replace(DESCRIPTION, ''));
  }
  return { text: parts.join(' ').replace(SHORTCUT, ''), end };
}
