import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Activity } from '../../agents/activity.ts';
import type { Attention } from '../../store/attention.ts';
import type { Worker } from '../../store/state.ts';
import { STATUSES } from '../../store/statuses.ts';
import type { Delivery } from '../../store/tables/deliveries.ts';
import { aWorker, ofRun } from '../../workers/samples.ts';
import { transition, type WorkerEvent } from '../../workers/status/transitions.ts';
import { ACTIVITIES, aDelivery, anAssessment, BUSY, LOGGED_OUT, OVERLOADED, PERMISSION, QUESTION, READY } from '../samples.ts';
import { type BranchFacts, decideProgress, type ProgressDecision, type ProgressView } from './decide-progress.ts';

const NOW = 100_000;
const HEAD = 'a'.repeat(40);
const OLD = 'b'.repeat(40);
const COMMIT: BranchFacts = { head: HEAD, ahead: 1, changed: [] };
const NOTHING_NEW: BranchFacts = { head: OLD, ahead: 0, changed: [] };

const at = (status: Worker['status'], changes: Partial<Worker> = {}) =>
  aWorker({ status, current_prompt: 'Fix the typo', commit_sha: null, ...changes });

/** An agent at work that became ready, with one prompt that it reported itself, git not asked yet, with the test's changes. */
function view(changes: Partial<ProgressView> & { readonly activity?: Activity } = {}): ProgressView {
  const { activity = READY, ...rest } = changes;
  return {
    worker: at('working'),
    assessment: anAssessment(activity),
    undelivered: 0,
    acked: [ackedBy('hook')],
    screen: { kind: activity.kind, since: NOW - 1_000, at: NOW },
    unhandledTurn: false,
    branch: undefined,
    said: { text: 'Because.', source: 'message', cut: 0 },
    saidMore: false,
    progressAt: NOW,
    ...rest,
  };
}

/** Sent ten seconds ago, acknowledged nine seconds ago. */
const ackedBy = (ack_source: Delivery['ack_source'], changes: Partial<Delivery> = {}) =>
  aDelivery({ state: 'acked', ack_source, typed_ms: NOW - 10_100, submitted_ms: NOW - 10_000, acked_ms: NOW - 9_000, ...changes });
const readySince = (agoMs: number) => ({ kind: 'ready' as const, since: NOW - agoMs, at: NOW });

const TRUST: Activity = { kind: 'awaiting_question', questionType: 'startup', question: 'Trust it?', choices: ['No', 'Yes'] };
const STOPPED: Activity = { kind: 'unknown', stopped: { pid: 7 } };
const unknownFor = (ms: number, activity: Activity) => anAssessment(activity, { since: NOW - ms });

const outcome = (decision: ProgressDecision): string => (decision.kind === 'move' ? decision.event : decision.kind);

type Row = [string, Parameters<typeof view>[0], WorkerEvent | 'nothing' | 'ask_git' | 'settle'];

const ABOUT_A_PROMPT: readonly Attention[] = [
  { kind: 'prompt_waits', reason: { kind: 'person_typing' } },
  { kind: 'draft_in_box' },
  { kind: 'agent_stopped', pid: 7 },
];

