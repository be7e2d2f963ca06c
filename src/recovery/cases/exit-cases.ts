import type { Activity } from '../../agents/activity.ts';
import { classifyExit } from '../../agents/classify-exit.ts';
import type { ExitStep, ExitView } from '../decide-exit.ts';
import type { ExitPolicy } from '../policies/exit-policy.ts';
import type { Case } from './case.ts';

export const ENDED_AT = 2_000_000_000_000;
const YESTERDAY = ENDED_AT / 1_000 - 24 * 3_600;

type Exited = Extract<Activity, { kind: 'exited' }>;
type ExitCase = Case<ExitView, ExitPolicy, ExitStep>;

const CRASHED: Exited = { kind: 'exited', how: 'crash', status: 1, signal: null };
const exited = (status: number | null, signal: string | null = null): Exited => ({
  kind: 'exited',
  how: classifyExit(status, signal),
  status,
  signal,
});
const CLOSED: Exited = { ...CRASHED, how: 'user', status: 0 };
const GONE: Exited = { ...CRASHED, how: 'not_found', status: null };
const worker = (crash_count: number, status = 'working', last_crash_unix: number | null = null): ExitView['worker'] => ({
  status,
  crash_count,
  last_crash_unix,
});

/** An agent that crashed at work after a minute, observed dead twice, with the test's changes. */
export function anExit(changes: Partial<ExitView> = {}): ExitView {
  return {
    worker: worker(0),
    resumable: true,
    activity: CRASHED,
    output: undefined,
    livedMs: 60_000,
    resuming: false,
    resumeExits: [],
    confirmed: true,
    counted: false,
    restartAt: undefined,
    chance: 0,
    ...changes,
  };
}

const row = (when: string, changes: Partial<ExitView>, step: ExitCase['step'], policy: Partial<ExitPolicy> = {}): ExitCase => ({
  when,
  view: anExit(changes),
  step,
  policy,
});
const again = (more: Readonly<Record<string, unknown>> = {}) => ({ kind: 'relaunch', ...more }) as const;
const DUE = { restartAt: ENDED_AT };
const RESUMING = { resuming: true, livedMs: 900 };
const KILLED = { activity: exited(null, '9') };
const FAILED = { status: 1, signal: null };
const RESUME = { conversation: 'resume' };
const FRESH = { conversation: 'fresh' };

