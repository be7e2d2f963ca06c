import { formatAge } from '../../base/duration.ts';
import { cutToWidth, measureWidth, padToWidth } from '../../base/text-width.ts';
import { visibleLine } from '../../base/visible-text.ts';
import type { WorkerReport } from '../../supervisor/report/status-report.ts';
import { nameInWidth, statusInWords } from '../../supervisor/report/worker-words.ts';
import { listFigures } from './usage-text.ts';

interface Column {
  readonly heading: string;
  readonly cells: readonly string[];
  readonly right?: boolean;
}

export interface Table {
  readonly heading: string;
  /** One per worker: its name, its status, and all other cells as one string. */
  readonly rows: readonly { readonly name: string; readonly status: string; readonly rest: string }[];
}

const GAP = '  ';
/** A narrower task column is not useful, so the columns after it are dropped first. */
const USEFUL_TASK = 24;
const LEAST_TASK = 4;
/** The limit without a terminal: lines may be long there, but a prompt may fill a page. */
const LONGEST_TASK = 60;

/** Workers in columns that fit the width. The task gets the space that is left; the columns after it are dropped if that is too little. */
export function statusTable(workers: readonly WorkerReport[], now: number, columns: number): Table {
  const nameRoom = Math.max(12, Math.floor(columns / 4));
  const names: Column = { heading: 'worker', cells: workers.map((worker) => nameInWidth(worker, nameRoom)) };
  const statusRoom = Math.max(LEAST_TASK, columns - widthOfColumn(names) - GAP.length);
  const statuses: Column = { heading: 'status', cells: workers.map((worker) => cutToWidth(statusInWords(worker), statusRoom)) };
  const ages: Column = { heading: 'age', cells: workers.map((worker) => formatAge(now - worker.last_activity_unix * 1_000)), right: true };
  const tasks = workers.map(({ current_prompt, landed_on }) =>
    current_prompt === null ? landedText(landed_on) : firstLine(current_prompt),
  );
  const longest = Math.min(columns === Number.POSITIVE_INFINITY ? LONGEST_TASK : columns, Math.max(4, ...tasks.map(measureWidth)));
  const before = [names, statuses, ages].reduce((sum, column) => sum + widthOfColumn(column) + GAP.length, 0);
  const behind = [{ heading: 'agent', cells: workers.map(({ agent }) => agent) }, ...listFigures(workers)];
  while (behind.length > 0 && columns - before - widthOfAll(behind) < Math.min(longest, USEFUL_TASK)) behind.pop();
  const room = Math.min(longest, columns - before - widthOfAll(behind));
  const task: Column = { heading: 'task', cells: tasks.map((text) => cutToWidth(text, room)) };
  const narrow = before - GAP.length > columns ? [] : [ages, ...behind];
  const rest = room < LEAST_TASK ? narrow : [ages, task, ...behind];
  return {
    heading: line([names, statuses, ...rest].map((column) => padded(column, column.heading))),
    rows: workers.map((_, index) => ({
      name: padded(names, names.cells[index]),
      status: padded(statuses, statuses.cells[index]),
      rest: line(rest.map((column) => padded(column, column.cells[index]))),
    })),
  };
}

function line(cells: readonly string[]): string {
  return cells.join(GAP).trimEnd();
}

function padded(column: Column, cell = ''): string {
  const width = widthOfColumn(column);
  return column.right === true ? ' '.repeat(width - measureWidth(cell)) + cell : padToWidth(cell, width);
}

function widthOfColumn({ heading, cells }: Column): number {
  return Math.max(measureWidth(heading), ...cells.map(measureWidth));
}

function widthOfAll(columns: readonly Column[]): number {
  return columns.reduce((sum, column) => sum + GAP.length + widthOfColumn(column), 0);
}

/** Where the last work of an idle worker is, if not on main. */
const landedText = (branch: string | null): string => (branch === null ? '' : `(landed on ${branch})`);

/** The first line, and the second if the first only announces it: `Fix this issue:`. */
function firstLine(prompt: string): string {
  const [first = '', second = ''] = prompt.split(/\r?\n/).filter((line) => line.trim() !== '');
  return visibleLine((first.trimEnd().endsWith(':') ? `${first.trim()} ${second.trim()}` : first).trim());
}
