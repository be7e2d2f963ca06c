import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EngineWorld } from './samples.ts';

const GO_ON = { kind: 'resume', how: { kind: 'go_on' } } as const;

test.each(Array.from({ length: 14 }, (_, round) => round))(
  'a run that is paused after round %i and over a restart ends like every other one',
  async (rounds) => {
    using world = new EngineWorld();
    await world.begin('swarm-1');
    for (let round = 0; round < rounds; round += 1) await world.round();
    await world.post('swarm-1', 'pause', { kind: 'pause', now: rounds % 2 === 0 });
    for (let round = 0; round < 35; round += 1) await world.round();
    const { status } = await world.load('swarm-1');
    expect(['paused', 'done']).toContain(status);
    if (status === 'paused') expect(world.workers.living()).toEqual([]);

    await world.restart();
    const effects = world.workers.effects.length;
    for (let round = 0; round < 5; round += 1) await world.round();
    expect((await world.load('swarm-1')).status).toBe(status);
    if (status === 'paused') expect(world.workers.effects).toHaveLength(effects);

    if (status === 'paused') await world.post('swarm-1', 'resume', GO_ON);
    const [run] = await world.untilEnded('swarm-1');
    expect(run).toMatchObject({ status: 'done', recoveries: 0, warnings: [] });
    expect(world.workers.effects.filter((effect) => effect.startsWith('offer'))).toHaveLength(1);
  },
);

test('a run that is resumed before its pause put the agents to rest leaves those alone that have got a task', async () => {
  using world = new EngineWorld();
  await world.begin('swarm-1');
  // The task is on its way to the agent, but not there.
  world.killAt('attempt:after-make', 1);
  await world.round();
  expect(world.kills).toBe(1);
  await world.post('swarm-1', 'pause', { kind: 'pause', now: false });
  await world.post('swarm-1', 'resume', GO_ON);
  for (let pass = 0; pass < 3; pass += 1) {
    await world.engine.pass(new AbortController().signal);
    await world.engine.settled();
    world.clock.pass(1_000);
  }
  expect(world.workers.living()).toEqual([{ name: 'swarm-1-researcher', busy: true }]);
  expect(await world.load('swarm-1')).toMatchObject({ status: 'running', steps: { research: { state: { kind: 'acting' } } } });
  const [run] = await world.untilEnded('swarm-1');
  expect(run).toMatchObject({ status: 'done', recoveries: 0, warnings: [] });
});

test.each([
  ['says that it is finished is done', 'done: 3\ntotal: 3\n', 'done'],
  ['says how far it is goes on later', 'done: 1\ntotal: 3\nnote: half of it\n', 'cooling'],
  ['says nothing goes on later', '', 'cooling'],
])('an agent at work is interrupted and told to save; one that %s, although its file is there', async (_, progress, state) => {
  using world = new EngineWorld({
    turn: ({ worktree }) => {
      const out = join(worktree, '.llmc-task/out');
      mkdirSync(out, { recursive: true });
      writeFileSync(join(out, 'findings.md'), '# Findings\n');
      writeFileSync(join(out, 'progress.yaml'), progress);
    },
  });
  await world.begin('swarm-1');
  await world.round();
  const [action = ''] = world.workers.tasks.map(({ id }) => id);
  // Its report of the end has not come yet.
  await world.post('swarm-1', 'given', { kind: 'started', action });
  await world.post('swarm-1', 'pause', { kind: 'pause', now: false });
  await world.round();
  expect(world.workers.messages).toMatchObject([
    { worker: 'swarm-1-researcher', interrupt: true, text: expect.stringContaining('Save to') },
  ]);
  for (let round = 0; round < 3; round += 1) await world.round();
  expect(await world.load('swarm-1')).toMatchObject({ status: 'paused', steps: { research: { state: { kind: state } } } });
});
