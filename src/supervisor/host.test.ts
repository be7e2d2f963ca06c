import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scratchStore } from '../../test/support/scratch-store.ts';
import { systemPorts } from '../system/ports.ts';
import { aState } from '../workers/samples.ts';
import { ask, reachSupervisor } from './api/client.ts';
import { hostSupervisor } from './host.ts';

/** Turns of the event loop after the request to stop, by which a premature answer would have arrived. */
const SLOW_END_TURNS = 200;

test('a caller whose `down` was answered cannot reach this supervisor any more', async () => {
  using scratch = scratchStore(aState());
  const { layout } = scratch;
  writeFileSync(layout.config, `[repo]\nsource = ${JSON.stringify(layout.root)}\nbranch = "main"\n`);
  const begun = Promise.withResolvers<void>();
  const never = new AbortController().signal;
  const hosted = hostSupervisor({
    root: layout.root,
    version: '1',
    ports: systemPorts,
    say: () => undefined,
    opened: () => undefined,
    onHistory: () => undefined,
    ring: () => undefined,
    patrol: false,
    beside: async (_, signal) => {
      begun.resolve();
      if (!signal.aborted) await once(signal, 'abort');
      for (let turn = 0; turn < SLOW_END_TURNS; turn += 1) await new Promise(setImmediate);
    },
    stop: never,
    stopNow: never,
  });
  await begun.promise;

  const socket = await reachSupervisor(layout.apiSocket);
  if (socket === undefined) throw new Error('nobody listens');
  expect(await ask(socket, { version: '1', name: 'down', args: { force: true }, say: () => undefined })).toEqual([]);
  expect(await reachSupervisor(layout.apiSocket)).toBeUndefined();
  expect([layout.apiSocket, layout.tmuxSocket, layout.owner].filter(existsSync)).toEqual([]);
  socket.destroy();
  await hosted;
});
