import { createHash } from 'node:crypto';
import { globSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openReadOnly } from '../../src/store/database.ts';
import { until } from '../support/scratch-tmux.ts';
import { llmcWorld, type World } from '../support/world.ts';
import { Swarm, stateOf, swarmWorld } from './swarm-world.ts';

const recoverySchema = z.object({
  run: z.string(),
  checkpoint: z.string(),
  outcome: z.enum(['planned', 'recorded', 'recovered']),
  verified: z.enum(['sound', 'open', 'problems']).nullable(),
  steps: z.array(z.object({ step: z.string(), lines: z.array(z.string()) })),
});
const upSchema = z.object({ recoverable: z.array(z.object({ run: z.string(), command: z.string() })) });
const showSchema = z.object({ status: z.string(), stages: z.array(z.object({ id: z.string(), state: z.string() })) });

/** An agent writes, then a command fails until a file is there. */
const flow = (flag: string) => `name: fails
roles: { writer: {} }
stages:
  - { id: write, role: writer, prompt: Write about clocks. }
  - { id: check, command: "test -f '${flag}'", on_failure: { unmet: abort } }
  - { id: approve, review: write, by: person }
`;

/** Every file of the root by name and content, without sockets and SQLite's index for readers. */
function hashOf(root: string): string {
  const hash = createHash('sha256');
  for (const name of globSync('**', { cwd: root }).toSorted()) {
    const path = join(root, name);
    if (name.endsWith('-shm')) continue;
    hash.update(`${name}\0`);
    if (lstatSync(path).isFile()) hash.update(readFileSync(path));
  }
  return hash.digest('hex');
}

function attempts({ root }: World): number {
  using database = openReadOnly(join(root, 'llmc.db'));
  return Number(database.prepare("SELECT count(*) AS n FROM run_tasks WHERE kind = 'attempt'").get()?.n);
}

/** Changes a checkpoint as a failing disk would. */
async function damageNewest(world: World): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite');
  using database = new DatabaseSync(join(world.root, 'llmc.db'));
  database.exec("UPDATE checkpoints SET state_json = state_json || ' ' WHERE version = (SELECT max(version) FROM checkpoints)");
}

