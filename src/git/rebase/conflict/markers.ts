import { type Merged, splitLines, type VersionTexts } from './regions.ts';

export interface Markers {
  /** Every line with a marker. */
  readonly lines: readonly number[];
  /** Those that begin a region. */
  readonly opening: readonly number[];
}

/** git writes seven signs, and one more where the names differ. An attribute can ask for more. */
const MARKER = /^(?:<{7,}|>{7,}|\|{7,}|={7,})(?: .*)?$/;

/**
 * Finds the lines with a conflict marker of git in a file. As long as no one has edited the file, they are those of the merge. After
 * that, a line that a side has as text, such as the underline of a heading, counts only where the file has more of them than each side.
 */
export function markersIn(text: string, versions: VersionTexts, merged: Merged | undefined): Markers {
  const lines = splitLines(text);
  const known = merged !== undefined && isUntouched(lines, merged) ? merged.markers : undefined;
  if (known !== undefined) return { lines: known.flat(), opening: known.flatMap(([first]) => first ?? []) };
  const candidates = lines.flatMap((content, index) => (MARKER.test(content) ? [{ content, line: index + 1 }] : []));
  const allowed = candidates.length === 0 ? new Map<string, number>() : literalMarkers(versions);
  const found = candidates.filter(({ content }) => {
    const left = allowed.get(content) ?? 0;
    allowed.set(content, left - 1);
    return left <= 0;
  });
  return { lines: found.map(({ line }) => line), opening: found.flatMap(({ content, line }) => (content.startsWith('<') ? [line] : [])) };
}

/** The labels after the markers are others in the rebase. */
function isUntouched(lines: readonly string[], merged: Merged): boolean {
  const marked = new Set(merged.markers.flat());
  return (
    lines.length === merged.lines.length &&
    lines.every((line, index) => (marked.has(index + 1) ? MARKER.test(line) : line === merged.lines[index]))
  );
}

/** How often the resolved file may have each line that looks like a marker: as text of the base, and added by each side. */
function literalMarkers({ base, main, worker }: VersionTexts): Map<string, number> {
  const [before, byMain, byWorker] = [countMarkers(base), countMarkers(main), countMarkers(worker)];
  return new Map(
    [...byMain.keys(), ...byWorker.keys()].map((line) => {
      const [first, second] = [byMain.get(line) ?? 0, byWorker.get(line) ?? 0];
      return [line, Math.max(first, second, first + second - (before.get(line) ?? 0))];
    }),
  );
}

function countMarkers(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of splitLines(text)) if (MARKER.test(line)) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}
