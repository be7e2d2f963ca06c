import { describe, expect, test } from 'vitest';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import type { Activity } from '../../agents/activity.ts';
import type { Signals } from '../../base/ports.ts';
import { type Delivery, insertDelivery, updateDelivery } from '../../store/tables/deliveries.ts';
import { aDelivery, aPane, aReading, aTmuxWatch, aWatch, READY } from '../samples.ts';
import { wakeSuspended } from './wake-suspended.ts';

const SUSPENDED: Activity = { kind: 'unknown', opened: { what: 'suspended', title: '', key: '' } };

interface Scene {
  readonly groupExists?: boolean;
  readonly box?: 'empty' | 'absent';
  /** The state of its oldest prompt. */
  readonly prompt?: Delivery['state'];
}

function waking(activity: Activity, { groupExists = true, box = 'empty', prompt }: Scene = {}) {
  const scratch = scratchStore();
  const { clock } = scratch;
  const sent: string[] = [];
  const signals: Signals = {
    isAlive: () => true,
    send: (pid, signal) => sent.push(`${signal} ${pid}`) > 0 && (pid > 0 || groupExists),
    killStrays: () => 0,
  };
  const watch = aWatch({ name: 'adam', tmux: aTmuxWatch(aPane({ pid: 10 })) });
  const show = (shown: Activity) => {
    const capture = {
      screen: { lines: [], width: 1, height: 1 },
      reading: aReading(shown, { kind: box }),
      since: clock.now(),
      at: 0,
      stillSince: 0,
      essence: '',
    };
    watch.screen = { ...watch.screen, capture };
  };
  show(activity);
  const store = scratch.open();
  if (prompt !== undefined) {
    insertDelivery(store.database, aDelivery());
    updateDelivery(store.database, 'd-1', { state: prompt, typed_ms: 0 });
  }
  const context = { store, clock, signals };
  const pass = (ms: number) => clock.set(clock.now() + ms);
  return { sent, clock, pass, watch, show, wake: () => wakeSuspended(context, watch), [Symbol.dispose]: () => scratch[Symbol.dispose]() };
}

test('a suspended agent is continued with its group, and again when that did not help', () => {
  using agent = waking(SUSPENDED);
  expect([agent.wake(), agent.wake()]).toEqual([true, false]);
  expect(agent.sent).toEqual(['SIGCONT -10']);
  agent.pass(5_000);
  expect(agent.wake()).toBe(true);
  expect(agent.sent).toHaveLength(2);
});

test('a clock that was set back does not keep a suspended agent waiting', () => {
  using agent = waking(SUSPENDED);
  agent.wake();
  agent.clock.set(agent.clock.now() - 3_600_000);
  expect(agent.wake()).toBe(true);
});

test('an agent that stays suspended is continued ever less often, and at once after it was awake', () => {
  using agent = waking(SUSPENDED);
  const seconds = [];
  for (let second = 0; second <= 200; second += 1, agent.pass(1_000)) if (agent.wake()) seconds.push(second);
  expect(seconds).toEqual([0, 5, 15, 35, 75, 135, 195]);
  agent.show(READY);
  expect(agent.wake()).toBe(false);
  agent.show(SUSPENDED);
  expect(agent.wake()).toBe(true);
});

describe('a screen on which nothing can be read', () => {
  const UNREADABLE: Activity = { kind: 'unknown' };

  test('gets the signal while a prompt is on its way: the prompt may have scrolled the words of a suspended agent off the screen', () => {
    using agent = waking(UNREADABLE, { box: 'absent', prompt: 'typed' });
    agent.pass(2_999);
    expect(agent.wake()).toBe(false);
    agent.pass(1);
    expect(agent.wake()).toBe(true);
    expect(agent.sent).toEqual(['SIGCONT -10']);
  });

  test('gets none without such a prompt, with a box, in front of a menu, and for an agent that a person stopped', () => {
    using nothing = waking(UNREADABLE, { box: 'absent', prompt: 'held' });
    using boxed = waking(UNREADABLE, { box: 'empty', prompt: 'typed' });
    using menu = waking({ kind: 'unknown', opened: { what: 'menu', title: 'Settings', key: 'Esc' } }, { box: 'absent', prompt: 'typed' });
    using stopped = waking(UNREADABLE, { box: 'absent', prompt: 'typed' });
    stopped.watch.pulse = { ...stopped.watch.pulse, stopped: { pid: 10, since: 0 } };
    for (const agent of [nothing, boxed, menu, stopped]) {
      agent.pass(60_000);
      expect(agent.wake()).toBe(false);
    }
  });
});

test('without a group of its own, the process is continued', () => {
  using agent = waking(SUSPENDED, { groupExists: false });
  agent.wake();
  expect(agent.sent).toEqual(['SIGCONT -10', 'SIGCONT 10']);
});

test('no other agent gets a signal, and no process that has ended', () => {
  using ready = waking(READY);
  expect(ready.wake()).toBe(false);
  using dead = waking(SUSPENDED);
  dead.watch.tmux = aTmuxWatch(aPane({ dead: true }));
  expect(dead.wake()).toBe(false);
  expect([...ready.sent, ...dead.sent]).toEqual([]);
});
