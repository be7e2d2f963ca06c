/** The parts of a worker's record that must fit together. */
export interface RecordView {
  readonly name: string;
  readonly status: string;
  readonly status_before_offline: string | null;
  readonly current_prompt: string | null;
  readonly commit_sha: string | null;
  readonly answer: string | null;
  readonly agent: string;
  readonly conversation_id: string | null;
  readonly worktree_path: string;
  readonly created_at_unix: number;
  readonly last_activity_unix: number;
  readonly last_crash_unix: number | null;
  /** The run that made it, and the task that it has from there. */
  readonly run: { readonly id: string; readonly task: { readonly kind: string } | null } | null;
}

export interface RecordsView {
  readonly workers: readonly RecordView[];
  readonly lastReviewed: string | null;
  readonly nowUnix: number;
  /** Where the worktree of a worker has to be. */
  readonly worktree: (worker: string) => string;
  /** A running supervisor handles a worker at work without a prompt itself: a person may have typed in its terminal. */
  readonly supervised: boolean;
  /** The workers whose conflict llmc.db knows as open; undefined where that cannot be read. */
  readonly resolving: ReadonlySet<string> | undefined;
  /** The runs that llmc.db or their own files know; undefined where that cannot be read. */
  readonly runs: ReadonlySet<string> | undefined;
}

export type RuleName =
  | 'place'
  | 'future'
  | 'review_without_commit'
  | 'working_without_prompt'
  | 'rebasing_without_resolution'
  | 'offline_twice'
  | 'run_unknown'
  | 'same_conversation';

export type Inconsistency =
  | { readonly rule: RuleName; readonly worker: string; readonly text: string }
  | { readonly rule: 'reviewed_unknown'; readonly worker: null; readonly text: string };

/** A clock may be set back by hours, by a person or by another time zone; the seed allows a day. */
const TOLERATED_SECS = 86_400;

interface Rule {
  readonly rule: RuleName;
  readonly breaks: (worker: RecordView, all: RecordsView) => boolean;
  readonly text: string;
}

/** Where the worker is in the flow of work, also while it is offline. */
const standing = ({ status, status_before_offline: before }: RecordView): string => (status === 'offline' ? (before ?? 'idle') : status);

/** Every rule, in the order of repair: what comes first can cure what comes later. */
const RULES: readonly Rule[] = [
  {
    rule: 'place',
    breaks: ({ name, worktree_path: path }, { worktree }) => path !== worktree(name),
    text: 'has a worktree elsewhere, or none',
  },
  {
    rule: 'future',
    breaks: (worker, { nowUnix }) => futureTimes(worker, nowUnix).length > 0,
    text: 'has times in the future',
  },
  { rule: 'offline_twice', breaks: (worker) => standing(worker) === 'offline', text: 'was offline before it went offline' },
  {
    rule: 'review_without_commit',
    breaks: (worker) => standing(worker) === 'needs_review' && worker.commit_sha === null && worker.answer === null,
    text: 'waits for a review, yet has neither a commit nor an answer',
  },
  {
    rule: 'working_without_prompt',
    // One that is up may be in the hands of a person, also while one supervisor takes the place of another.
    breaks: (worker, { supervised }) =>
      !supervised && worker.status === 'offline' && standing(worker) === 'working' && (worker.current_prompt ?? '').trim() === '',
    text: 'is at work, yet has no task',
  },
  {
    // A copy of llmc.db that was restored may not know the conflict.
    rule: 'rebasing_without_resolution',
    breaks: (worker, { resolving }) => standing(worker) === 'rebasing' && resolving?.has(worker.name) === false,
    text: 'resolves a conflict that llmc.db does not know',
  },
  {
    // llmc.db and the folder of the run are lost. Nobody would decide about a crash or a question of this worker.
    rule: 'run_unknown',
    breaks: ({ run }, { runs }) => run?.task?.kind === 'work' && runs?.has(run.id) === false,
    text: 'has a task of a run that llmc does not know',
  },
  {
    rule: 'same_conversation',
    breaks: (worker, { workers }) => workers.some((other) => ownsBefore(other, worker)),
    text: 'has the conversation of another worker',
  },
];