test('a run that failed goes on from its checkpoint, and what was done is not done again', async () => {
  await using world = await llmcWorld({ workers: [], stage: 'root' });
  const flag = join(world.dir, 'flag');
  mkdirSync(join(world.root, 'workflows'), { recursive: true });
  writeFileSync(join(world.root, 'workflows', 'fails.yaml'), flow(flag));
  expect(await world.run(['run', 'fails'])).toMatchObject({ status: 2 });
  expect(attempts(world)).toBe(1);

  await world.ok('down');
  const before = hashOf(world.root);
  const dry = await world.json(recoverySchema, 'recover', 'fails-1', '--retry-failed-stage', '--dry-run');
  expect(dry.outcome).toBe('planned');
  expect(dry.steps).toHaveLength(6);
  expect(dry.steps[2]?.lines.slice(0, 3)).toEqual(['write: stays as it ended', 'check: runs again', 'approve: waits for its turn']);
  expect(hashOf(world.root)).toBe(before);

  await damageNewest(world);
  const up = await world.json(upSchema, 'up', '--detach');
  expect(up.recoverable).toMatchObject([{ run: 'fails-1', command: 'llmc recover fails-1' }]);

  writeFileSync(flag, '');
  const recovery = await world.json(recoverySchema, 'recover', 'fails-1', '--retry-failed-stage', '--detach');
  expect(recovery).toMatchObject({ outcome: 'recovered', verified: 'sound' });
  // On a busy machine its shell line still runs when the recovery looks; what it leads to is asked for below.
  expect(recovery.steps[5]?.lines).toContainEqual(expect.stringMatching(/^(?:check is under way|approve asks you \(#1\))$/));
  expect(recovery.steps[0]?.lines[0]).toContain('is damaged (its hash does not match), so the one before it is used');
  await world.ok('wait', 'fails-1', '--for', 'waiting', '--timeout', '2m');
  expect(await world.json(showSchema, 'show', 'fails-1')).toMatchObject({
    stages: [
      { id: 'write', state: 'done' },
      { id: 'approve', state: 'asking' },
      { id: 'check', state: 'done' },
    ],
  });
  expect(attempts(world)).toBe(1);
  await world.ok('decide', 'fails-1', 'approve');
  await world.ok('wait', 'fails-1', '--for', 'done', '--timeout', '2m');
  expect(await world.refused(['recover', 'fails-1'])).toMatchObject({ message: 'fails-1 is done: there is nothing to recover' });
});

describe('a swarm that was aborted at its landing', () => {
  let world: World;
  beforeAll(async () => {
    world = await swarmWorld();
  });
  afterAll(async () => await world[Symbol.asyncDispose]());

  const landed = async (swarm: Swarm) => {
    const commits = await world.git('log', '--format=%s', 'main', '--', `llmc-demo/${swarm.worker('developer')}.md`);
    return commits.split('\n').filter((line) => line !== '');
  };

  test.concurrent('is recovered from the checkpoint that a person saved, and lands once', async () => {
    const swarm = new Swarm(world, 'again');
    expect(await swarm.play()).toMatchObject({ status: 'waiting' });
    await world.ok('checkpoint', swarm.run, '--note', 'before the landing');
    await world.ok('abort', swarm.run, '--reason', 'not now');
    const saved = (await world.ok('checkpoint', swarm.run, '--list')).split('\n').find((line) => line.includes('before the landing'));
    const recovery = await world.json(recoverySchema, 'recover', swarm.run, '--checkpoint', saved?.split(' ')[0] ?? '', '--detach');
    expect(recovery).toMatchObject({ outcome: 'recovered', checkpoint: saved?.split(' ')[0] });
    await until('the landing', async () => stateOf(await swarm.show(), 'land') === 'working', 240_000);
    await swarm.lands();
    expect(swarm.turns()).toEqual({ researcher: 1, developer: 1, reviewer: 1 });
  });

  test.concurrent('is done, and made again from its development: what has landed is taken back from main, and lands once more', async () => {
    const swarm = new Swarm(world, 'remade');
    expect(await swarm.play()).toMatchObject({ status: 'waiting' });
    await swarm.lands();
    expect(await world.refused(['resume', swarm.run])).toMatchObject({
      hint: expect.stringContaining(`llmc recover ${swarm.run} --from land`),
    });
    const dry = await world.json(recoverySchema, 'recover', swarm.run, '--from', 'develop', '--dry-run');
    expect(dry.steps[2]?.lines).toContain('land: begins again; what it has landed is taken back from main');
    await world.ok('recover', swarm.run, '--from', 'develop', '--detach');
    expect(await world.refused(['recover', swarm.run, '--from', 'develop'])).toMatchObject({ code: 'ILLEGAL_TRANSITION' });
    await until('the landing', async () => stateOf(await swarm.show(), 'land') === 'working', 240_000);
    await world.ok('review', swarm.worker('developer'));
    await world.ok('accept', swarm.worker('developer'));
    await world.ok('wait', swarm.run, '--for', 'done', '--timeout', '4m');
    expect((await landed(swarm)).map((subject) => subject.startsWith('Revert'))).toEqual([false, true, false]);
    expect(swarm.turns()).toEqual({ researcher: 1, developer: 2, reviewer: 2 });
  });

  test.concurrent('lands nothing again if a person accepted the work meanwhile', async () => {
    const swarm = new Swarm(world, 'meanwhile');
    expect(await swarm.play()).toMatchObject({ status: 'waiting' });
    await world.ok('abort', swarm.run, '--reason', 'not now');
    await world.ok('review', swarm.worker('developer'));
    await world.ok('accept', swarm.worker('developer'));
    expect(await landed(swarm)).toHaveLength(1);
    await world.ok('recover', swarm.run, '--detach');
    await world.ok('wait', swarm.run, '--for', 'done', '--timeout', '4m');
    expect(stateOf(await swarm.show(), 'land')).toBe('done');
    expect(await landed(swarm)).toHaveLength(1);
    expect(swarm.turns()).toEqual({ researcher: 1, developer: 1, reviewer: 1 });
  });
});
