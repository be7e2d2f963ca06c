import { pastTime } from '../../base/clock-time.ts';
import { visibleLine } from '../../base/visible-text.ts';
import type { HistoryEntry } from '../../store/tables/history.ts';
import { span } from '../screen/fit.ts';
import type { Line, Size } from '../screen/line.ts';
import { wrapText } from '../screen/wrap.ts';

/** What happened, the newest at the end. */
export function drawLog(entries: readonly HistoryEntry[], { columns }: Size, now: number): readonly Line[] {
  if (entries.length === 0) return [[span('Nothing has happened yet.', { dim: true })]];
  return entries.flatMap(({ at, kind, summary }) => {
    const time = `${pastTime(at, now)} `;
    const [first = [], ...others] = wrapText(`${kind}: ${visibleLine(summary)}`, Math.max(1, columns - time.length));
    return [[span(time, { dim: true }), ...first], ...others.map((line): Line => [span(' '.repeat(time.length)), ...line])];
  });
}