const TIMES = ['created_at_unix', 'last_activity_unix', 'last_crash_unix'] as const;

function futureTimes(worker: RecordView, nowUnix: number): readonly (typeof TIMES)[number][] {
  return TIMES.filter((key) => (worker[key] ?? 0) > nowUnix + TOLERATED_SECS);
}

/** Of two workers in one conversation, the older one keeps it. */
function ownsBefore(other: RecordView, worker: RecordView): boolean {
  if (other.name === worker.name || worker.conversation_id === null) return false;
  if (other.agent !== worker.agent || other.conversation_id !== worker.conversation_id) return false;
  return other.created_at_unix < worker.created_at_unix || (other.created_at_unix === worker.created_at_unix && other.name < worker.name);
}

/** What contradicts itself in the records of the workers. */
export function findInconsistencies(view: RecordsView): readonly Inconsistency[] {
  const found = view.workers.flatMap((worker) =>
    RULES.filter(({ breaks }) => breaks(worker, view)).map(({ rule, text }) => ({ rule, worker: worker.name, text })),
  );
  const { lastReviewed: name, workers } = view;
  if (name === null || workers.some((worker) => worker.name === name)) return found;
  return [...found, { rule: 'reviewed_unknown', worker: null, text: `the last reviewed worker, ${name}, does not exist` }];
}

/** How a record is repaired. `called`: a person has to look, for this reason. */
export interface RecordRepair {
  readonly set: Partial<Pick<RecordView, 'commit_sha' | 'conversation_id' | 'created_at_unix' | 'last_activity_unix' | 'last_crash_unix'>>;
  readonly standing?: 'idle' | 'needs_input';
  readonly called?: 'no_prompt' | 'no_commit' | 'no_conflict' | 'no_run';
  /** It works for a person from now on. */
  readonly freed?: true;
  readonly why: string;
}

/** `commit`: the newest commit of its branch that main does not have. */
export function repairRecord(rule: RuleName, worker: RecordView, nowUnix: number, commit: string | undefined): RecordRepair {
  switch (rule) {
    case 'place':
      return { set: {}, why: 'its worktree was recorded elsewhere, or not at all; it is where it belongs' };
    case 'future': {
      const times = futureTimes(worker, nowUnix);
      return { set: Object.fromEntries(times.map((key) => [key, nowUnix])), why: `${times.join(', ')} lay in the future; set to now` };
    }
    case 'offline_twice':
      return worker.current_prompt === null
        ? { set: {}, standing: 'idle', why: 'it was offline before it went offline; without a task it is idle' }
        : { set: {}, standing: 'needs_input', called: 'no_commit', why: 'it was offline before it went offline; its task needs you' };
    case 'review_without_commit':
      return commit === undefined
        ? { set: {}, standing: 'needs_input', called: 'no_commit', why: 'it waited for a review without a commit, and its branch has none' }
        : { set: { commit_sha: commit }, why: `it waited for a review without a commit; its branch has ${commit.slice(0, 12)}` };
    case 'working_without_prompt':
      return { set: {}, standing: 'needs_input', called: 'no_prompt', why: 'it was at work without a task' };
    case 'rebasing_without_resolution':
      return { set: {}, standing: 'needs_input', called: 'no_conflict', why: 'it was resolving a conflict that llmc.db does not know' };
    case 'run_unknown': {
      const why = `it had a task of the run ${worker.run?.id ?? ''}, which llmc does not know; it works for you now`;
      if (standing(worker) === 'idle') return { set: {}, freed: true, why };
      // A commit that waits for its review is still there.
      const asks = standing(worker) === 'needs_review' ? undefined : 'needs_input';
      return { set: {}, ...(asks && { standing: asks }), called: 'no_run', freed: true, why };
    }
    case 'same_conversation':
      return { set: { conversation_id: null }, why: 'it had the conversation of another worker; it begins a new one' };
  }
}