describe('where a worker goes', () => {
  test.each<Row>([
    ['git is asked when a turn has ended', {}, 'ask_git'],
    ['a turn that ended with a commit goes to review', { branch: COMMIT }, 'committed'],
    [
      'an idle worker that is ready needs no person any more',
      { worker: at('idle', { attention: { kind: 'startup_dialog', question: 'Trust it?' } }), acked: [] },
      'reset',
    ],
    ['a stopped process is left for a while', { activity: STOPPED, assessment: unknownFor(59_999, STOPPED) }, 'nothing'],
    ['a stopped process needs a person', { assessment: unknownFor(60_000, STOPPED) }, 'stopped'],
    ['a screen that nobody can read needs a person', { assessment: unknownFor(60_000, { kind: 'unknown' }) }, 'stopped'],
    ['a prompt that waits has its own deadline', { assessment: unknownFor(60_000, STOPPED), undelivered: 1 }, 'nothing'],
    ['rejected work keeps its status', { worker: at('rejected'), assessment: unknownFor(60_000, STOPPED) }, 'nothing'],
    [
      'a turn is over when the agent is ready for long, also behind a menu',
      { acked: [ackedBy('screen', { acked_ms: NOW - 60_000 })], screen: { kind: 'unknown', since: 0, at: NOW }, branch: NOTHING_NEW },
      'stopped',
    ],
    [
      'a turn is not over behind a menu that was opened a moment ago',
      { acked: [ackedBy('screen')], screen: { kind: 'unknown', since: 0, at: NOW }, branch: NOTHING_NEW },
      'nothing',
    ],
    ['an idle worker without attention stays as it is', { worker: at('idle'), acked: [] }, 'nothing'],
    ['a turn that ended with a commit and uncommitted changes goes to review', { branch: { ...COMMIT, changed: ['a.txt'] } }, 'committed'],
    ['a turn that ended without a commit needs input', { branch: NOTHING_NEW }, 'stopped'],
    ['a turn that left only uncommitted changes needs input', { branch: { ...NOTHING_NEW, changed: ['a.txt'] } }, 'stopped'],
    ['rejected work that changed goes to review again', { worker: at('rejected', { commit_sha: OLD }), branch: COMMIT }, 'committed'],
    [
      'rejected work that did not change goes to review again',
      { worker: at('rejected', { commit_sha: HEAD }), branch: COMMIT },
      'committed',
    ],
    [
      'rejected work that left only uncommitted changes needs input',
      { worker: at('rejected', { commit_sha: HEAD }), branch: { ...COMMIT, changed: ['a.txt'] } },
      'stopped',
    ],
    [
      'rejected work whose task is not known is not put back',
      { worker: at('rejected', { commit_sha: HEAD, current_prompt: null }), branch: COMMIT },
      'committed',
    ],
    [
      'continued work that did not change goes back to review',
      { worker: at('working', { commit_sha: HEAD }), branch: COMMIT },
      'committed',
    ],

    ['nothing ends while a prompt is still on its way', { undelivered: 1, branch: COMMIT }, 'nothing'],
    ['a question needs input', { activity: QUESTION }, 'stopped'],
    ['a dialog at the start is answered by llmc itself', { activity: TRUST }, 'nothing'],
    [
      'a dialog at the start that llmc cannot answer needs input',
      { worker: at('working', { attention: { kind: 'startup_dialog', question: 'Trust it?' } }), activity: TRUST },
      'stopped',
    ],
    [
      'a login is not a question that a command answers',
      { worker: at('working', { attention: { kind: 'login', question: 'Log in' } }), activity: { ...TRUST, login: true } },
      'stopped',
    ],
    ['a permission needs input', { activity: PERMISSION }, 'stopped'],
    ['a failure that may pass needs input', { activity: OVERLOADED }, 'stopped'],
    ['a failure that will not pass is an error', { activity: LOGGED_OUT }, 'failed'],
    ['an old failure does not stop a prompt on its way', { activity: LOGGED_OUT, undelivered: 1 }, 'nothing'],
    ['an agent at work changes nothing', { activity: BUSY }, 'nothing'],

    ['an idle worker used by hand is at work', { worker: at('idle', { current_prompt: null }), activity: BUSY }, 'continued'],
    ['a worker that waits for input and works again is at work', { worker: at('needs_input'), activity: BUSY }, 'continued'],
    ...ABOUT_A_PROMPT.map(
      (attention): Row => [
        `a busy agent whose prompt still waits for a person keeps the attention ${attention.kind}`,
        { worker: at('needs_input', { attention }), activity: BUSY, undelivered: 1 },
        'nothing',
      ],
    ),
    [
      'a busy agent without a prompt that waits loses the attention of one',
      { worker: at('needs_input', { attention: { kind: 'draft_in_box' } }), activity: BUSY },
      'continued',
    ],
    [
      'a prompt that waits does not keep another attention of a busy agent',
      { worker: at('needs_input', { attention: { kind: 'no_commit' } }), activity: BUSY, undelivered: 1 },
      'continued',
    ],
    ['a worker in review that a person continues is at work', { worker: at('needs_review'), activity: BUSY }, 'continued'],
    [
      'a late report of a finished turn changes nothing',
      { worker: at('needs_review'), activity: BUSY, screen: { kind: 'ready', since: 0, at: NOW } },
      'nothing',
    ],
    ['a worker in error that works again is at work', { worker: at('error'), activity: BUSY }, 'continued'],
    ['a person’s turn that left nothing is forgotten', { worker: at('working', { current_prompt: null }), branch: NOTHING_NEW }, 'reset'],
    [
      'a person’s turn that left changes is not forgotten',
      { worker: at('working', { current_prompt: null }), branch: { ...NOTHING_NEW, changed: ['a.txt'] } },
      'stopped',
    ],

    [
      'a capture from before a late report does not confirm it',
      {
        worker: at('needs_review'),
        activity: BUSY,
        assessment: anAssessment(BUSY, { since: NOW }),
        screen: { kind: 'processing', since: 0, at: NOW - 1 },
      },
      'nothing',
    ],
    [
      'a capture after the report confirms the work',
      {
        worker: at('needs_review'),
        activity: BUSY,
        assessment: anAssessment(BUSY, { since: NOW }),
        screen: { kind: 'processing', since: 0, at: NOW },
      },
      'continued',
    ],
    ['a commit made by a person goes to review', { worker: at('idle'), unhandledTurn: true, branch: COMMIT }, 'committed'],
    [
      'a commit that a person requested in the terminal goes to review',
      { worker: at('needs_input'), unhandledTurn: true, branch: COMMIT },
      'committed',
    ],
    [
      'a turn without a result changes nothing',
      { worker: at('needs_review', { commit_sha: HEAD }), unhandledTurn: true, acked: [], branch: COMMIT },
      'nothing',
    ],
    [
      'a turn without a result ends its prompt',
      { worker: at('needs_review', { commit_sha: HEAD }), unhandledTurn: true, branch: COMMIT },
      'settle',
    ],
    [
      'a dialog was answered and the turn ended before a pass observed work: without a commit',
      { worker: at('needs_input'), unhandledTurn: true, branch: NOTHING_NEW },
      'stopped',
    ],
    [
      'a dialog was answered, and the agent reports nothing: with a commit',
      { worker: at('needs_input'), assessment: anAssessment(READY, { since: NOW - 1_200 }), branch: COMMIT },
      'committed',
    ],
    [
      'not at the first capture of its prompt',
      { worker: at('needs_input'), assessment: anAssessment(READY, { since: NOW - 1_199 }), branch: COMMIT },
      'nothing',
    ],
    ['git is not asked about a turn that was handled', { worker: at('needs_input'), acked: [] }, 'nothing'],

    [
      'a second dialog is reported like the first',
      {
        worker: at('needs_input', { attention: { kind: 'question', question: 'Another?', choices: [], unread: false } }),
        activity: QUESTION,
      },
      'stopped',
    ],
    ['a dialog in an idle agent belongs to its user', { worker: at('idle'), activity: QUESTION }, 'nothing'],
    ['an offline worker stays where it is', { worker: at('offline'), branch: COMMIT }, 'nothing'],
    ['a rebase is not disturbed', { worker: at('rebasing'), branch: COMMIT }, 'nothing'],
  ])('%s', (_, changes, expected) => {
    expect(outcome(decideProgress(view(changes), NOW))).toBe(expected);
  });

  test.each<[string, Pick<ProgressView, 'acked' | 'screen'>, 'ask_git' | 'nothing']>([
    ['its own report came first', { acked: [ackedBy('hook')], screen: undefined }, 'ask_git'],
    ['nothing was ever sent', { acked: [], screen: undefined }, 'ask_git'],
    ['the screen became ready after it had shown work', { acked: [ackedBy('screen')], screen: readySince(8_999) }, 'ask_git'],
    ['the screen became ready a moment ago, after it had shown work', { acked: [ackedBy('screen')], screen: readySince(100) }, 'ask_git'],
    [
      'the screen was ready before the prompt was sent, and has not changed',
      { acked: [ackedBy('screen')], screen: readySince(10_001) },
      'nothing',
    ],
    [
      'the screen does not show a ready agent',
      { acked: [ackedBy('screen')], screen: { kind: 'processing', since: NOW - 100, at: NOW } },
      'nothing',
    ],
    ['there is no capture', { acked: [ackedBy('screen')], screen: undefined }, 'nothing'],
    // The whole turn passed between two captures: the screen has been ready since before the acknowledgement was found.
    ['the prompt was found on a screen long at rest', { acked: [ackedBy('screen')], screen: readySince(9_500) }, 'ask_git'],
    // The CLI records a prompt before it shows that it works on it.
    [
      'only its transcript holds the prompt, a moment after it was sent',
      { acked: [justAckedBy('transcript')], screen: readySince(90) },
      'nothing',
    ],
    [
      'its transcript holds the prompt and the screen stays ready',
      { acked: [ackedBy('transcript')], screen: readySince(2_000) },
      'ask_git',
    ],
  ])('a ready agent has ended its turn or not: %s', (_, changes, expected) => {
    expect(decideProgress(view(changes), NOW).kind).toBe(expected);
  });

  function justAckedBy(source: Delivery['ack_source']) {
    return ackedBy(source, { typed_ms: NOW - 300, submitted_ms: NOW - 100, acked_ms: NOW - 50 });
  }
});

