import { expect, test } from 'vitest';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import type { Worker } from '../../store/state.ts';
import { aConfig, aState, aWorker } from '../../workers/samples.ts';
import { aDelivery, aWatch } from '../samples.ts';
import type { CommonStep } from './delivery-step.ts';
import { endWaiting, watchWaiting } from './waiting-watch.ts';

const MENU = { kind: 'something_open', what: 'menu', title: '', key: 'Esc' } as const;
const HOLD: CommonStep = { kind: 'hold', reason: MENU, why: 'a menu' };
const PERSON: CommonStep = { kind: 'hold', reason: { kind: 'person_typing' }, why: 'a person' };
const BUSY: CommonStep = { kind: 'hold', reason: { kind: 'busy' }, why: 'in a turn' };
const STOPPED: CommonStep = { kind: 'hold', reason: { kind: 'agent_stopped', pid: 7 }, why: 'stopped' };
const DRAFT: CommonStep = { kind: 'hold', reason: { kind: 'draft_in_box' }, why: 'a draft' };
const WAITS = { kind: 'prompt_waits', reason: MENU } as const;

/** A worker whose prompt waits, and a clock for the passes. */
function waiting(worker: Partial<Worker> = {}, config = aConfig('[delivery]\nack_timeout_ms = 1000\n[recovery]\ndelivery_attempts = 1\n')) {
  const scratch = scratchStore(aState(aWorker({ status: 'working', ...worker })));
  const store = scratch.open();
  const watch = aWatch({ name: 'adam' });
  const context = { store, clock: scratch.clock, say: () => {} };
  const began = scratch.clock.now();
  return {
    watch,
    adam: () => store.worker('adam'),
    history: () => store.database.prepare('SELECT count(*) AS n FROM history').get()?.['n'],
    /** Passes every half second, up to this time. */
    until(seconds: number, step: Parameters<typeof watchWaiting>[3]) {
      for (let now = scratch.clock.now(); now <= began + seconds * 1_000; now += 500) {
        scratch.clock.set(now);
        watchWaiting(context, watch, aDelivery(), step, config);
      }
    },
    end: () => endWaiting(context, watch),
    [Symbol.dispose]: () => scratch[Symbol.dispose](),
  };
}

test('a person is told after a minute, once, and the worker continues when its prompt is on its way', () => {
  using held = waiting();
  held.until(59, HOLD);
  expect(held.adam()).toMatchObject({ status: 'working', attention: null });
  held.until(60, HOLD);
  expect(held.adam()).toMatchObject({ status: 'needs_input', attention: WAITS });
  const lines = held.history();
  held.until(90, HOLD);
  expect(held.history()).toBe(lines);
  // The person who comes to close the menu does not change it.
  held.until(95, PERSON);
  expect(held.adam()).toMatchObject({ status: 'needs_input', attention: WAITS });
  held.until(95.5, { kind: 'type' });
  expect(held.adam()).toMatchObject({ status: 'working', attention: null });
});

test('a worker whose agent works on after the obstacle is gone is at work again, also while its prompt still waits', () => {
  using held = waiting();
  held.until(60, HOLD);
  expect(held.adam()).toMatchObject({ status: 'needs_input', attention: WAITS });
  held.until(61, BUSY);
  expect(held.adam()).toMatchObject({ status: 'working', attention: null });
});

test('a draft and a stopped process have an attention of their own', () => {
  using draft = waiting();
  draft.until(60, DRAFT);
  expect(draft.adam()).toMatchObject({ status: 'needs_input', attention: { kind: 'draft_in_box' } });
  using stopped = waiting();
  stopped.until(60, STOPPED);
  expect(stopped.adam()).toMatchObject({ status: 'needs_input', attention: { kind: 'agent_stopped', pid: 7 } });
});

test('a prompt that shows no reaction is told too', () => {
  using sent = waiting();
  sent.until(61, { kind: 'wait', why: 'waiting for the acknowledgement' });
  expect(sent.adam().attention).toEqual({ kind: 'prompt_waits', reason: { kind: 'no_reaction' } });
});

test('rejected work keeps its status, and another attention stays', () => {
  using rejected = waiting({ status: 'rejected' });
  rejected.until(60, HOLD);
  expect(rejected.adam()).toMatchObject({ status: 'rejected', attention: WAITS });
  rejected.end();
  expect(rejected.adam()).toMatchObject({ status: 'rejected', attention: null });
  const attention = { kind: 'startup_dialog', question: 'Trust it?' } as const;
  using asking = waiting({ status: 'needs_input', attention });
  asking.until(60, HOLD);
  expect(asking.adam()).toMatchObject({ status: 'needs_input', attention });
});

test('a prompt that is gone takes its attention with it, but a process that is still stopped does not', () => {
  using gone = waiting({ status: 'needs_input', attention: WAITS });
  gone.end();
  expect(gone.adam()).toMatchObject({ status: 'working', attention: null });
  using stopped = waiting({ status: 'needs_input', attention: { kind: 'agent_stopped', pid: 7 } });
  stopped.end();
  expect(stopped.adam().status, 'a new supervisor has not read the process table yet').toBe('needs_input');
  stopped.watch.pulse = { ...stopped.watch.pulse, stopped: { pid: 7, since: 0 }, at: 1 };
  stopped.end();
  expect(stopped.adam().status).toBe('needs_input');
  stopped.watch.pulse = { ...stopped.watch.pulse, stopped: undefined };
  stopped.end();
  expect(stopped.adam().status).toBe('working');
});

test('a person is told after the time of config.toml', () => {
  using held = waiting({}, aConfig('[recovery]\nhold_person_secs = 300\n'));
  held.until(299, HOLD);
  expect(held.adam().attention).toBeNull();
  held.until(300, HOLD);
  expect(held.adam()).toMatchObject({ status: 'needs_input', attention: WAITS });
});
