import { expect, test } from 'vitest';
import { LlmcError } from '../../base/error.ts';
import { SqliteRecords } from '../store/sqlite-records.ts';
import { EngineWorld } from './samples.ts';

const errorsOf = (world: EngineWorld) => new SqliteRecords(world.database).errors('swarm-1');

test('an agent of a run that was aborted is stopped, also when the first tries fail', async () => {
  using world = new EngineWorld({ turn: () => undefined });
  await world.begin('swarm-1');
  await world.engine.pass(new AbortController().signal);
  await world.engine.settled();
  let tries = 0;
  world.workers.halt = () => {
    tries += 1;
    return tries < 3 ? Promise.reject(new LlmcError('TMUX_SESSION_FAILED', 'tmux does not answer')) : Promise.resolve();
  };
  await world.post('swarm-1', 'abort', { kind: 'abort', why: 'enough' });
  for (let round = 0; round < 10; round += 1) await world.round();
  expect(tries).toBe(3);
  expect(await errorsOf(world)).toEqual([]);
});

test('an agent that cannot be stopped is in the error log of its run', async () => {
  using world = new EngineWorld({ turn: () => undefined });
  await world.begin('swarm-1');
  await world.engine.pass(new AbortController().signal);
  await world.engine.settled();
  world.workers.halt = () => Promise.reject(new LlmcError('TMUX_SESSION_FAILED', 'tmux does not answer'));
  await world.post('swarm-1', 'abort', { kind: 'abort', why: 'enough' });
  for (let round = 0; round < 30; round += 1) await world.round();
  expect(await errorsOf(world)).toMatchObject([
    { code: 'TMUX_SESSION_FAILED', message: 'the worker researcher was not stopped: tmux does not answer', retries: 3 },
  ]);
});

test('a message that cannot be delivered is a dead letter', async () => {
  using world = new EngineWorld();
  await world.begin('swarm-1');
  await world.engine.pass(new AbortController().signal);
  await world.engine.settled();
  world.workers.deliver = () => Promise.reject(new LlmcError('WORKER_NOT_FOUND', 'there is no such worker'));
  await world.post('swarm-1', 'm1', { kind: 'message', from: 'reviewer', to: 'researcher', text: 'Hello' });
  await world.round();
  await world.round();
  expect(await errorsOf(world)).toMatchObject([
    { code: 'ROUTING_FAILED', details: 'Hello', message: 'a message from reviewer was not delivered: there is no such worker' },
  ]);
});

test('a message that waits for a task which never comes is a dead letter, and so is one after the end', async () => {
  using world = new EngineWorld();
  await world.begin('swarm-1');
  for (let round = 0; round < 4; round += 1) await world.round();
  await world.post('swarm-1', 'm1', { kind: 'message', from: 'person', to: 'researcher', text: 'Too late' });
  await world.untilEnded('swarm-1');
  await world.post('swarm-1', 'm2', { kind: 'message', from: 'person', to: 'researcher', text: 'Much too late' });
  await world.round();
  expect(await errorsOf(world)).toMatchObject([
    { code: 'ROUTING_FAILED', details: 'Too late', message: expect.stringContaining('no further task of researcher came') },
    { code: 'ROUTING_FAILED', details: 'Much too late', message: expect.stringContaining('the run has ended') },
  ]);
});
