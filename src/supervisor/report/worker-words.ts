import { cutToWidth } from '../../base/text-width.ts';
import type { Status } from '../../store/statuses.ts';
import { STATUS_WORDS } from '../../workers/status/status-words.ts';
import type { WorkerReport, WorkReport } from './status-report.ts';

/** The groups of workers, the most urgent first. */
export const GROUPS = ['asks', 'needs you', 'failed', 'to review', 'working', 'idle', 'offline'] as const;
export type Group = (typeof GROUPS)[number];

const GROUP_OF: Readonly<Record<Status, Group>> = {
  idle: 'idle',
  working: 'working',
  needs_input: 'needs you',
  needs_review: 'to review',
  rejected: 'working',
  rebasing: 'working',
  error: 'failed',
  offline: 'offline',
};

/** The name of a worker in this many columns. The names of the workers of a run begin alike: their ends tell them apart. */
export function nameInWidth({ name, run }: Pick<WorkerReport, 'name' | 'run'>, columns: number): string {
  return run !== null && name.length > columns ? `…${name.slice(name.length - Math.max(0, columns - 1))}` : cutToWidth(name, columns);
}

/** The status column of a worker: its status, whether it asks, or its status before it went offline. */
export function statusInWords(worker: WorkerReport): string {
  if (worker.status === 'offline') {
    const before = worker.status_before_offline ?? 'idle';
    const away = worker.run?.resting === true ? 'resting' : STATUS_WORDS.offline;
    return before === 'idle' ? away : `${STATUS_WORDS[before]}, ${away}`;
  }
  if (worker.attention_kind === 'landing') return 'landing';
  if (worker.attention_kind === 'answer') return 'has an answer';
  if (isAsking(worker)) return worker.attention_kind === 'permission' ? 'asks permission' : 'asks';
  if (worker.status === 'working' && worker.waiting !== null)
    return worker.waiting_kind === 'failed_turn' ? 'waits to continue' : 'waits for a limit';
  if (worker.activity.kind === 'starting' && worker.status !== 'needs_review') return 'starting';
  return STATUS_WORDS[worker.status];
}

export function chooseGroup(worker: WorkerReport): Group {
  if (worker.status === 'offline') {
    const before = worker.status_before_offline ?? 'idle';
    if (worker.run?.resting === true && before === 'idle') return 'idle';
    // Work can be reviewed without a running agent; every other status needs `llmc up` first.
    return before === 'needs_review' ? 'to review' : 'offline';
  }
  if (worker.attention_kind === 'landing') return 'working';
  if (isAsking(worker)) return 'asks';
  const group = GROUP_OF[worker.status];
  return needsAPerson(worker) && (group === 'working' || group === 'idle') ? 'needs you' : group;
}

function isAsking({ attention_kind: kind }: WorkerReport): boolean {
  return kind === 'question' || kind === 'permission';
}

/** A restart after too much memory is only reported: a person does not have to act. */
function needsAPerson({ attention_kind: kind }: WorkerReport): boolean {
  return kind !== null && kind !== 'memory_restarted';
}

/** `2 ask · 3 to review · 1 working`, in the order of the groups. */
export function describeWorkers(workers: readonly WorkerReport[], paint: (group: Group, text: string) => string): string {
  const groups = workers.map(chooseGroup);
  return GROUPS.flatMap((group) => {
    const count = groups.filter((each) => each === group).length;
    return count === 0 ? [] : [paint(group, countText(group, count))];
  }).join(' · ');
}

/** `1 asks`, `2 ask`. */
export function countText(group: Group, count: number): string {
  return `${count} ${count === 1 ? group : (PLURALS[group] ?? group)}`;
}

const PLURALS: Readonly<Partial<Record<Group, string>>> = { asks: 'ask', 'needs you': 'need you' };

/** True for a turn that ended without what the task asked for: its last message and its files are what a person looks at. */
export function endedWithoutResult({ attention_kind: kind }: Pick<WorkerReport, 'attention_kind'>): boolean {
  return kind === 'no_commit' || kind === 'commit_unchanged' || kind === 'no_answer' || kind === 'off_branch';
}

/** `+12 −3, 4 files` */
export function workInWords({ insertions, deletions, files }: WorkReport): string {
  return `+${insertions} −${deletions}, ${files} ${files === 1 ? 'file' : 'files'}`;
}

/** What a person should do, behind the size of the work that waits. */
export function attentionInRow({ attention, work }: WorkerReport): string | null {
  return attention === null || work === null ? attention : `${workInWords(work)}. ${attention}`;
}
