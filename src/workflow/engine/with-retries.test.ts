import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LlmcError } from '../../base/error.ts';
import { openDatabase } from '../../store/database.ts';
import { newRun, POLICY, swarmPlan } from '../next/samples.ts';
import { FakeWorkers } from '../perform/samples.ts';
import type { Claim } from '../store/ports.ts';
import { SqliteQueue } from '../store/sqlite-queue.ts';
import { SqliteRecords } from '../store/sqlite-records.ts';
import { SqliteRuns } from '../store/sqlite-runs.ts';
import { withMessageRetries, withRetries } from './with-retries.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'llmc-retries-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const locked = () => new LlmcError('DATABASE_ERROR', 'the database is locked');
const CLAIM: Claim = {
  run: 'swarm-1',
  attempt: 1,
  host: 'one',
  takenOver: false,
  action: {
    id: 'swarm-1.7',
    step: 'develop',
    task: { kind: 'deliver', seat: 'developer', to: 'developer', from: 'person', text: 'hello' },
  },
};

/** Ports that fail so often before they work, the waits between, and what is stored about it. */
async function world(failures: number, error: () => unknown = locked, duringWait: () => void = () => undefined) {
  const waits: number[] = [];
  const stored: (readonly string[])[] = [];
  let left = failures;
  const perhaps = () => {
    left -= 1;
    if (left >= 0) throw error();
  };
  const database = openDatabase(':memory:');
  const runs = new (class extends SqliteRuns {
    override list() {
      perhaps();
      return super.list();
    }
    override note(...args: Parameters<SqliteRuns['note']>) {
      perhaps();
      return super.note(...args);
    }
  })(database);
  const workers = new (class extends FakeWorkers {
    override deliver() {
      perhaps();
      return Promise.resolve(true);
    }
    override followUp() {
      perhaps();
      return Promise.resolve();
    }
  })(folder);
  const records = new SqliteRecords(database);
  await runs.create(newRun(swarmPlan(), 0), { key: 'e0', at: 0, dice: 0, what: { kind: 'begin' } });
  const retries = async () =>
    (await records.retries('swarm-1')).map(({ step, operation, attempt, delayMs, error: { code, message }, outcome }) =>
      [step, operation, attempt, delayMs, code, message, outcome].join(' '),
    );
  const sleep = async (ms: number, signal?: AbortSignal) => {
    waits.push(ms);
    duringWait();
    signal?.throwIfAborted();
    stored.push(await retries());
  };
  const means = { policy: () => Promise.resolve({ ...POLICY, maxAgents: 4 }), clock: { now: () => 0, sleep }, random: { next: () => 0 } };
  const ports = withRetries({ runs, queue: new SqliteQueue(database) }, means);
  const messages = (signal = new AbortController().signal) => withMessageRetries(workers, { ...means, runs }, CLAIM, signal);
  return { waits, retries, stored, ports, messages };
}

test('a locked database is tried again after 100, 200 and 400 ms', async () => {
  const { ports, waits } = await world(3);
  expect(await ports.runs.list()).toMatchObject([{ id: 'swarm-1' }]);
  expect(waits).toEqual([100, 200, 400]);
});

test('a database that stays locked fails with what it said', async () => {
  const { ports, waits } = await world(9);
  await expect(ports.runs.list()).rejects.toThrow('the database is locked');
  expect(waits).toHaveLength(3);
});

test('each attempt about a run is stored with its error, and with what the operation came to', async () => {
  const { ports, retries } = await world(2);
  await ports.runs.note('swarm-1', 'hello', 0);
  expect(await retries()).toEqual([
    ' add to the history 1 100 DATABASE_ERROR the database is locked succeeded',
    ' add to the history 2 200 DATABASE_ERROR the database is locked succeeded',
  ]);
});

test('a message is tried again after half a second, five times', async () => {
  const { messages, waits } = await world(5);
  await messages().deliver({ id: 'm', worker: 'swarm-1-developer', text: 'hello' });
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000]);
});

test('an attempt is stored before the next one, and the last one says that nothing follows', async () => {
  const { messages, stored, retries } = await world(9);
  await expect(messages().deliver({ id: 'm', worker: 'x', text: '' })).rejects.toThrow('the database is locked');
  expect(stored[2]).toEqual([
    'develop deliver a message 1 500 DATABASE_ERROR the database is locked ',
    'develop deliver a message 2 1000 DATABASE_ERROR the database is locked ',
  ]);
  expect(await retries()).toHaveLength(6);
  expect((await retries()).at(-1)).toBe('develop deliver a message 6  DATABASE_ERROR the database is locked failed');
});

test('a wait before the next attempt can be cancelled, and the record says so', async () => {
  const stop = new AbortController();
  const { messages, waits, retries } = await world(9, locked, () => stop.abort(new Error('the run was aborted')));
  await expect(messages(stop.signal).followUp({ id: 'm', worker: 'x', text: '' })).rejects.toThrow('the run was aborted');
  expect(waits).toEqual([500]);
  expect(await retries()).toEqual(['develop tell an agent 1 500 DATABASE_ERROR the database is locked cancelled']);
});

test('a failure that cannot pass is not tried again, and is not recorded as a retry', async () => {
  const { messages, waits, retries } = await world(1, () => new LlmcError('WORKER_NOT_FOUND', 'no'));
  await expect(messages().followUp({ id: 'm', worker: 'x', text: '' })).rejects.toThrow('no');
  expect(waits).toEqual([]);
  expect(await retries()).toEqual([]);
});
