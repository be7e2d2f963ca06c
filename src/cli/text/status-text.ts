import pc from 'picocolors';
import { formatAge } from '../../base/duration.ts';
import { sentence } from '../../base/sentence.ts';
import type { StatusReport, WorkerReport } from '../../supervisor/report/status-report.ts';
import { budgetLine } from './budget-line.ts';
import { limitLine } from './limit-line.ts';
import { figuresHeading, figuresText } from './usage-text.ts';

const PAINT: Readonly<Record<string, 'green' | 'yellow' | 'red' | 'cyan' | 'gray'>> = {
  idle: 'gray',
  working: 'cyan',
  rejected: 'cyan',
  rebasing: 'cyan',
  needs_review: 'green',
  needs_input: 'yellow',
  error: 'red',
  offline: 'gray',
};

export function statusText(report: StatusReport, now: number, color: boolean): string {
  const paint = pc.createColors(color);
  const { supervisor } = report;
  const head = supervisor.running
    ? `supervisor ${supervisor.pid}, up ${formatAge(now - (supervisor.since_unix ?? 0) * 1_000)}`
    : 'supervisor not running: llmc up --detach';
  const branch = report.branch === '' ? '' : ` (${report.branch})`;
  const place = report.source === '' ? report.root : `${report.root} → ${report.source}${branch}`;
  const top = [`${place}, ${head}`, ...report.problems.map((problem) => paint.red(`! ${sentence(problem)} More: llmc doctor`))];
  if (report.workers.length === 0) return [...top, 'No workers yet: llmc add <name>'].join('\n');
  const measured = report.workers.some(({ usage }) => usage !== null);
  const width = Math.max(measured ? 'worker'.length : 0, ...report.workers.map(({ name }) => name.length));
  const withCost = report.workers.some(({ usage }) => (usage?.cost_usd ?? null) !== null);
  const figures = figuresHeading(withCost);
  const heading = `${'worker'.padEnd(width)}  ${'status'.padEnd(14)} ${figures}doing`;
  const lines = report.workers.flatMap((worker) =>
    workerLines(worker, {
      width,
      withCost,
      blank: measured ? ' '.repeat(figures.length) : '',
      now,
      paint: (text) => paint[PAINT[worker.status] ?? 'gray'](text),
    }),
  );
  const limits = report.limits.map((limit) => limitLine(limit, now));
  const budget = report.budget === null ? [] : [budgetLine(report.budget)];
  return [...top, ...limits, ...budget, ...(measured ? [paint.dim(heading)] : []), ...lines].join('\n');
}

interface Table {
  readonly width: number;
  readonly withCost: boolean;
  /** In place of figures nobody has taken yet. */
  readonly blank: string;
  readonly now: number;
  readonly paint: (text: string) => string;
}

function workerLines(worker: WorkerReport, { width, withCost, blank, now, paint }: Table): readonly string[] {
  const age = formatAge(now - worker.last_activity_unix * 1_000);
  const gist = worker.current_prompt === null ? '' : ` ${shorten(worker.current_prompt)}`;
  const activity =
    worker.status === 'offline'
      ? `was ${worker.status_before_offline ?? 'idle'}`
      : `${worker.agent}: ${worker.activity.kind}${worker.activity.detail === null ? '' : ` (${worker.activity.detail})`}`;
  const figures = worker.usage === null ? blank : figuresText(worker.usage, withCost);
  const line = `${worker.name.padEnd(width)}  ${paint(`[${worker.status}]`.padEnd(14))} ${figures}${activity}${gist} (${age})`;
  const held = worker.delivery?.state === 'held' ? [`a prompt is held: ${worker.delivery.reason}`] : [];
  const waiting = held.length === 0 && worker.waiting !== null ? [worker.waiting] : [];
  return [
    line,
    ...[...held, ...waiting].map((words) => `${' '.repeat(width)}  ↳ ${words}`),
    ...(worker.attention === null ? [] : [`${' '.repeat(width)}  ↳ ${worker.attention}`]),
  ];
}

function shorten(prompt: string): string {
  // By characters: half an emoji is none.
  const line = [...(prompt.trim().split('\n')[0] ?? '')];
  return line.length > 60 ? `“${line.slice(0, 59).join('')}…”` : `“${line.join('')}”`;
}
