import type { StatusReport, WorkerReport } from '../../supervisor/report/status-report.ts';
import { GROUPS, type Group, groupOf } from '../../supervisor/report/worker-words.ts';
import type { QuestionView, RunLine } from '../../workflow/view/run-view.ts';

/** A run of the root, as the list shows it. */
export interface ListedRun extends RunLine {
  readonly questions: readonly QuestionView[];
}

/** What can be selected. */
export type Item =
  | { readonly kind: 'worker'; readonly key: string; readonly worker: WorkerReport; readonly group: Group }
  | { readonly kind: 'question'; readonly key: string; readonly question: QuestionView }
  | { readonly kind: 'run'; readonly key: string; readonly run: ListedRun };

/** A row of the list: a heading, or something that can be selected. */
export type Row = { readonly kind: 'heading'; readonly text: string } | { readonly kind: 'item'; readonly item: Item };

/** The groups in which a person has to act. */
const URGENT: readonly Group[] = ['asks', 'needs you', 'failed', 'to review'];

export function needsYou(item: Item): boolean {
  return item.kind === 'question' || (item.kind === 'worker' && URGENT.includes(item.group));
}

export const workerKey = (name: string): string => `worker:${name}`;

/** The worker that an item is; undefined for a run and a question. */
export const workerOf = (key: string | undefined): string | undefined => /^worker:(.*)$/s.exec(key ?? '')?.[1];

/** What needs a person first, the longest wait on top; then the workers, and each run with its own. */
export function rowsOf(report: StatusReport, runs: readonly ListedRun[], filter: string): readonly Row[] {
  const items = report.workers.map(itemOf).filter((item) => matches(item, filter));
  const questions = runs.flatMap(({ questions: open }) => open.map(questionItem)).filter((item) => matches(item, filter));
  const urgent = [...questions, ...items.filter(needsYou)].toSorted((one, other) => rank(one) - rank(other) || since(one) - since(other));
  const calm = items.filter((item) => !needsYou(item));
  // The workers of a run that has ended stand among the others.
  const own = calm.filter(({ worker }) => !runs.some(({ id }) => id === worker.run?.id));
  const groups = (['working', 'idle', 'offline'] as const).flatMap((group) =>
    section(
      group,
      own.filter((item) => item.group === group),
    ),
  );
  return [...section('needs you', urgent), ...groups, ...runs.flatMap((run) => runRows(run, calm, filter))];
}

export function itemsOf(rows: readonly Row[]): readonly Item[] {
  return rows.flatMap((row) => (row.kind === 'item' ? [row.item] : []));
}

/** The rows of the screen that the whole list takes if each item has two. */
export function heightOf(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => sum + (row.kind === 'heading' ? 1 : 2), 0);
}

function section(heading: string, items: readonly Item[]): readonly Row[] {
  if (items.length === 0) return [];
  return [{ kind: 'heading', text: heading }, ...items.map((item): Row => ({ kind: 'item', item }))];
}

function runRows(run: ListedRun, calm: readonly (Item & { kind: 'worker' })[], filter: string): readonly Row[] {
  const workers = calm.filter(({ worker }) => worker.run?.id === run.id);
  const item: Item = { kind: 'run', key: `run:${run.id}`, run };
  if (workers.every((each) => !matches(each, filter)) && !matches(item, filter)) return [];
  return section(
    'run',
    [item, ...workers].filter((each) => each === item || matches(each, filter)),
  );
}

function itemOf(worker: WorkerReport): Item & { kind: 'worker' } {
  return { kind: 'worker', key: workerKey(worker.name), worker, group: groupOf(worker) };
}

function questionItem(question: QuestionView): Item {
  return { kind: 'question', key: `question:${question.run}#${question.number}`, question };
}

function rank(item: Item): number {
  return item.kind === 'worker' ? GROUPS.indexOf(item.group) : 0;
}

function since(item: Item): number {
  return item.kind === 'worker' ? item.worker.last_activity_unix * 1_000 : item.kind === 'question' ? item.question.asked_ms : 0;
}

function matches(item: Item, filter: string): boolean {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const text = textOf(item).toLowerCase();
  return words.every((word) => text.includes(word));
}

function textOf(item: Item): string {
  switch (item.kind) {
    case 'worker': {
      const { name, agent, model, current_prompt, attention, run } = item.worker;
      return [name, agent, model, item.group, current_prompt, attention, run?.id].join(' ');
    }
    case 'question':
      return [item.question.run, item.question.text, 'asks'].join(' ');
    case 'run':
      return [item.run.id, item.run.workflow, item.run.status, item.run.waiting_for].join(' ');
  }
}
