import { formatAge } from '../../base/duration.ts';
import { visibleLine } from '../../base/visible-text.ts';
import type { StatusReport } from '../../supervisor/report/status-report.ts';
import { chooseGroup, countText, GROUPS } from '../../supervisor/report/worker-words.ts';
import type { RootInView } from '../model/item.ts';
import { shownRoots, type View } from '../model/view.ts';
import { apart, cutLine, span } from '../screen/fit.ts';
import type { Line, Span } from '../screen/line.ts';
import { GROUP_COLORS } from './group-colors.ts';

/** Where the root is and how it stands: one row if there is little room, else two. */
export function drawHead(view: View, rows: number): readonly Line[] {
  const { columns } = view.size;
  const roots = shownRoots(view);
  const [only, ...others] = roots;
  const summary = cutLine(summaryLine(roots, view.filter), columns);
  if (rows === 1) return [summary];
  const isOne = only !== undefined && others.length === 0;
  const [place, supervisor] = isOne ? [placeLine(only), supervisorLine(only, view.now)] : [placesLine(roots), supervisorsLine(roots)];
  return [apart(place, supervisor, columns), summary];
}

function placeLine({ report }: RootInView): Line {
  if (report === undefined) return [span('llmc', { bold: true })];
  const { root, source, branch } = report;
  const place = source === '' ? root : `${root} → ${source}${branch === '' ? '' : ` (${branch})`}`;
  return [span('llmc ', { bold: true }), span(visibleLine(place), { dim: true })];
}

function supervisorLine({ report, lost }: RootInView, now: number): Line {
  if (lost !== undefined) return [span(`  ${visibleLine(lost)}`, { color: 'red', bold: true })];
  if (report === undefined) return [];
  const { running, since_unix } = report.supervisor;
  if (!running) return [span('  supervisor not running  :up --detach', { color: 'yellow' })];
  return [span(`  up ${since_unix === null ? '' : formatAge(now - since_unix * 1_000)}`, { dim: true })];
}

function placesLine(roots: readonly RootInView[]): Line {
  const names = roots.map(({ name }) => visibleLine(name)).join(', ');
  return [span('llmc ', { bold: true }), span(`${roots.length} repositories`), span(`: ${names}`, { dim: true })];
}

/** The supervisors that do not answer; the others go on. */
function supervisorsLine(roots: readonly RootInView[]): Line {
  const away = roots.filter((root) => root.lost !== undefined || root.report?.supervisor.running === false);
  if (away.length === 0) return roots.every(({ report }) => report?.problems.length === 0) ? [span('  all up', { dim: true })] : [];
  const names = away.map(({ name }) => visibleLine(name)).join(', ');
  const color = away.some(({ lost }) => lost !== undefined) ? 'red' : 'yellow';
  return [span(`  no supervisor: ${names}`, { color, bold: color === 'red' }), span('  R starts it', { dim: true })];
}

/** `2 ask · 3 to review · 5 working`, and what holds up a whole root. */
function summaryLine(roots: readonly RootInView[], filter: string): Line {
  if (roots.every(({ report }) => report === undefined)) return [span('reading …', { dim: true })];
  const groups = roots.flatMap(({ report }) => report?.workers.map(chooseGroup) ?? []);
  const asking = roots.flatMap(({ runs }) => runs).reduce((sum, { questions }) => sum + questions.length, 0);
  const counts = GROUPS.flatMap((group): readonly Span[] => {
    const count = groups.filter((each) => each === group).length + (group === 'asks' ? asking : 0);
    return count === 0 ? [] : [span(countText(group, count), { color: GROUP_COLORS[group], bold: true })];
  });
  const sum = (of: (report: StatusReport) => number) => roots.reduce((all, { report }) => all + (report === undefined ? 0 : of(report)), 0);
  const [cost, queued] = [sum(({ today }) => today.cost_usd), sum(({ queue }) => queue.waiting)];
  const others = [
    ...(cost === 0 ? [] : [span(`${cost.toFixed(2)} $ today`)]),
    ...(queued === 0 ? [] : [span(`${queued} queued`)]),
    ...roots.flatMap((root) => listTroubles(root, roots.length > 1 ? `${visibleLine(root.name)}: ` : '')),
    ...(filter === '' ? [] : [span(`/${visibleLine(filter)}`, { inverse: true })]),
  ];
  const spans = [...counts, ...others];
  if (spans.length === 0) return [span('no workers yet  n gives a task', { dim: true })];
  return spans.flatMap((each, index) => (index === 0 ? [each] : [span(' · ', { dim: true }), each]));
}

function listTroubles({ report }: RootInView, place: string): readonly Span[] {
  if (report === undefined) return [];
  const { limits, budget, tampering, problems } = report;
  return [
    ...limits.map(({ account }) => span(`${place}${visibleLine(account)} at its limit`, { color: 'yellow' })),
    ...(budget === null ? [] : [span(`${place}budget spent`, { color: 'yellow' })]),
    ...(tampering === null ? [] : [span(`${place}.git was changed by an agent`, { color: 'red', bold: true })]),
    ...problems.map((problem) => span(`! ${place}${visibleLine(problem)}`, { color: 'red' })),
  ];
}