describe('what is reported to a person', () => {
  const attentionOf = (changes: Parameters<typeof view>[0]) => {
    const decision = decideProgress(view(changes), NOW);
    return decision.kind === 'move' ? decision.fields.attention : undefined;
  };
  test.each<[string, Parameters<typeof view>[0], Attention]>([
    ['how to review', { branch: COMMIT }, { kind: 'review', uncommitted: false }],
    ['that there is more than the commit', { branch: { ...COMMIT, changed: ['a.txt'] } }, { kind: 'review', uncommitted: true }],
    [
      'the question and its choices',
      { activity: QUESTION },
      { kind: 'question', question: 'Go on?', choices: ['Yes', 'No'], unread: false },
    ],
    [
      'the tool and what it would do',
      { activity: PERMISSION },
      { kind: 'permission', tool: 'Bash', command: null, question: 'Run rm?', choices: ['Yes', 'No'] },
    ],
    [
      'the command that wants permission',
      { activity: { ...PERMISSION, command: 'rm -rf build' } },
      { kind: 'permission', tool: 'Bash', command: 'rm -rf build', question: 'Run rm?', choices: ['Yes', 'No'] },
    ],
    ['what failed', { activity: OVERLOADED }, { kind: 'turn_failed', error: 'overloaded', message: 'overloaded' }],
    ['what to fix', { activity: LOGGED_OUT }, { kind: 'agent_blocked', error: 'auth', message: 'not logged in' }],
    ['that nothing was committed', { branch: NOTHING_NEW }, { kind: 'no_commit' }],
    [
      'that the commit did not change',
      { worker: at('rejected', { commit_sha: HEAD }), branch: COMMIT },
      { kind: 'commit_unchanged', to_review: true },
    ],
    [
      'that the commit which was sent back is still the same, also after a turn about a message',
      { worker: at('working', { commit_sha: HEAD, came_back_unchanged: true }), branch: COMMIT },
      { kind: 'commit_unchanged', to_review: true },
    ],
    [
      'how to review a commit that is another one than the one that was sent back',
      { worker: at('working', { commit_sha: 'before', came_back_unchanged: true }), branch: COMMIT },
      { kind: 'review', uncommitted: false },
    ],
    [
      'that the commit did not change, and what is not committed',
      { worker: at('rejected', { commit_sha: HEAD }), branch: { ...COMMIT, changed: ['a.txt'] } },
      { kind: 'commit_unchanged', files: ['a.txt'], count: 1 },
    ],
  ])('%s', (_, changes, attention) => {
    expect(attentionOf(changes)).toEqual(attention);
  });

  test('the same dialog is reported once', () => {
    const attention = attentionOf({ activity: QUESTION }) ?? null;
    expect(decideProgress(view({ worker: at('needs_input', { attention }), activity: QUESTION }), NOW)).toEqual({ kind: 'nothing' });
  });

  test('a commit that goes to review is named and resets the crash count', () => {
    const worker = at('working', { crash_count: 2 });
    expect(decideProgress(view({ worker, branch: COMMIT }), NOW)).toMatchObject({
      fields: { commit_sha: HEAD, crash_count: 0 },
      turnOver: true,
    });
  });

  test('a dialog does not end the turn', () => {
    expect(decideProgress(view({ activity: PERMISSION }), NOW)).toMatchObject({ turnOver: false });
  });
});

