import { expect, test } from 'vitest';
import { scratchStore } from '../../test/support/scratch-store.ts';
import { lastHeartbeat } from '../store/tables/heartbeat.ts';
import { Heartbeat } from './heartbeat.ts';
import { WriteWatch } from './observe/write-watch.ts';

function beating() {
  const scratch = scratchStore();
  const store = scratch.open();
  const said: string[] = [];
  let records = 0;
  const { clock, layout } = scratch;
  const writes = new WriteWatch({ store, clock, layout, files: store.files, say: (line) => said.push(line) });
  const heartbeat = new Heartbeat(clock, () => {
    records += 1;
    writes.check();
  });
  return { scratch, store, said, heartbeat, records: () => records, [Symbol.dispose]: () => scratch[Symbol.dispose]() };
}

test('the first pass is recorded, the next ones once in 15 s, and the memory knows each', () => {
  using root = beating();
  const { heartbeat, scratch, store } = root;
  const start = scratch.clock.now();
  expect(lastHeartbeat(store.database)).toBeUndefined();
  for (const afterMs of [0, 100, 14_999]) {
    scratch.clock.set(start + afterMs);
    heartbeat.beat();
    expect(heartbeat.lastPassAt).toBe(start + afterMs);
  }
  expect(lastHeartbeat(store.database)).toEqual({ pid: process.pid, at: start });
  scratch.clock.set(start + 15_000);
  heartbeat.beat();
  expect(lastHeartbeat(store.database)).toEqual({ pid: process.pid, at: start + 15_000 });
  expect(root.records()).toBe(2);
});

test('a clock that is set back by an hour does not end the records', () => {
  using root = beating();
  const { heartbeat, scratch, store } = root;
  heartbeat.beat();
  scratch.clock.set(scratch.clock.now() - 3_600_000);
  heartbeat.beat();
  expect(lastHeartbeat(store.database)?.at).toBe(scratch.clock.now());
});

test('a database that cannot be written is reported once, and the loop and its watchdog continue', () => {
  using root = beating();
  const { heartbeat, scratch, store, said } = root;
  store.database.close();
  for (const afterMs of [0, 15_000, 30_000]) {
    scratch.clock.set(scratch.clock.now() + afterMs);
    heartbeat.beat();
  }
  expect(said).toEqual([expect.stringMatching(/^cannot record the heartbeat: /)]);
  expect(root.records()).toBe(3);
});
