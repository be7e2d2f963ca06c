import { expect, test } from 'vitest';
import { findAgent } from '../../agents/registry.ts';
import { KeyedLocks } from '../../base/keyed-locks.ts';
import { aConfig, aWorker } from '../../workers/samples.ts';
import { isStarting, startAlone } from './start-alone.ts';

/** A machine whose time passes while llmc sleeps, and whose servers listen when the test says so. */
function aMachine() {
  let now = 0;
  const [started, listening]: [string[], Set<string>] = [[], new Set()];
  const context = {
    locks: new KeyedLocks(),
    clock: {
      now: () => now,
      sleep: async (ms: number) => {
        now += ms;
        // Lets the test act between two looks at the socket.
        await new Promise((resolve) => setImmediate(resolve));
      },
    },
    files: { exists: (path: string) => listening.has(path) },
    signal: new AbortController().signal,
  };
  const start = (name: string, agent = 'codex', socket: string | undefined = name) =>
    startAlone(context, aConfig(), aWorker({ name, agent }), socket, async () => void started.push(name));
  return { context, started, listening, start, now: () => now };
}

test('servers that share their files start one after the other, each when the one before it listens', async () => {
  const { context, started, listening, start } = aMachine();
  const both = [start('adam'), start('bert')];
  await new Promise((resolve) => setImmediate(resolve));
  expect(started).toEqual(['adam']);
  expect(isStarting(context, findAgent('codex'))).toBe(true);
  listening.add('adam');
  await both[0];
  listening.add('bert');
  await both[1];
  expect(started).toEqual(['adam', 'bert']);
  expect(isStarting(context, findAgent('codex'))).toBe(false);
});

test('a server that never listens, or cannot be started, does not stop the others', async () => {
  const { context, started, start, now } = aMachine();
  const failed = startAlone(context, aConfig(), aWorker({ agent: 'codex' }), 's', () => Promise.reject(new Error('no tmux')));
  const others = [start('adam'), start('bert')];
  await expect(failed).rejects.toThrow('no tmux');
  await Promise.all(others);
  expect(started).toEqual(['adam', 'bert']);
  expect(now()).toBe(10_000);
});

test('other agents, and the keyboard channel, do not wait', async () => {
  const { started, start, now } = aMachine();
  await Promise.all([
    start('adam', 'claude'),
    start('bert', 'demo'),
    startAlone(aMachine().context, aConfig(), aWorker({ agent: 'codex' }), undefined, async () => void started.push('cora')),
  ]);
  expect(started).toEqual(['adam', 'bert', 'cora']);
  expect(now()).toBe(0);
});
