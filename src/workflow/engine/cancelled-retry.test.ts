import { describe, expect, test } from 'vitest';
import { LlmcError } from '../../base/error.ts';
import type { What } from '../model/event.ts';
import { SqliteRecords } from '../store/sqlite-records.ts';
import { EngineWorld } from './samples.ts';

/** An agent that leaves nothing is told what is missing, and the database of its worker is locked. */
async function waiting(): Promise<EngineWorld> {
  const world = new EngineWorld({ turn: () => undefined });
  world.workers.followUp = () => Promise.reject(new LlmcError('DATABASE_ERROR', 'the database is locked'));
  await world.begin('swarm-1');
  // An attempt is stored right before the next one.
  while ((await retries(world)).length === 0) await move(world);
  expect(await retries(world)).toMatchObject([{ attempt: 1, outcome: null }]);
  return world;
}

/** As the loop does, which does not wait for what it performs. */
async function move(world: EngineWorld): Promise<void> {
  await world.engine.pass(new AbortController().signal);
  await world.turnsOfTheLoop();
  world.agentsWork();
  world.clock.pass(500);
  await world.turnsOfTheLoop();
}

async function retries(world: EngineWorld) {
  return await new SqliteRecords(world.database).retries('swarm-1');
}

async function tell(world: EngineWorld, what: What): Promise<void> {
  await world.post('swarm-1', what.kind, what);
  await world.engine.pass(new AbortController().signal);
  await world.turnsOfTheLoop();
}

describe('the wait before a message is sent again', () => {
  test('ends when a person aborts the run', async () => {
    using world = await waiting();
    await tell(world, { kind: 'abort', why: 'enough' });
    await world.until(async () => (await retries(world)).every(({ outcome }) => outcome !== null));
    expect(await retries(world)).toMatchObject([
      { operation: 'tell an agent', step: 'research', attempt: 1, delayMs: 500, error: { message: 'the database is locked' } },
      { attempt: 2, outcome: 'cancelled' },
    ]);
    expect((await world.load('swarm-1')).status).toBe('aborted');
  });

  test('ends when a person pauses the run, and the message is sent after the pause', async () => {
    using world = await waiting();
    await tell(world, { kind: 'pause', now: true });
    await world.until(async () => (await retries(world)).every(({ outcome }) => outcome !== null));
    expect((await retries(world)).every(({ outcome }) => outcome === 'cancelled')).toBe(true);
    const sent: string[] = [];
    world.workers.followUp = ({ text }) => Promise.resolve(void sent.push(text));
    for (let round = 0; round < 5; round += 1) await move(world);
    expect(sent).toEqual([]);
    await tell(world, { kind: 'resume', how: { kind: 'go_on' } });
    while (sent.length === 0) await move(world);
    expect(sent).toHaveLength(1);
  });
});