export const EXIT_CASES: readonly ExitCase[] = [
  row('the end was observed once', { confirmed: false }, { kind: 'wait' }),
  row('the agent crashed', {}, again({ conversation: 'resume', goOn: true, countsAsCrash: true })),
  row('it crashed and has no conversation to resume', { resumable: false }, again({ conversation: 'fresh', goOn: true })),
  row('it crashed for the second time', { worker: worker(1) }, { kind: 'delay', until: ENDED_AT + 10_000 }),
  row('its restart is not due', { worker: worker(1), restartAt: ENDED_AT + 1 }, { kind: 'wait' }),
  row('its restart is due', { worker: worker(1), ...DUE }, again({ conversation: 'resume', countsAsCrash: true })),
  row('it crashed for the third time', { worker: worker(2) }, { kind: 'fail', cause: undefined }),
  row('it crashed for the third time, a day after the second', { worker: worker(2, 'working', YESTERDAY) }, again()),
  row('it crashed for the third time within a day', { worker: worker(2, 'working', YESTERDAY + 1) }, { kind: 'fail' }),
  row('its session is gone (`not_found`)', { activity: GONE, worker: worker(1) }, again({ conversation: 'resume', countsAsCrash: true })),
  row('its session is gone for the third time', { activity: GONE, worker: worker(2) }, { kind: 'fail' }),
  row('it says that it cannot resume', { ...RESUMING, output: 'resume_refused' }, again({ ...FRESH, goOn: true, countsAsCrash: true })),
  row('it says so at the third crash', { ...RESUMING, output: 'resume_refused', worker: worker(2), ...DUE }, again(FRESH)),
  row('it was killed, and its screen says that it cannot resume', { ...RESUMING, ...KILLED, output: 'resume_refused' }, again(RESUME)),
  row('it was killed before it had resumed (signal 9)', { ...RESUMING, ...KILLED }, again({ ...RESUME, countsAsCrash: true })),
  row('it was asked to end before it had resumed (status 143)', { ...RESUMING, activity: exited(143) }, again(RESUME)),
  row('it was killed in a shell or sandbox before it had resumed (status 137)', { ...RESUMING, activity: exited(137) }, again(RESUME)),
  row('its session was gone before it had resumed', { ...RESUMING, activity: GONE }, again(RESUME)),
  row('it was killed again before it had resumed', { ...RESUMING, ...KILLED, worker: worker(1), ...DUE }, again(RESUME)),
  row('it was killed for the third time before it had resumed', { ...RESUMING, ...KILLED, worker: worker(2) }, { kind: 'fail' }),
  row('it ended by itself before it had resumed', RESUMING, again({ ...RESUME, resumeExit: FAILED, countsAsCrash: true })),
  row(
    'it ended by itself for the second time before it had resumed',
    { ...RESUMING, resumeExits: [FAILED], worker: worker(2), ...DUE },
    again({ ...RESUME, resumeExit: FAILED }),
  ),
  row(
    'it ended by itself for the third time before it had resumed',
    { ...RESUMING, resumeExits: [FAILED, FAILED], worker: worker(3), ...DUE },
    again({ ...FRESH, countsAsCrash: true }),
  ),
  row(
    'it crashed by a fault of its own (signal 11) for the third time before it had resumed',
    { ...RESUMING, activity: exited(null, '11'), resumeExits: [FAILED, { status: 134, signal: null }], worker: worker(2), ...DUE },
    again(FRESH),
  ),
  row(
    'it was killed after two starts that ended by themselves before they had resumed',
    { ...RESUMING, ...KILLED, resumeExits: [FAILED, FAILED], worker: worker(3), ...DUE },
    again(RESUME),
  ),
  row('its new conversation crashed after that', { worker: worker(4) }, { kind: 'fail', cause: undefined }),
  row('it crashed within seconds of a resume', { livedMs: 100 }, again({ conversation: 'resume', countsAsCrash: true })),
  row('its last line is about a rate limit', { output: 'rate_limit' }, { kind: 'delay', until: ENDED_AT + 300_000 }),
  row('its session is gone at a rate limit', { output: 'rate_limit', activity: GONE }, { kind: 'delay', until: ENDED_AT + 300_000 }),
  row('its last line is about a timeout', { output: 'timeout' }, { kind: 'delay', until: ENDED_AT + 30_000 }),
  row('the wait after the timeout is over', { output: 'timeout', ...DUE }, again({ conversation: 'resume', countsAsCrash: true })),
  row('the wait after the rate limit is over', { output: 'rate_limit', ...DUE }, again({ conversation: 'resume', countsAsCrash: true })),
  row('it refuses to start', { output: 'fatal', livedMs: 10 }, { kind: 'fail', cause: 'fatal' }),
  row('its program is missing', { output: 'missing_program', livedMs: 10 }, { kind: 'fail', cause: 'missing_program' }),
  row('a person closed it', { activity: CLOSED }, again({ conversation: 'resume', goOn: false, countsAsCrash: false })),
  row('a person closed it after two crashes', { activity: CLOSED, worker: worker(2) }, again({ goOn: false })),
  row('it ended right after its start, also with status 0', { activity: CLOSED, livedMs: 4_999 }, again({ countsAsCrash: true })),
  row(
    'a person closed it five seconds after its start',
    { activity: CLOSED, livedMs: 5_000 },
    again({ goOn: false, countsAsCrash: false }),
  ),
  row('it always ends right after its start', { activity: CLOSED, livedMs: 10, worker: worker(2) }, { kind: 'fail' }),
  row('its work waits for review at the third crash', { worker: worker(2, 'needs_review') }, { kind: 'rest', called: false }),
  row('it refuses to start, and its work waits for review', { worker: worker(0, 'needs_review'), output: 'fatal' }, { kind: 'rest' }),
  row('its work still waits for review', { worker: worker(3, 'needs_review'), counted: true }, { kind: 'rest', called: true }),
  row('a person continues it', { counted: true }, again({ conversation: 'resume', goOn: true, countsAsCrash: false })),
  row('a person continues it, and it was killed before it had resumed', { ...RESUMING, ...KILLED, counted: true }, again(RESUME)),
  row('a person continues it, and the end was observed once', { counted: true, confirmed: false }, { kind: 'wait' }),
];
