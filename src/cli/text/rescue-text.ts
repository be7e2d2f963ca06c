import { formatAge } from '../../base/duration.ts';
import { cutToWidth, padToWidth, widthOf } from '../../base/text-width.ts';
import { visibleLine } from '../../base/visible-text.ts';
import type { Rescue } from '../../git/rescue/rescue-ref.ts';

const HEADINGS = ['rescue', 'age', 'commit', 'holds', 'task', 'why'] as const;
const LONGEST_TASK = 40;
/** A column that is cut to less than this is left out. */
const NARROWEST = 8;

/** A table of saved work: name, age, commit, content, task and reason. Lines are cut at the right edge. */
export function rescueList(rescues: readonly Rescue[], now: number, columns: number): string {
  const rows = rescues.map((rescue) => [
    rescue.name,
    formatAge(now - rescue.at),
    (rescue.parents[0] ?? rescue.sha).slice(0, 12),
    holds(rescue),
    cutToWidth(visibleLine(rescue.task ?? '–'), LONGEST_TASK),
    visibleLine(rescue.reason),
  ]);
  const widths = HEADINGS.map((heading, index) => Math.max(widthOf(heading), ...rows.map((row) => widthOf(row[index] ?? ''))));
  const shown = columnsThatFit(widths, columns);
  return [HEADINGS, ...rows]
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

function holds({ commits, files }: Rescue): string {
  const parts = [counted(commits ?? 0, 'commit'), counted(files, 'file')].filter((part) => part !== undefined);
  return parts.length === 0 ? '–' : parts.join(', ');
}

function counted(count: number, noun: string): string | undefined {
  return count === 0 ? undefined : `${count} ${noun}${count === 1 ? '' : 's'}`;
}