describe('a task that expects no commit', () => {
  const task = (expects: 'commit' | 'artifact' | 'answer', status: Worker['status'] = 'working', changes: Partial<Worker> = {}) =>
    at(status, { expects, current_prompt: 'Find out', ...changes });
  const DIRTY = { ...NOTHING_NEW, changed: ['a.txt'] };
  test.each<[string, Parameters<typeof view>[0], string]>([
    ['an answer, and nothing was changed: a person reads it', { worker: task('answer'), branch: NOTHING_NEW }, 'gave_answer'],
    ['an answer, and files were changed: a person reads it', { worker: task('answer'), branch: DIRTY }, 'gave_answer'],
    [
      'an answer, and the agent said nothing: a person decides',
      { worker: task('answer'), branch: NOTHING_NEW, said: undefined },
      'stopped',
    ],
    [
      'a second answer, in a turn that nobody observed',
      { worker: task('answer', 'needs_review', { answer: 'a1' }), branch: NOTHING_NEW, unhandledTurn: true, saidMore: true },
      'gave_answer',
    ],
    [
      'the same answer, after a restart of the supervisor',
      { worker: task('answer', 'needs_review', { answer: 'a1' }), branch: NOTHING_NEW, unhandledTurn: true, acked: [] },
      'nothing',
    ],
    ['an answer, and a commit came instead: it goes to review', { worker: task('answer'), branch: COMMIT }, 'committed'],
    ['an answer, and a question was asked: a person answers', { worker: task('answer'), activity: QUESTION }, 'stopped'],
    ['an artifact, in the worktree: finished', { worker: task('artifact'), branch: DIRTY }, 'finished'],
    ['an artifact, elsewhere: finished', { worker: task('artifact'), branch: NOTHING_NEW }, 'finished'],
    ['an artifact, and a commit came too: it goes to review', { worker: task('artifact'), branch: COMMIT }, 'committed'],
    ['a commit, and none came: a person decides', { worker: task('commit'), branch: NOTHING_NEW }, 'stopped'],
    ['git has not been asked yet', { worker: task('answer') }, 'ask_git'],
  ])('%s', (_, changes, expected) => {
    expect(outcome(decideProgress(view(changes), NOW))).toBe(expected);
  });

  test('an answer says so if only the silence of the agent ended its turn', () => {
    const assessment = { ...anAssessment(READY), source: 'timing', rule: 'quiet for 20 s' } as const;
    expect(decideProgress(view({ worker: task('answer'), branch: NOTHING_NEW, assessment }), NOW)).toMatchObject({
      why: 'the turn ended with an answer (probably finished: quiet for 20 s)',
      fields: { attention: { kind: 'answer', uncommitted: false, probably: 'quiet for 20 s' } },
    });
  });

  test('an answer names the files that are not committed, and so does a turn without one', () => {
    expect(decideProgress(view({ worker: task('answer'), branch: DIRTY }), NOW)).toMatchObject({
      fields: { attention: { kind: 'answer', uncommitted: true } },
    });
    expect(decideProgress(view({ worker: task('answer'), branch: DIRTY, said: undefined }), NOW)).toMatchObject({
      fields: { attention: { kind: 'no_answer', files: ['a.txt'], count: 1 } },
    });
    const many = Array.from({ length: 9 }, (_, index) => `f${index}`);
    expect(decideProgress(view({ worker: task('commit'), branch: { ...NOTHING_NEW, changed: many } }), NOW)).toMatchObject({
      fields: { attention: { kind: 'no_commit', files: many.slice(0, 5), count: 9 } },
    });
  });

  test('an artifact leaves nothing of the task with the worker', () => {
    expect(decideProgress(view({ worker: task('artifact'), branch: NOTHING_NEW }), NOW)).toMatchObject({
      fields: { current_prompt: null, attention: null, crash_count: 0 },
      turnOver: true,
    });
  });
});

