import { OVERLOOKED_MS, type PatrolKind, type PatrolView } from '../decide-patrol.ts';

interface PatrolCase {
  /** Completes the sentence "a worker that …". */
  readonly when: string;
  readonly view: PatrolView;
  readonly finds: readonly PatrolKind[];
}

const row = (when: string, changes: Partial<PatrolView>, ...finds: readonly PatrolKind[]): PatrolCase => ({
  when,
  view: patrolled(changes),
  finds,
});

/** A worker that runs and does nothing. */
export const patrolled = (changes: Partial<PatrolView> = {}): PatrolView => ({
  name: 'adam',
  busy: false,
  offline: false,
  expected: true,
  session: 'alive',
  goneMs: 0,
  readyMs: undefined,
  stuck: false,
  ...changes,
});

const GONE = { session: 'gone', goneMs: OVERLOOKED_MS } as const;
const OFFLINE = { offline: true, expected: false } as const;

export const PATROL_CASES: readonly PatrolCase[] = [
  row('runs', {}),
  row('lost its session a minute ago', GONE, 'session_missing'),
  row('lost its session just now: the passes handle it', { ...GONE, goneMs: OVERLOOKED_MS - 1 }),
  row('lost its session, and was given up', { ...GONE, expected: false }),
  row('is offline', { ...OFFLINE, ...GONE }),
  row('is offline, and its session runs', OFFLINE, 'session_restored'),
  row('is offline, its session runs, and a command works on it', { ...OFFLINE, busy: true }),
  row('has been ready for a minute while it counts as working', { readyMs: OVERLOOKED_MS }, 'turn_over'),
  row('has just become ready', { readyMs: OVERLOOKED_MS - 1 }),
  row('shows no progress', { stuck: true }, 'stuck'),
  row('cannot be observed, because tmux does not answer', { ...GONE, session: 'unknown', readyMs: OVERLOOKED_MS, stuck: true }),
  row('is being stepped', { busy: true, readyMs: OVERLOOKED_MS, stuck: true }),
];
