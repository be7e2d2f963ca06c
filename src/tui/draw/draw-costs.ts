import { padToWidth } from '../../base/text-width.ts';
import { visibleLine } from '../../base/visible-text.ts';
import type { WorkerReport } from '../../supervisor/report/status-report.ts';
import { makeRootPrefix, shownRoots, type View } from '../model/view.ts';
import { span } from '../screen/fit.ts';
import type { Line } from '../screen/line.ts';

/** The tokens, cost, processor and memory of each worker, the most expensive first. */
export function costLines(view: View): readonly Line[] {
  const roots = shownRoots(view).flatMap(({ root, report }) =>
    report === undefined ? [] : [{ place: makeRootPrefix(view, root), report }],
  );
  const workers = roots
    .flatMap(({ place, report }) => report.workers.map((worker) => ({ ...worker, name: `${visibleLine(place)}${worker.name}` })))
    .toSorted((one, other) => measureCost(other) - measureCost(one));
  const name = Math.max(8, ...workers.map((worker) => worker.name.length));
  const budgets = roots.flatMap(({ place, report: { budget } }) => (budget === null ? [] : [`${place}${budget}`]));
  const heading = row(['worker', 'agent', 'tokens', 'cost', 'cpu', 'memory'], name);
  return [
    [],
    ...budgets.flatMap((budget): readonly Line[] => [[span(visibleLine(budget), { color: 'yellow' })], []]),
    [span(heading, { dim: true })],
    ...workers.map((worker): Line => [span(row([worker.name, worker.agent, ...figures(worker)], name))]),
    [],
    [span('Tokens of the conversation without what came from the cache; prices are set in config.toml.', { dim: true })],
  ];
}

function measureCost({ usage }: WorkerReport): number {
  return usage?.cost_usd ?? (usage?.tokens == null ? 0 : (usage.tokens.input + usage.tokens.output) / 1e9);
}

function figures({ usage }: WorkerReport): readonly string[] {
  if (usage === null) return ['–', '–', '–', '–'];
  const { tokens, cost_usd: cost, cpu_percent: cpu, memory_bytes: memory } = usage;
  return [
    tokens === null ? '–' : (tokens.input + tokens.output + tokens.cache_write).toLocaleString('en'),
    cost === null ? '–' : `$${cost.toFixed(2)}`,
    cpu === null ? '–' : `${Math.round(cpu)}%`,
    memory === null ? '–' : `${Math.round(memory / 1_048_576)} MB`,
  ];
}

function row(cells: readonly string[], name: number): string {
  const [first = '', second = '', ...rest] = cells;
  return ` ${padToWidth(first, name)}  ${padToWidth(second, 8)} ${rest.map((cell) => cell.padStart(11)).join(' ')}`;
}