describe('the task of a run', () => {
  const task = (expects: Worker['expects'], changes: Partial<Worker> = {}) =>
    at('working', { expects, current_prompt: 'Find out', run: ofRun({ task: { id: 'a1', kind: 'work' } }), ...changes });
  const DIRTY = { ...NOTHING_NEW, changed: ['a.txt'] };
  const offered = ofRun({ task: { id: 'l1', kind: 'review' } });
  test.each<[string, Parameters<typeof view>[0], string]>([
    ['a commit: finished, and not to review', { worker: task('commit'), branch: COMMIT }, 'finished'],
    ['the same commit after more was said: the run decides', { worker: task('commit', { commit_sha: HEAD }), branch: COMMIT }, 'finished'],
    ['a commit, and none came', { worker: task('commit'), branch: DIRTY }, 'stopped'],
    ['files: finished, whether they are there or not', { worker: task('artifact'), branch: NOTHING_NEW }, 'finished'],
    ['files, and a commit came too: finished', { worker: task('artifact'), branch: COMMIT }, 'finished'],
    ['an answer, and files were changed: finished', { worker: task('answer'), branch: DIRTY }, 'finished'],
    ['a question', { worker: task('answer'), activity: QUESTION }, 'stopped'],
    [
      'a turn after it was over: only its deliveries end',
      { worker: task('commit', { status: 'idle' }), branch: COMMIT, unhandledTurn: true },
      'settle',
    ],
    [
      'offered to a person, and sent back: to review again',
      { worker: task('commit', { status: 'rejected', run: offered }), branch: COMMIT },
      'committed',
    ],
  ])('%s', (_, changes, expected) => {
    expect(outcome(decideProgress(view(changes), NOW))).toBe(expected);
  });

  test('says which commit it left, if any', () => {
    const fields = (branch: typeof COMMIT, expects: Worker['expects']) => decideProgress(view({ worker: task(expects), branch }), NOW);
    expect(fields(COMMIT, 'commit')).toMatchObject({ fields: { commit_sha: HEAD, current_prompt: null, attention: null } });
    expect(fields(NOTHING_NEW, 'artifact')).toMatchObject({ fields: { commit_sha: null } });
  });
});

