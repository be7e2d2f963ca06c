import { expect, test } from 'vitest';
import { findAgent } from '../../agents/registry.ts';
import { KeyedLocks } from '../../base/keyed-locks.ts';
import { aConfig, aWorker } from '../../workers/samples.ts';
import { isStarting, startAlone } from './start-alone.ts';

/** A machine whose time passes while llmc sleeps, and whose agents are beyond their start when the test says so. */
function aMachine() {
  let now = 0;
  const [started, beyond]: [string[], Set<string>] = [[], new Set()];
  const context = {
    locks: new KeyedLocks(),
    clock: {
      now: () => now,
      sleep: async (ms: number) => {
        now += ms;
        // Lets the test act between two questions.
        await new Promise((resolve) => setImmediate(resolve));
      },
    },
    signal: new AbortController().signal,
  };
  const start = (name: string, agent = 'codex') =>
    startAlone(
      context,
      aConfig(),
      aWorker({ name, agent }),
      async () => beyond.has(name),
      async () => void started.push(name),
    );
  return { context, started, beyond, start, now: () => now };
}

test('agents that share their files start one after the other, each when the one before it is beyond its start', async () => {
  const { context, started, beyond, start } = aMachine();
  const both = [start('adam'), start('bert')];
  await new Promise((resolve) => setImmediate(resolve));
  expect(started).toEqual(['adam']);
  expect(isStarting(context, findAgent('codex'))).toBe(true);
  beyond.add('adam');
  await both[0];
  beyond.add('bert');
  await both[1];
  expect(started).toEqual(['adam', 'bert']);
  expect(isStarting(context, findAgent('codex'))).toBe(false);
});

test('an agent that never gets beyond its start, or cannot be started, does not stop the others', async () => {
  const { context, started, start, now } = aMachine();
  const failed = startAlone(
    context,
    aConfig(),
    aWorker({ agent: 'codex' }),
    async () => false,
    () => Promise.reject(new Error('no tmux')),
  );
  const others = [start('adam'), start('bert')];
  await expect(failed).rejects.toThrow('no tmux');
  await Promise.all(others);
  expect(started).toEqual(['adam', 'bert']);
  expect(now()).toBe(10_000);
});

test('other agents do not wait', async () => {
  const { started, start, now } = aMachine();
  await Promise.all([start('adam', 'claude'), start('bert', 'demo')]);
  expect(started).toEqual(['adam', 'bert']);
  expect(now()).toBe(0);
});
