import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { scratchStore } from '../../test/support/scratch-store.ts';
import { systemPorts } from '../system/ports.ts';
import { openContext } from '../workers/context.ts';
import { noAgents } from '../workers/no-agents.ts';
import { Supervisor } from './loop.ts';
import { WriteWatch } from './observe/write-watch.ts';

/** The loop of a root with one worker, whose database another program has locked for these first rests; it ends two rests later. */
async function lockedFor(rests: number) {
  using scratch = scratchStore();
  const store = scratch.open();
  mkdirSync(dirname(scratch.layout.deaths));
  store.database.exec('PRAGMA busy_timeout = 10');
  using other = new DatabaseSync(scratch.layout.database);
  other.exec('BEGIN EXCLUSIVE');
  const over = new AbortController();
  let now = scratch.clock.now();
  const restsMs: number[] = [];
  let started = 0;
  let startedMeanwhile = 0;
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      restsMs.push(ms);
      now += ms;
      if (restsMs.length === rests) {
        startedMeanwhile = started;
        other.exec('ROLLBACK');
      }
      if (restsMs.length === rests + 2) over.abort();
    },
  };
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  // The first step to start an agent; no further one is needed here.
  const makeFolder = () => {
    started += 1;
    throw new Error('this test starts no agent');
  };
  const ports = { ...systemPorts, clock, files: { ...systemPorts.files, makeFolder } };
  const context = openContext(store, ports, { supervised: true, say, signal: over.signal, agents: noAgents });
  const writes = new WriteWatch({ ...context, files: systemPorts.files });
  writes.check();
  const supervisor = new Supervisor(context, new Map(), () => undefined, writes);
  await supervisor.run(over.signal);
  const history = store.database.prepare("SELECT summary FROM history WHERE kind = 'trouble' AND worker IS NULL").all();
  return { restsMs, said, started, startedMeanwhile, history: history.map(({ summary }) => summary), unwritable: supervisor.unwritable };
}

test('while nothing can be written the loop waits with growing pauses, says it once, and then records how long it took', async () => {
  const { restsMs, said, started, startedMeanwhile, history, unwritable } = await lockedFor(6);
  expect(restsMs.slice(0, 6)).toEqual([500, 1_000, 2_000, 5_000, 5_000, 5_000]);
  expect(startedMeanwhile).toBe(0);
  expect(started).toBeGreaterThan(0);
  expect(said).toEqual(['another program has locked llmc.db: llmc waits until it can write again', 'llmc can write again, and continues']);
  expect(history).toEqual(['llmc could not write for 18s: another program has locked llmc.db. It can now, and continues']);
  expect(unwritable).toBeUndefined();
});