describe('whatever the evidence is', () => {
  const instant = fc.integer({ min: NOW - 20_000, max: NOW });
  const views = fc
    .record({
      worker: fc
        .record({
          status: fc.constantFrom(...STATUSES),
          current_prompt: fc.constantFrom(null, 'x'),
          commit_sha: fc.constantFrom(null, HEAD, OLD),
          attention: fc.constantFrom(null, { kind: 'no_commit' } as const),
          expects: fc.constantFrom('commit', 'artifact', 'answer'),
        })
        .map(aWorker),
      activity: fc.constantFrom(...ACTIVITIES),
      undelivered: fc.constantFrom(0, 1),
      acked: fc.array(
        fc.constantFrom('hook', 'screen', 'transcript').map((source) => ackedBy(source)),
        { maxLength: 2 },
      ),
      screen: fc.option(fc.record({ kind: fc.constantFrom(...ACTIVITIES).map(({ kind }) => kind), since: instant, at: instant }), {
        nil: undefined,
      }),
      unhandledTurn: fc.boolean(),
      branch: fc.option(
        fc.record({ head: fc.constantFrom(HEAD, OLD), ahead: fc.nat({ max: 2 }), changed: fc.constantFrom([], ['a.txt']) }),
        {
          nil: undefined,
        },
      ),
    })
    .map(view);

  test('no move is ever refused by the worker’s status', () => {
    fc.assert(
      fc.property(views, (current) => {
        const decision = decideProgress(current, NOW);
        if (decision.kind === 'move') expect(transition(current.worker, decision.event).kind).toBe('to');
      }),
      { numRuns: 2_000 },
    );
  });

  test('only work that git knows goes to review, and git is asked at most once', () => {
    fc.assert(
      fc.property(views, (current) => {
        const decision = decideProgress(current, NOW);
        if (current.branch !== undefined) expect(decision.kind).not.toBe('ask_git');
        if (outcome(decision) === 'committed') expect(current.branch?.ahead).toBeGreaterThan(0);
      }),
      { numRuns: 2_000 },
    );
  });

  test('a decision is not repeated once it is performed', () => {
    fc.assert(
      fc.property(views, (current) => {
        const decision = decideProgress(current, NOW);
        if (decision.kind !== 'move') return;
        const moved = transition(current.worker, decision.event);
        const worker = { ...current.worker, ...decision.fields, status: moved.status };
        const next = decideProgress({ ...current, worker, acked: decision.turnOver ? [] : current.acked, unhandledTurn: false }, NOW);
        expect(outcome(next)).toBe('nothing');
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a turn that left a background task', () => {
  const running = (sinceMs: number, branch?: BranchFacts): ProgressView =>
    view({
      assessment: { ...anAssessment({ kind: 'processing', detail: 'background' }), since: NOW - sinceMs },
      branch,
    });

  test.each<[string, ProgressView, string]>([
    ['is not over at first: the agent may continue by itself', running(10_000, COMMIT), 'nothing'],
    ['makes llmc ask git after a minute', running(61_000), 'ask_git'],
    ['goes to review then, if there is a commit', running(61_000, COMMIT), 'committed'],
    ['keeps waiting without a commit', running(61_000, NOTHING_NEW), 'nothing'],
    [
      'keeps waiting with the commit that was sent back',
      { ...running(61_000, COMMIT), worker: at('rejected', { commit_sha: HEAD }) },
      'nothing',
    ],
  ])('%s', (_, current, expected) => {
    expect(outcome(decideProgress(current, NOW))).toBe(expected);
  });
});

describe('a worker without progress, for which a person was called', () => {
  const attention = { kind: 'stuck', quiet_ms: 1, at_ms: NOW - 5_000 } as const;
  const busy = { kind: 'processing' } as const;

  test.each([
    ['stays so while nothing changes', NOW - 5_000, { kind: 'nothing' }],
    ['continues with the next sign of progress', NOW - 4_999, { kind: 'move', event: 'continued', fields: { attention: null } }],
  ])('%s', (_, progressAt, expected) => {
    const worker = { ...at('needs_input'), attention };
    expect(decideProgress(view({ worker, activity: busy, progressAt, screen: undefined }), NOW)).toMatchObject(expected);
  });
});

test('no worker is working with nothing under way: whatever stays as it is, a person is told within two minutes', () => {
  const kinds: readonly Activity[] = [...ACTIVITIES, STOPPED].filter(({ kind }) => !ELSEWHERE.includes(kind));
  const sources = fc.constantFrom<Delivery['ack_source']>('hook', 'screen', 'transcript', 'protocol');
  const facts = fc.record({
    activity: fc.constantFrom(...kinds),
    acked: fc.option(sources, { nil: undefined }),
    shown: fc.option(fc.constantFrom(...ACTIVITIES), { nil: undefined }),
    unhandledTurn: fc.boolean(),
    branch: fc.constantFrom(COMMIT, NOTHING_NEW),
  });
  fc.assert(
    fc.property(facts, ({ activity, acked, shown, unhandledTurn, branch }) => {
      const now = NOW + 120_000;
      const screen = shown && { kind: shown.kind, since: 0, at: now };
      const rows = acked === undefined ? [] : [ackedBy(acked)];
      const decision = decideProgress(view({ activity, acked: rows, screen, unhandledTurn, branch }), now);
      expect(decision.kind).toBe('move');
    }),
  );
});

/** The agent works, which the ladder for agents without progress watches; or another part owns what follows: a start, an end, a limit. */
const ELSEWHERE: readonly Activity['kind'][] = ['processing', 'starting', 'exited', 'waiting_limit'];
