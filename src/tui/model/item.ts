import type { StatusReport, WorkerReport } from '../../supervisor/report/status-report.ts';
import { chooseGroup, GROUPS, type Group } from '../../supervisor/report/worker-words.ts';
import type { QuestionView, RunLine } from '../../workflow/view/run-view.ts';

/** A run of the root, as the list shows it. */
export interface ListedRun extends RunLine {
  readonly questions: readonly QuestionView[];
}

/** A root that the view knows. Workers of two roots can have the same name: what identifies one is its root and its name. */
export interface RootInView {
  /** Its folder. */
  readonly root: string;
  /** What people call it: the name of its repository, and more where two have the same. */
  readonly name: string;
  /** Undefined until it was read. */
  readonly report: StatusReport | undefined;
  readonly runs: readonly ListedRun[];
  /** Why its supervisor does not answer. */
  readonly lost: string | undefined;
}

/** What can be selected. */
export type ListItem = { readonly key: string; readonly root: string } & (
  | { readonly kind: 'worker'; readonly worker: WorkerReport; readonly group: Group }
  | { readonly kind: 'question'; readonly question: QuestionView }
  | { readonly kind: 'run'; readonly run: ListedRun }
);

type WorkerItem = Extract<ListItem, { kind: 'worker' }>;

/** A row of the list: a heading, or something that can be selected. */
export type ListRow =
  | { readonly kind: 'heading'; readonly text: string }
  /** Above the workers of a root, if several are shown. */
  | { readonly kind: 'root'; readonly root: RootInView }
  | { readonly kind: 'item'; readonly item: ListItem };

/** The groups in which a person has to act. */
const URGENT: readonly Group[] = ['asks', 'needs you', 'failed', 'to review'];

export function needsYou(item: ListItem): boolean {
  return item.kind === 'question' || (item.kind === 'worker' && URGENT.includes(item.group));
}

/** A root is an absolute path, which no name of a worker can be the beginning of. */
export const workerKey = (root: string, name: string): string => `worker:${name}${root}`;
export const questionKey = (root: string, run: string, number: number): string => `question:${run}#${number}${root}`;

/** The worker that an item is, and its root; undefined for a run and a question. */
export function parseWorkerKey(key: string | undefined): { readonly worker: string; readonly root: string } | undefined {
  const [, worker, root = ''] = /^worker:([^/]*)(\/.*)?$/s.exec(key ?? '') ?? [];
  return worker === undefined ? undefined : { worker, root };
}

/** What needs a person first, the longest wait on top, whichever root it is in; then root by root the workers, and each run with its own. */
export function listItemRows(roots: readonly RootInView[], filter: string): readonly ListRow[] {
  const [first, ...others] = roots;
  const urgent = roots
    .flatMap((root) => [...listQuestions(root), ...listWorkers(root).filter(needsYou)].filter((item) => matches(item, filter, root)))
    .toSorted((one, other) => rank(one) - rank(other) || since(one) - since(other));
  const rest = first !== undefined && others.length === 0 ? calmRows(first, filter) : roots.flatMap((root) => rootRows(root, filter));
  return [...section('needs you', urgent), ...rest];
}

function calmRows(root: RootInView, filter: string): readonly ListRow[] {
  const runs = listRuns(root);
  const calm = listWorkers(root).filter((item) => !needsYou(item) && matches(item, filter, root));
  // The workers of a run that has ended stand among the others.
  const own = calm.filter(({ worker }) => !runs.some(({ id }) => id === worker.run?.id));
  const groups = (['working', 'idle', 'offline'] as const).flatMap((group) =>
    section(
      group,
      own.filter((item) => item.group === group),
    ),
  );
  return [...groups, ...runs.flatMap((run) => runRows(root, run, calm, filter))];
}

/** One of several roots: its name takes the place of the headings of its groups. Without rows, it says why it has none. */
function rootRows(root: RootInView, filter: string): readonly ListRow[] {
  const rows = calmRows(root, filter).filter((row) => row.kind === 'item');
  const { report, lost } = root;
  const isSilent = filter !== '' || (lost === undefined && report?.supervisor.running === true && report.workers.length > 0);
  return rows.length === 0 && isSilent ? [] : [{ kind: 'root', root }, ...rows];
}

/** What the item is called in its root. */
export function nameItem(item: ListItem): string {
  if (item.kind === 'worker') return item.worker.name;
  return item.kind === 'run' ? item.run.id : `${item.question.run}#${item.question.number}`;
}

export function listRowItems(rows: readonly ListRow[]): readonly ListItem[] {
  return rows.flatMap((row) => (row.kind === 'item' ? [row.item] : []));
}

/** The rows of the screen that the whole list takes if each item has two. */
export function countListRows(rows: readonly ListRow[]): number {
  return rows.reduce((sum, row) => sum + (row.kind === 'item' ? 2 : 1), 0);
}

function section(heading: string, items: readonly ListItem[]): readonly ListRow[] {
  if (items.length === 0) return [];
  return [{ kind: 'heading', text: heading }, ...items.map((item): ListRow => ({ kind: 'item', item }))];
}

function runRows(root: RootInView, run: ListedRun, calm: readonly WorkerItem[], filter: string): readonly ListRow[] {
  const workers = calm.filter(({ worker }) => worker.run?.id === run.id);
  const item: ListItem = { kind: 'run', root: root.root, key: `run:${run.id}${root.root}`, run };
  return workers.length === 0 && !matches(item, filter, root) ? [] : section('run', [item, ...workers]);
}

function listWorkers({ root, report }: RootInView): readonly WorkerItem[] {
  return (report?.workers ?? []).map((worker) => {
    return { kind: 'worker', root, key: workerKey(root, worker.name), worker, group: chooseGroup(worker) };
  });
}

/** Runs without a report stand for nothing yet. */
function listRuns({ report, runs }: RootInView): readonly ListedRun[] {
  return report === undefined ? [] : runs;
}

function listQuestions(of: RootInView): readonly ListItem[] {
  const { root } = of;
  return listRuns(of).flatMap(({ questions }) =>
    questions.map((question) => ({ kind: 'question', root, key: questionKey(root, question.run, question.number), question }) as const),
  );
}

function rank(item: ListItem): number {
  return item.kind === 'worker' ? GROUPS.indexOf(item.group) : 0;
}

function since(item: ListItem): number {
  return item.kind === 'worker' ? item.worker.last_activity_unix * 1_000 : item.kind === 'question' ? item.question.asked_ms : 0;
}

function matches(item: ListItem, filter: string, { name }: RootInView): boolean {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const text = `${toSearchText(item)} ${name}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function toSearchText(item: ListItem): string {
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
