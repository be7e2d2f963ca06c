import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { scratchStore } from '../../test/support/scratch-store.ts';
import type { SystemPorts } from '../base/ports.ts';
import type { Layout } from '../store/layout.ts';
import { systemPorts } from '../system/ports.ts';
import { aState } from '../workers/samples.ts';
import { ask, reachSupervisor } from './api/client.ts';
import { hostSupervisor } from './host.ts';

/** Turns of the event loop after the request to stop, by which a premature answer would have arrived. */
const SLOW_END_TURNS = 200;

interface Hosting {
  readonly ports?: SystemPorts;
  readonly say?: (line: string) => void;
  /** Runs after the request to stop, before the supervisor ends. */
  readonly slowly?: () => Promise<void>;
}

/** A supervisor without workers, in this process. */
async function hosting(layout: Layout, { ports = systemPorts, say = () => undefined, slowly = async () => undefined }: Hosting = {}) {
  writeFileSync(layout.config, `[repo]\nsource = ${JSON.stringify(layout.root)}\nbranch = "main"\n`);
  const begun = Promise.withResolvers<void>();
  const never = new AbortController().signal;
  const ended = hostSupervisor({
    root: layout.root,
    version: '1',
    ports,
    say,
    opened: () => undefined,
    onHistory: () => undefined,
    ring: () => undefined,
    patrol: false,
    beside: async (_, signal) => {
      begun.resolve();
      if (!signal.aborted) await once(signal, 'abort');
      await slowly();
    },
    stop: never,
    stopNow: never,
  });
  await Promise.race([begun.promise, ended]);
  return { ended };
}

/** Polls of seconds take a turn of the event loop. */
const hurried: SystemPorts = {
  ...systemPorts,
  clock: { now: systemPorts.clock.now, sleep: () => new Promise((done) => setImmediate(done)) },
};

async function down(layout: Layout) {
  const socket = await reachSupervisor(layout.apiSocket);
  if (socket === undefined) throw new Error('nobody listens');
  expect(await ask(socket, { version: '1', name: 'down', args: { force: true }, say: () => undefined })).toEqual([]);
  return socket;
}

test('a caller whose `down` was answered cannot reach this supervisor any more', async () => {
  using scratch = scratchStore(aState());
  const { layout } = scratch;
  const hosted = await hosting(layout, {
    slowly: async () => {
      for (let turn = 0; turn < SLOW_END_TURNS; turn += 1) await new Promise(setImmediate);
    },
  });
  const socket = await down(layout);
  expect(await reachSupervisor(layout.apiSocket)).toBeUndefined();
  expect([layout.apiSocket, layout.tmuxSocket, layout.owner].filter(existsSync)).toEqual([]);
  socket.destroy();
  expect(await hosted.ended).toEqual({ again: false });
});

test('a supervisor whose database was removed asks its service to start it again', async () => {
  using scratch = scratchStore(aState());
  const hosted = await hosting(scratch.layout, { ports: hurried });
  rmSync(scratch.layout.database);
  expect(await hosted.ended).toEqual({ again: true });
});

test('a supervisor whose socket was removed can be reached and stopped again', async () => {
  using scratch = scratchStore(aState());
  const { layout } = scratch;
  const hosted = await hosting(layout, { ports: hurried });
  rmSync(layout.apiSocket);
  await vi.waitUntil(() => existsSync(layout.apiSocket), { timeout: 10_000 });
  const socket = await vi.waitUntil(() => reachSupervisor(layout.apiSocket), { timeout: 10_000 });
  socket.destroy();
  (await down(layout)).destroy();
  expect(await hosted.ended).toEqual({ again: false });
});

test('a record of an accept that cannot be read does not end the supervisor, which would end its agents', async () => {
  using scratch = scratchStore(aState());
  const { layout } = scratch;
  using store = scratch.open();
  store.database.exec("INSERT INTO landings (id, worker, phase, head, created_ms) VALUES ('l-1', 'adam', 'no such phase', 'abc', 1)");
  const said: string[] = [];
  const hosted = await hosting(layout, { say: (line) => said.push(line) });
  await vi.waitUntil(() => said.some((line) => line.includes('interrupted')), { timeout: 10_000 });
  (await down(layout)).destroy();
  expect(await hosted.ended).toEqual({ again: false });
});
