import { describe, expect, test } from 'vitest';
import { scratchWork } from '../../../test/support/scratch-work.ts';
import type { Activity } from '../../agents/activity.ts';
import type { FailedTurn } from '../../recovery/decide-failed-turn.ts';
import type { Worker } from '../../store/state.ts';
import { insertDelivery, recentDeliveries, updateDelivery } from '../../store/tables/deliveries.ts';
import { ofRun } from '../../workers/samples.ts';
import { anAssessment, aReading, aTmuxWatch, aWatch, LIMIT, LOGGED_OUT, OVERLOADED, READY } from '../samples.ts';
import { handleFailedTurn } from './handle-failed-turn.ts';

const TASK: Partial<Worker> = { status: 'working', current_prompt: 'Build it' };
const FULL: Activity = { kind: 'error', type: 'context_full', recoverable: false, message: 'too long' };

/** A worker whose agent stands at its prompt after this, with its acknowledged task. */
async function afterTurn(activity: Activity, worker: Partial<Worker> = TASK, config = '') {
  const work = await scratchWork({ worker });
  const { store, clock, layout, files } = work.context;
  files.append(layout.config, config);
  insertDelivery(store.database, { id: 't', worker: 'adam', purpose: 'task', text: 'Build it', fresh_conversation: 1, created_ms: 1 });
  updateDelivery(store.database, 't', { state: 'acked', acked_event: 1, typed_ms: 1, submitted_ms: 2, acked_ms: 3 });
  const now = clock.now();
  const latest = { activity, at: now, seq: 7, event: 'turn_failed' };
  const watch = aWatch({ now, assessment: anAssessment(activity, { since: now }), tmux: aTmuxWatch() });
  const screen = { lines: [], width: 80, height: 24 };
  watch.reported = { ...watch.reported, latest };
  watch.screen = { ...watch.screen, capture: { screen, reading: aReading(activity), since: now, at: now, stillSince: 0, essence: '' } };
  return {
    work,
    watch,
    store,
    now,
    handle: async () => handleFailedTurn(work.context, watch, await work.context.config()),
    rows: () =>
      recentDeliveries(store.database, 'adam', 5).map(({ purpose, state, fresh_conversation }) => ({ purpose, state, fresh_conversation })),
    [Symbol.asyncDispose]: () => work[Symbol.asyncDispose](),
  };
}

const failed = (changes: Partial<FailedTurn> = {}): FailedTurn => ({
  error: 'overloaded',
  message: 'm',
  event: 7,
  since_ms: 1,
  attempt: 1,
  attempts: 6,
  until_ms: 2,
  ...changes,
});

describe('a turn that failed with a temporary error', () => {
  test.each<[status: Worker['status']]>([['working'], ['rejected'], ['rebasing']])('waits while %s, and is noted once', async (status) => {
    await using at = await afterTurn(OVERLOADED, { ...TASK, status });
    expect(await at.handle()).toBe('acted');
    const { failed_turn } = at.store.worker('adam');
    expect(failed_turn).toMatchObject({ error: 'overloaded', event: 7, attempt: 1, attempts: 6 });
    expect((failed_turn?.until_ms ?? 0) - at.now).toBeGreaterThanOrEqual(60_000);
    expect((failed_turn?.until_ms ?? 0) - at.now).toBeLessThan(80_000);
    expect(await at.handle()).toBe('waits');
    expect(at.store.worker('adam').failed_turn).toEqual(failed_turn);
    expect(at.rows()).toHaveLength(1);
  });

  test('is continued once when its time has come, also by a supervisor that only knows the stored record', async () => {
    await using at = await afterTurn(READY, { ...TASK, failed_turn: failed() });
    expect(await at.handle()).toBe('acted');
    expect(at.store.worker('adam').failed_turn).toMatchObject({ attempt: 1, until_ms: null });
    expect(at.rows()).toMatchObject([
      { purpose: 'continue', state: 'queued' },
      { purpose: 'task', state: 'done' },
    ]);
    expect(await at.handle()).toBe('none');
    expect(at.rows()).toHaveLength(2);
  });

  test('of a run is left to the run, which may have another agent', async () => {
    await using at = await afterTurn(OVERLOADED, { ...TASK, run: ofRun({ task: { id: 't', kind: 'work' } }) });
    expect(await at.handle()).toBe('none');
    expect(at.store.worker('adam').failed_turn).toBeNull();
  });

  test.each<[string, Activity, Partial<Worker>]>([
    ['needs a person to log in', LOGGED_OUT, TASK],
    ['is a usage limit', LIMIT, TASK],
    ['belongs to a person without a task', OVERLOADED, { ...TASK, current_prompt: null }],
  ])('is left to the others when it %s', async (_, activity, worker) => {
    await using at = await afterTurn(activity, worker);
    expect(await at.handle()).toBe('none');
    expect(at.store.worker('adam').failed_turn).toBeNull();
  });

  test('is not planned again behind the message of a person who was called', async () => {
    await using at = await afterTurn(OVERLOADED);
    const message = { id: 'm', worker: 'adam', purpose: 'message', text: 'go on', fresh_conversation: 0 } as const;
    insertDelivery(at.store.database, { ...message, created_ms: at.now + 1 });
    expect(await at.handle()).toBe('none');
    expect(at.store.worker('adam').failed_turn).toBeNull();
  });

  test('is planned before a message that waited when it failed', async () => {
    await using at = await afterTurn(OVERLOADED);
    const message = { id: 'm', worker: 'adam', purpose: 'message', text: 'and then', fresh_conversation: 0 } as const;
    insertDelivery(at.store.database, { ...message, created_ms: at.now - 1 });
    expect(await at.handle()).toBe('acted');
    expect(at.store.worker('adam').failed_turn).toMatchObject({ attempt: 1 });
  });

  test('is forgotten with its task', async () => {
    await using at = await afterTurn(READY, { status: 'needs_input', current_prompt: 'Build it', failed_turn: failed() });
    expect(await at.handle()).toBe('none');
    expect(at.store.worker('adam').failed_turn).toBeNull();
  });
});

describe('a full conversation', () => {
  test.each([
    ['ask', 'none', ['task']],
    ['compact', 'acted', ['continue', 'compact', 'task']],
    ['fresh', 'acted', ['continue', 'task']],
  ])('context_full = "%s"', async (how, outcome, purposes) => {
    await using at = await afterTurn(FULL, TASK, `\n[recovery]\ncontext_full = "${how}"\n`);
    expect(await at.handle()).toBe(outcome);
    expect(at.rows().map(({ purpose }) => purpose)).toEqual(purposes);
    expect(at.rows()[0]?.fresh_conversation).toBe(how === 'fresh' ? 1 : how === 'ask' ? 1 : 0);
  });
});
