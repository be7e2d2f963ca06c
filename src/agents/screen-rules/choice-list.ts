/** One numbered line of a list of choices. */
export interface ChoiceRow {
  readonly line: number;
  /** The column where the number begins. */
  readonly column: number;
  readonly number: number | null;
  readonly selected: boolean;
}

export interface MatchedRow extends ChoiceRow {
  readonly number: number;
  /** The match of the pattern's group `tick`; undefined for a row that cannot be ticked. */
  readonly tick: string | undefined;
  readonly text: string;
}

/** Reads a line by a pattern with the groups `indent`, `mark`, `gap`, `number`, `text` and perhaps `tick`. */
export function matchRow(pattern: RegExp, line: string, index: number): MatchedRow | undefined {
  const groups = pattern.exec(line)?.groups;
  if (groups === undefined) return undefined;
  const { indent = '', mark = '', gap = '', number = '', tick, text = '' } = groups;
  return {
    line: index,
    column: indent.length + mark.length + gap.length,
    number: Number(number),
    // Arrows in the same place show that a long list scrolls.
    selected: /[❯›>]/.test(mark),
    tick,
    text,
  };
}

/** The list around a selected row: the rows at `column`, from the last row numbered 1 at or above it. */
export function listAround<Row extends ChoiceRow>(rows: readonly Row[], selectedLine: number, column: number | undefined): readonly Row[] {
  const own = rows.filter((row) => row.column === column);
  const first = own.findLastIndex(({ number, line }) => number === 1 && line <= selectedLine);
  return first === -1 ? [] : own.slice(first);
}
