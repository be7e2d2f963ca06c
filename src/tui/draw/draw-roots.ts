import { cutToWidth, measureWidth, padToWidth } from '../../base/text-width.ts';
import { visibleLine } from '../../base/visible-text.ts';
import type { RootInView } from '../model/item.ts';
import { listedRoots, waitingIn } from '../model/roots.ts';
import type { View } from '../model/view.ts';
import { apart, dress, span } from '../screen/fit.ts';
import type { Line, Size, Span } from '../screen/line.ts';

const MOST_NAME = 30;

/** Each root with what waits in it, and before them all together. */
export function rootLines({ roots }: View, marked: string | undefined, { columns, rows: height }: Size) {
  const { rows, at } = listedRoots(roots, marked);
  const width = Math.min(MOST_NAME, Math.max(12, ...roots.map(({ name }) => measureWidth(visibleLine(name)))));
  const lines = rows.flatMap((root, index): readonly Line[] => {
    const name = padToWidth(cutToWidth(root === undefined ? 'all together' : visibleLine(root.name), width), width);
    const waits = root === undefined ? roots.reduce((sum, each) => sum + waitingIn(each), 0) : waitingIn(root);
    const left = [
      span(`${index === at ? '▌' : ' '}${name}  `, { bold: true }),
      span(padToWidth(waitingText(waits), 12), { color: 'yellow' }),
    ];
    const first = apart([...left, ...(root === undefined ? [] : drawState(root))], [span('')], columns);
    const second: Line = [span(root === undefined ? '' : cutToWidth(`   ${placeText(root)}`, columns), { dim: true })];
    return [index === at ? dress(first, { inverse: true }) : first, second];
  });
  const title = roots.length === 1 ? '1 repository' : `${roots.length} repositories`;
  const more: readonly Line[] = [[], [span(' Another one: type llmc in it.', { dim: true })]];
  return { title, lines: [...lines, ...more], top: Math.max(0, at * 2 - Math.floor(height / 2)) };
}

function waitingText(count: number): string {
  return count === 0 ? '' : `${count} ${count === 1 ? 'needs' : 'need'} you`;
}

function drawState({ report, lost }: RootInView): readonly Span[] {
  if (report === undefined)
    return [span(lost === undefined ? 'reading …' : visibleLine(lost), lost === undefined ? { dim: true } : { color: 'red' })];
  const { length } = report.workers;
  const workers = `, ${length} ${length === 1 ? 'worker' : 'workers'}`;
  if (lost !== undefined && report.supervisor.running) return [span(visibleLine(lost), { color: 'red' })];
  return report.supervisor.running
    ? [span(`up${workers}`)]
    : [span('down', { color: 'yellow' }), span(`${workers}  s starts its supervisor`)];
}

const placeText = ({ root, report }: RootInView): string =>
  visibleLine(report === undefined || report.source === '' ? root : `${root} → ${report.source}`);
