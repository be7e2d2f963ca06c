import { formatAge } from '../../base/duration.ts';
import { visibleLine } from '../../base/visible-text.ts';
import { countText, GROUPS, groupOf } from '../../supervisor/report/worker-words.ts';
import type { View } from '../model/view.ts';
import { apart, cutLine, span } from '../screen/fit.ts';
import type { Line, Span } from '../screen/line.ts';
import { GROUP_COLORS } from './group-colors.ts';

/** Where the root is and how it stands: one row if there is little room, else two. */
export function drawHead(view: View, rows: number): readonly Line[] {
  const { columns } = view.size;
  const summary = cutLine(summaryLine(view), columns);
  return rows === 1 ? [summary] : [apart(placeLine(view), supervisorLine(view), columns), summary];
}

function placeLine({ report }: View): Line {
  if (report === undefined) return [span('llmc', { bold: true })];
  const { root, source, branch } = report;
  const place = source === '' ? root : `${root} → ${source}${branch === '' ? '' : ` (${branch})`}`;
  return [span('llmc ', { bold: true }), span(visibleLine(place), { dim: true })];
}

function supervisorLine({ report, lost, now }: View): Line {
  if (lost !== undefined) return [span(`  ${visibleLine(lost)}`, { color: 'red', bold: true })];
  if (report === undefined) return [];
  const { running, since_unix } = report.supervisor;
  if (!running) return [span('  supervisor not running  :up --detach', { color: 'yellow' })];
  return [span(`  up ${since_unix === null ? '' : formatAge(now - since_unix * 1_000)}`, { dim: true })];
}

/** `2 ask · 3 to review · 5 working`, and what holds up the whole root. */
function summaryLine({ report, runs, filter }: View): Line {
  if (report === undefined) return [span('reading …', { dim: true })];
  const groups = report.workers.map(groupOf);
  const asking = runs.reduce((sum, { questions }) => sum + questions.length, 0);
  const counts = GROUPS.flatMap((group): readonly Span[] => {
    const count = groups.filter((each) => each === group).length + (group === 'asks' ? asking : 0);
    return count === 0 ? [] : [span(countText(group, count), { color: GROUP_COLORS[group], bold: true })];
  });
  const others = [
    ...(report.today.cost_usd === 0 ? [] : [span(`${report.today.cost_usd.toFixed(2)} $ today`)]),
    ...(report.queue.waiting === 0 ? [] : [span(`${report.queue.waiting} queued`)]),
    ...report.limits.map(({ account }) => span(`${visibleLine(account)} at its limit`, { color: 'yellow' })),
    ...(report.budget === null ? [] : [span('budget spent', { color: 'yellow' })]),
    ...(report.tampering === null ? [] : [span('.git was changed by an agent', { color: 'red', bold: true })]),
    ...report.problems.map((problem) => span(`! ${visibleLine(problem)}`, { color: 'red' })),
    ...(filter === '' ? [] : [span(`/${visibleLine(filter)}`, { inverse: true })]),
  ];
  const spans = [...counts, ...others];
  if (spans.length === 0) return [span('no workers yet  n gives a task', { dim: true })];
  return spans.flatMap((each, index) => (index === 0 ? [each] : [span(' · ', { dim: true }), each]));
}
