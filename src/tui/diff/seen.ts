import type { Size } from '../screen/line.ts';
import type { DiffView } from './diff-view.ts';
import { makeFrame } from './draw/frame.ts';
import type { Entry } from './entries.ts';
import type { DiffFile } from './parse/diff-file.ts';
import { lastFrom } from './settle.ts';

/** Remembers what is on the screen now. A file counts as seen when every line of it was there. */
export function withSeen(diff: DiffView, size: Size): DiffView {
  if (diff.entries.length === 0 || diff.focus !== 'lines') return diff;
  const frame = makeFrame(diff, size);
  const first = frame.all.rowOf(diff.top);
  const { old = 0, now = 0 } = frame.all.at(lastFrom(diff, frame, first, frame.rows));
  const visible = { from: Math.min(frame.all.at(first).old ?? diff.top, diff.top), to: Math.max(old, now) };
  const seen = new Map(diff.seen);
  for (let at = visible.from; at <= visible.to; ) {
    const file = diff.entries[at]?.file;
    const range = file && collectRanges(diff.entries).get(file);
    if (file === undefined || range === undefined) break;
    const before = seen.get(file.path);
    if (before?.isWhole !== true && visible.from <= range.start + (before?.count ?? 0)) {
      const count = Math.max(before?.count ?? 0, Math.min(visible.to + 1, range.end) - range.start);
      if (count > 0) seen.set(file.path, { count, isWhole: range.start + count === range.end, blob: file.blob });
    }
    at = range.end;
  }
  return { ...diff, seen };
}

interface Range {
  readonly start: number;
  readonly end: number;
}

const known = new WeakMap<readonly Entry[], ReadonlyMap<DiffFile, Range>>();

function collectRanges(entries: readonly Entry[]): ReadonlyMap<DiffFile, Range> {
  const found = known.get(entries);
  if (found !== undefined) return found;
  const starts = entries.flatMap((entry, start) => (entry.kind === 'file' ? [{ file: entry.file, start }] : []));
  const ranges = new Map(starts.map(({ file, start }, at) => [file, { start, end: starts[at + 1]?.start ?? entries.length }]));
  known.set(entries, ranges);
  return ranges;
}
