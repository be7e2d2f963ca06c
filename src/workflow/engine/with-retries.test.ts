import { expect, test } from 'vitest';
import { LlmcError } from '../../base/error.ts';
import { openDatabase } from '../../store/database.ts';
import { POLICY } from '../next/samples.ts';
import { SqliteQueue } from '../store/sqlite-queue.ts';
import { SqliteRuns } from '../store/sqlite-runs.ts';
import { withRetries } from './with-retries.ts';

const locked = () => new LlmcError('DATABASE_ERROR', 'the database is locked');

/** Ports that fail so often before they work, and the waits between. */
function world(failures: number, error: () => unknown = locked) {
  const waits: number[] = [];
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
  })(database);
  const message = async () => perhaps();
  const deliver = async () => {
    perhaps();
    return true;
  };
  const sleep = (ms: number) => Promise.resolve(void waits.push(ms));
  return {
    waits,
    ports: withRetries(
      { runs, queue: new SqliteQueue(database), messages: { deliver, followUp: message } },
      { policy: () => Promise.resolve({ ...POLICY, maxAgents: 4 }), clock: { now: () => 0, sleep }, random: { next: () => 0 } },
    ),
  };
}

test('a locked database is tried again after 100, 200 and 400 ms', async () => {
  const { ports, waits } = world(3);
  expect(await ports.runs.list()).toEqual([]);
  expect(waits).toEqual([100, 200, 400]);
});

test('a database that stays locked fails with what it said', async () => {
  const { ports, waits } = world(9);
  await expect(ports.runs.list()).rejects.toThrow('the database is locked');
  expect(waits).toHaveLength(3);
});

test('a message is tried again after half a second, five times', async () => {
  const { ports, waits } = world(5);
  await ports.messages.deliver({ id: 'm', worker: 'swarm-1-developer', text: 'hello' });
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000]);
});

test('a failure that cannot pass is not tried again', async () => {
  const { ports, waits } = world(1, () => new LlmcError('WORKER_NOT_FOUND', 'no'));
  await expect(ports.messages.followUp({ id: 'm', worker: 'x', text: '' })).rejects.toThrow('no');
  expect(waits).toEqual([]);
});
