import type { RecordsView, RecordView, RuleName } from '../records/decide-consistency.ts';

/** In seconds. */
export const RECORDED_AT = 1_000_000_000;
const DAY = 86_400;
const FAR = RECORDED_AT + DAY + 1;

interface RecordCase {
  /** Completes the sentence "the record of a worker that …". */
  readonly when: string;
  readonly record: RecordView;
  /** The newest commit of its branch that main does not have. */
  readonly commit: string | undefined;
  readonly breaks: readonly RuleName[];
}

/** The sound record of an idle worker. */
export const aRecord = (changes: Partial<RecordView> = {}): RecordView => ({
  name: 'adam',
  status: 'idle',
  status_before_offline: null,
  current_prompt: null,
  commit_sha: null,
  answer: null,
  agent: 'demo',
  conversation_id: null,
  worktree_path: '/w/adam',
  created_at_unix: 100,
  last_activity_unix: 100,
  last_crash_unix: null,
  run: null,
  ...changes,
});

export const records = (workers: readonly RecordView[], changes: Partial<RecordsView> = {}): RecordsView => ({
  workers,
  lastReviewed: null,
  nowUnix: RECORDED_AT,
  worktree: (name: string) => `/w/${name}`,
  supervised: false,
  resolving: new Set<string>(),
  runs: new Set(['swarm-1']),
  ...changes,
});

const row = (when: string, changes: Partial<RecordView>, ...breaks: readonly RuleName[]): RecordCase => ({
  when,
  record: aRecord(changes),
  commit: undefined,
  breaks,
});
const offline = (before: string, changes: Partial<RecordView> = {}) => ({ status: 'offline', status_before_offline: before, ...changes });

const ofRun = (id: string, kind = 'work') => ({ id, task: { kind } });
const AT_WORK = { status: 'working', current_prompt: 'x' };

export const RECORD_CASES: readonly RecordCase[] = [
  row('is idle and new', {}),
  row('has an empty path', { worktree_path: '' }, 'place'),
  row('has the path of another', { worktree_path: '/w/eve' }, 'place'),
  row('was made a day from now', { created_at_unix: RECORDED_AT + DAY }),
  row('was made later than a day from now', { created_at_unix: FAR }, 'future'),
  row('was active in the future', { last_activity_unix: FAR }, 'future'),
  row('crashed in the future', { last_crash_unix: FAR }, 'future'),
  row('waits for a review without a commit, and its branch has none', { status: 'needs_review' }, 'review_without_commit'),
  {
    ...row('waits for a review without a commit, and its branch has one', { status: 'needs_review' }, 'review_without_commit'),
    commit: 'abc',
  },
  row('waits for a person to read its answer', { status: 'needs_review', answer: 'a1' }),
  row('waits for a review with a commit', { status: 'needs_review', commit_sha: 'a' }),
  row('waits offline for a review without a commit', offline('needs_review'), 'review_without_commit'),
  row('is up and at work without a task: a person may use it', { status: 'working' }),
  row('is at work on a task', { status: 'working', current_prompt: 'x' }),
  row('was at work without a task when it went offline', offline('working'), 'working_without_prompt'),
  row('was at work on spaces when it went offline', offline('working', { current_prompt: ' \n' }), 'working_without_prompt'),
  row('resolves a conflict that `llmc.db` does not know', { status: 'rebasing' }, 'rebasing_without_resolution'),
  row('resolved such a conflict when it went offline', offline('rebasing'), 'rebasing_without_resolution'),
  row('works for a run', { status: 'working', current_prompt: 'x', run: ofRun('swarm-1') }),
  row('works for a run of which `llmc.db` and the files are lost', { ...AT_WORK, run: ofRun('swarm-2') }, 'run_unknown'),
  row('waited for such a run when it went offline', offline('needs_input', { run: ofRun('swarm-2') }), 'run_unknown'),
  row('has a commit for such a run', { status: 'needs_review', commit_sha: 'a', run: ofRun('swarm-2') }, 'run_unknown'),
  row('was reset, and has a task of such a run', { run: ofRun('swarm-2') }, 'run_unknown'),
  row('waits for a person, offered by such a run', { status: 'needs_review', commit_sha: 'a', run: ofRun('swarm-2', 'review') }),
  row('was rejected and has no task', { status: 'rejected' }),
  row('is offline from nowhere', { status: 'offline' }),
  row('is offline from offline, without a task', offline('offline'), 'offline_twice'),
  row('is offline from offline, with a task', offline('offline', { current_prompt: 'x' }), 'offline_twice'),
  row('breaks several rules', { status: 'needs_review', worktree_path: '' }, 'place', 'review_without_commit'),
];
