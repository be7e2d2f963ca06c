import { expect, test } from 'vitest';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import type { Activity } from '../../agents/activity.ts';
import type { Signals } from '../../base/ports.ts';
import { aPane, aReading, aTmuxWatch, aWatch, READY } from '../samples.ts';
import { wakeSuspended } from './wake-suspended.ts';

const SUSPENDED: Activity = { kind: 'unknown', opened: { what: 'suspended', title: '', key: '' } };

function waking(activity: Activity, groupExists = true) {
  const scratch = scratchStore();
  const sent: string[] = [];
  const signals: Signals = {
    isAlive: () => true,
    send: (pid, signal) => sent.push(`${signal} ${pid}`) > 0 && (pid > 0 || groupExists),
    killStrays: () => 0,
  };
  const watch = aWatch({ name: 'adam', tmux: aTmuxWatch(aPane({ pid: 10 })) });
  const show = (shown: Activity) => {
    const capture = { screen: { lines: [], width: 1, height: 1 }, reading: aReading(shown), since: 0, at: 0, essence: '' };
    watch.screen = { ...watch.screen, capture };
  };
  show(activity);
  const { clock } = scratch;
  const context = { store: scratch.open(), clock, signals };
  return { sent, clock, watch, show, wake: () => wakeSuspended(context, watch), [Symbol.dispose]: () => scratch[Symbol.dispose]() };
}

test('a suspended agent is continued with its group, and again when that did not help', () => {
  using agent = waking(SUSPENDED);
  expect([agent.wake(), agent.wake()]).toEqual([true, false]);
  expect(agent.sent).toEqual(['SIGCONT -10']);
  agent.clock.set(agent.clock.now() + 5_000);
  expect(agent.wake()).toBe(true);
  expect(agent.sent).toHaveLength(2);
});

test('a clock that was set back does not keep a suspended agent waiting', () => {
  using agent = waking(SUSPENDED);
  agent.wake();
  agent.clock.set(agent.clock.now() - 3_600_000);
  expect(agent.wake()).toBe(true);
});

test('an agent that stays suspended is left to a person after three times, and is continued again after it was awake', () => {
  using agent = waking(SUSPENDED);
  const later = () => {
    agent.clock.set(agent.clock.now() + 5_000);
    return agent.wake();
  };
  expect([later(), later(), later(), later(), later()]).toEqual([true, true, true, false, false]);
  expect(agent.sent).toHaveLength(3);
  agent.show(READY);
  expect(later()).toBe(false);
  agent.show(SUSPENDED);
  expect(later()).toBe(true);
});

test('without a group of its own, the process is continued', () => {
  using agent = waking(SUSPENDED, false);
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
