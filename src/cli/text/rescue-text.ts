import { formatAge } from '../../base/duration.ts';
import { cutToWidth, measureWidth, padToWidth } from '../../base/text-width.ts';
import { visibleLine } from '../../base/visible-text.ts';
import type { PruneResult, SavedWork } from '../../workers/rescue-work.ts';

const HEADINGS = ['rescue', 'age', 'commit', 'holds', 'size', 'task', 'why'] as const;
const LONGEST_TASK = 40;
/** A column that is cut to less than this is left out. */
const NARROWEST = 8;

/** A table of saved work: name, age, commit, content, task and reason. Lines are cut at the right edge. */
export function rescueList(rescues: readonly SavedWork[], now: number, columns: number): string {
  const sized = rescues.some(({ bytes }) => bytes !== null);
  const withoutSize = <Cell>(row: readonly Cell[]) => (sized ? row : row.toSpliced(HEADINGS.indexOf('size'), 1));
  const rows = rescues.map((rescue) => [
    rescue.name,
    formatAge(now - rescue.at),
    (rescue.parents[0] ?? rescue.sha).slice(0, 12),
    holds(rescue),
    rescue.bytes === null ? '–' : bytesText(rescue.bytes),
    cutToWidth(visibleLine(rescue.task ?? '–'), LONGEST_TASK),
    visibleLine(rescue.reason),
  ]);
  const table = [HEADINGS, ...rows].map((row) => withoutSize<string>(row));
  const widths = (table[0] ?? []).map((_, index) => Math.max(...table.map((row) => measureWidth(row[index] ?? ''))));
  const shown = columnsThatFit(widths, columns);
  return table
    .map((row) =>
      cutToWidth(
        row
          .slice(0, shown)
          .map((cell, index) => padToWidth(cell, widths[index] ?? 0))
          .join('  ')
          .trimEnd(),
        columns,
      ),
    )
    .join('\n');
}

function columnsThatFit(widths: readonly number[], columns: number): number {
  let start = 0;
  const tooWide = widths.findIndex((width, index) => {
    const fits = index === 0 || start + Math.min(width, NARROWEST) <= columns;
    start += width + 2;
    return !fits;
  });
  return tooWide === -1 ? widths.length : tooWide;
}

/** What a prune deleted, or would delete. */
export function pruneText({ pruned, kept }: PruneResult, dryRun: boolean, now: number, columns: number): string {
  if (pruned.length === 0) return `No rescue is that old; ${kept} kept.`;
  const total = pruned.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
  const what = counted(pruned.length, 'rescue');
  return [
    rescueList(pruned, now, columns),
    dryRun
      ? `Would delete ${what}, ${bytesText(total)}; ${kept} kept. Nothing was changed.`
      : `Deleted ${what}, ${bytesText(total)}; ${kept} kept. git frees the space when it next cleans up.`,
  ].join('\n');
}

const UNITS = ['B', 'KB', 'MB', 'GB'] as const;

/** `5.1 MB` */
export function bytesText(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1024 ** step;
  return `${step === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} ${UNITS[step]}`;
}

function holds({ commits, files, others }: SavedWork): string {
  const more = others.length === 0 ? undefined : `${others.length} more ${others.length === 1 ? 'commit' : 'commits'}`;
  const parts = [counted(commits ?? 0, 'commit'), counted(files, 'file'), more].filter((part) => part !== undefined);
  return parts.length === 0 ? '–' : parts.join(', ');
}

function counted(count: number, noun: string): string | undefined {
  return count === 0 ? undefined : `${count} ${noun}${count === 1 ? '' : 's'}`;
}
