import pc from 'picocolors';
import { pastTime } from '../../base/clock-time.ts';
import { sentence } from '../../base/sentence.ts';
import { cutToWidth, wrapWithIndent } from '../../base/text-width.ts';
import { visibleLine } from '../../base/visible-text.ts';
import type { StatusReport, WorkerReport } from '../../supervisor/report/status-report.ts';
import { attentionInRow, chooseGroup, describeWorkers, GROUPS, type Group } from '../../supervisor/report/worker-words.ts';
import { countedDrafts } from '../../workers/review/text/draft-words.ts';
import type { Display } from '../shell.ts';
import { budgetLine } from './budget-line.ts';
import { limitLine } from './limit-line.ts';
import { serviceLine } from './service-line.ts';
import { askingLines, inGroups, runHeading } from './status-runs.ts';
import { statusTable } from './status-table.ts';
import { tamperingLine } from './tampering-line.ts';

const PAINT: Readonly<Record<Group, 'green' | 'yellow' | 'red' | 'cyan' | 'gray'>> = {
  asks: 'yellow',
  'needs you': 'yellow',
  failed: 'red',
  'to review': 'green',
  working: 'cyan',
  idle: 'gray',
  offline: 'gray',
};

/** Remarks start below the status column, but at most this far to the right if names are long. */
const DEEPEST_INDENT = 10;

/** The status of every worker as a table, with the workers that need a person first. */
export function statusText(report: StatusReport, now: number, { color, columns, atRoot }: Display): string {
  const colors = pc.createColors(color);
  const paint = (group: Group, text: string) => colors[PAINT[group]](text);
  const wrapped = (text: string, indent: number, dress = (line: string) => line) =>
    wrapWithIndent(atRoot(visibleLine(text)), columns, indent).map(dress);
  const top = [
    ...wrapped(headLine(report, now), 2),
    ...report.problems.flatMap((problem) => wrapped(`! ${sentence(problem)} More: llmc doctor`, 2, colors.red)),
  ];
  if (report.tampering !== null) top.push(...wrapped(`! ${tamperingLine(report.tampering, now)}`, 2, colors.red));
  top.push(...askingLines(report).flatMap((line) => wrapped(line, 2, colors.yellow)));
  if (report.workers.length === 0) return [...top, atRoot('No workers yet: llmc add adam')].join('\n');
  const workers = inGroups(report.workers, byUrgency);
  const { heading, rows } = statusTable(workers, now, columns);
  const indent = Math.min(DEEPEST_INDENT, Math.max(...rows.map(({ name }) => name.length)) + 2);
  const lines = rows.flatMap(({ name, status, rest }, index) => {
    const worker = workers[index];
    if (worker === undefined) return [];
    const remarks = remarksOn(worker).flatMap((remark) => wrapped(`${' '.repeat(indent)}↳ ${remark}`, indent + 2));
    const ofRun =
      worker.run !== null && worker.run.id !== workers[index - 1]?.run?.id ? wrapped(runHeading(worker.run.id, report), 2, colors.dim) : [];
    return [...ofRun, `${name}  ${paint(chooseGroup(worker), status)}  ${rest}`.trimEnd(), ...remarks];
  });
  return [
    ...top,
    ...report.limits.flatMap((limit) => wrapped(limitLine(limit, now), 2)),
    ...report.services.flatMap((service) => wrapped(serviceLine(service, now), 2)),
    ...(report.budget === null ? [] : wrapped(budgetLine(report.budget), 2)),
    ...(report.queue.waiting === 0 ? [] : wrapped(queueLine(report.queue.waiting), 2)),
    describeWorkers(workers, paint),
    colors.dim(heading),
    ...lines,
  ].join('\n');
}

function headLine({ root, source, branch, supervisor }: StatusReport, now: number): string {
  const since = supervisor.since_unix === null ? '' : `, up since ${pastTime(supervisor.since_unix * 1_000, now)}`;
  const watcher = supervisor.running ? `supervisor ${supervisor.pid}${since}` : 'supervisor not running: llmc up --detach';
  const place = source === '' ? root : `${root} → ${source}${branch === '' ? '' : ` (${branch})`}`;
  return `${place}, ${watcher}`;
}

/** Sorts the longest wait for a person first; the others keep the order in which they were added. */
function byUrgency(one: WorkerReport, other: WorkerReport): number {
  const [first, second] = [GROUPS.indexOf(chooseGroup(one)), GROUPS.indexOf(chooseGroup(other))];
  if (first !== second) return first - second;
  return first < GROUPS.indexOf('working') ? one.last_activity_unix - other.last_activity_unix : 0;
}

const queueLine = (waiting: number): string =>
  `queue: ${waiting === 1 ? 'a task waits' : `${waiting} tasks wait`} for a worker (llmc queue)`;

const heldPrompts = (count: number): string => (count > 1 ? `${count} prompts are held` : 'a prompt is held');

/** What the agent said matters most where there is nothing else to look at. */
const SAYS: readonly WorkerReport['attention_kind'][] = ['answer', 'no_commit', 'commit_unchanged'];
const LONGEST_SAID = 160;

function remarksOn(worker: WorkerReport): readonly string[] {
  const { name, delivery, waiting, attention_kind, last_message, draft_comments: drafts } = worker;
  const words = SAYS.includes(attention_kind) ? last_message : null;
  const said = words && `it says: ${cutToWidth(visibleLine(words), LONGEST_SAID)}`;
  const held = delivery?.state === 'held' ? `${heldPrompts(delivery.pending)}: ${delivery.reason} (llmc message ${name} --list)` : waiting;
  // Without a supervisor, the first line already shows what to type.
  const unsent = drafts === 0 ? null : `${countedDrafts(drafts)} not sent (llmc reject --worker ${name} --drafts)`;
  return [said, held, attention_kind === 'not_started' ? null : attentionInRow(worker), unsent].filter((remark) => remark !== null);
}
