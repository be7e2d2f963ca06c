import type { DiffFile } from './parse/diff-file.ts';
import type { Hunk, PatchLine } from './parse/patch.ts';

/** What a person moves over: one file, note, hunk or line of the diff. */
export type Entry =
  | { readonly kind: 'file'; readonly file: DiffFile }
  | { readonly kind: 'note'; readonly file: DiffFile; readonly text: string }
  | { readonly kind: 'hunk'; readonly file: DiffFile; readonly hunk: Hunk }
  | LineEntry;

export interface LineEntry {
  readonly kind: 'line';
  readonly file: DiffFile;
  readonly hunk: Hunk;
  /** In the hunk. */
  readonly index: number;
  readonly line: PatchLine;
}

export function listDiffEntries(files: readonly DiffFile[]): readonly Entry[] {
  const entries: Entry[] = [];
  for (const file of files) {
    entries.push({ kind: 'file', file });
    for (const text of file.notes) entries.push({ kind: 'note', file, text });
    for (const hunk of file.hunks) {
      entries.push({ kind: 'hunk', file, hunk });
      for (const [index, line] of hunk.lines.entries()) entries.push({ kind: 'line', file, hunk, index, line });
    }
  }
  return entries;
}

/** One row of the screen before it is wrapped: the same entry on both sides, or an old line beside a new one. */
export interface Row {
  readonly old: number | undefined;
  readonly now: number | undefined;
}

export interface Rows {
  readonly count: number;
  readonly at: (row: number) => Row;
  readonly rowOf: (entry: number) => number;
  /** The entry that the cursor is on in this row: the new line, if there is one. */
  readonly entryOf: (row: number) => number;
}

/** The rows one below the other, or with old and new lines side by side. */
export function arrangeRows(entries: readonly Entry[], isSide: boolean): Rows {
  if (isSide) return besideEachOther(entries);
  return { count: entries.length, at: (row) => ({ old: row, now: row }), rowOf: (entry) => entry, entryOf: (row) => row };
}

const made = new WeakMap<readonly Entry[], Rows>();

function besideEachOther(entries: readonly Entry[]): Rows {
  const known = made.get(entries);
  if (known !== undefined) return known;
  const rows: Row[] = [];
  const rowOf = new Int32Array(entries.length);
  const put = (row: Row): void => {
    for (const entry of [row.old, row.now]) if (entry !== undefined) rowOf[entry] = rows.length;
    rows.push(row);
  };
  for (let at = 0; at < entries.length; ) {
    const removed = lengthOfRun(entries, at, '-');
    const added = lengthOfRun(entries, at + removed, '+');
    if (removed + added === 0) put({ old: at, now: at });
    for (let index = 0; index < Math.max(removed, added); index += 1)
      put({ old: index < removed ? at + index : undefined, now: index < added ? at + removed + index : undefined });
    at += Math.max(1, removed + added);
  }
  const result: Rows = {
    count: rows.length,
    at: (row) => rows[row] ?? { old: undefined, now: undefined },
    rowOf: (entry) => rowOf[entry] ?? 0,
    entryOf: (row) => rows[row]?.now ?? rows[row]?.old ?? 0,
  };
  made.set(entries, result);
  return result;
}

function lengthOfRun(entries: readonly Entry[], start: number, sign: '+' | '-'): number {
  let at = start;
  for (let entry = entries[at]; entry?.kind === 'line' && entry.line.sign === sign; entry = entries[at]) at += 1;
  return at - start;
}
