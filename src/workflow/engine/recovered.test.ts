import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SqliteCheckpoints } from '../checkpoint/sqlite-checkpoints.ts';
import { CHECKPOINT_TYPES, type CheckpointType } from '../model/action.ts';
import { planRecovery, type RecoverOptions } from '../recover/plan-recovery.ts';
import { SqliteRecords } from '../store/sqlite-records.ts';
import { EngineWorld } from './samples.ts';

const OPTIONS: RecoverOptions = { retryFailedStage: true, keepAgents: false, dropMessages: false };

const checkpointsOf = async (world: EngineWorld) => await new SqliteCheckpoints(world.database).list('swarm-1');

/** A swarm in which the researcher crashes once, time passes and a person saves it, so that every type is stored. */
async function untilStored(type: CheckpointType): Promise<EngineWorld> {
  const world = new EngineWorld();
  await world.begin('swarm-1');
  world.crashNext('swarm-1-researcher');
  for (let round = 0; round < 40; round += 1) {
    await world.round();
    if (round === 3) await world.post('swarm-1', 'mine', { kind: 'checkpoint', note: 'mine' });
    world.clock.pass(60_000);
    if ((await checkpointsOf(world)).some((one) => one.type === type)) return world;
  }
  throw new Error(`no checkpoint of the type ${type}`);
}

async function recover(world: EngineWorld, options: Partial<RecoverOptions> = {}): Promise<void> {
  const plan = planRecovery(await world.load('swarm-1'), await checkpointsOf(world), { ...OPTIONS, ...options });
  if ('kind' in plan) throw new Error(plan.kind);
  await world.post('swarm-1', 'recovered', { kind: 'recovered', ...plan.restored });
}

const effectsOf = (world: EngineWorld, what: string) => world.workers.effects.filter((effect) => effect.startsWith(what));

test('a developer whose task was lost with the database gets it again, with the remarks of the review', async () => {
  using world = new EngineWorld({
    turn: ({ worker, worktree, turn }) => {
      mkdirSync(join(worktree, '.llmc-task/out'), { recursive: true });
      if (worker.endsWith('researcher')) writeFileSync(join(worktree, '.llmc-task/out/findings.md'), '# Findings');
      if (!worker.endsWith('reviewer')) return;
      Object.assign(world.workers.workers.get('swarm-1-developer') ?? {}, { continues: turn > 1 });
      const verdict = turn === 1 ? 'verdict: changes\nissues: [no test]\n' : 'verdict: approved\n';
      writeFileSync(join(worktree, '.llmc-task/out/verdict.yaml'), verdict);
    },
  });
  await world.begin('swarm-1');
  const [run] = await world.untilEnded('swarm-1');
  expect(run).toMatchObject({ status: 'done', escalations: [], steps: { develop: { round: 2 } } });
  expect(world.workers.messages).toEqual([]);
  const given = world.workers.tasks.filter(({ worker }) => worker === 'swarm-1-developer').map(({ prompt }) => prompt);
  const history = (await new SqliteRecords(world.database).history('swarm-1')).map(({ text }) => text);
  expect(history.filter((text) => text.includes('starts again'))).toEqual(['its agent cannot go on with it and starts again']);
  expect(given).toEqual([expect.stringContaining('a clock'), expect.stringMatching(/a clock[\s\S]*- no test/)]);
});

describe('a run that was aborted goes on from each type of checkpoint', () => {
  test.each(CHECKPOINT_TYPES)('%s: to its end, without repeating what was done, with one landing', async (type) => {
    using world = await untilStored(type);
    await world.post('swarm-1', 'abort', { kind: 'abort', why: 'enough' });
    await world.untilEnded('swarm-1');
    const { steps } = await world.load('swarm-1');
    const before = Object.fromEntries(world.turns);
    const found = (await checkpointsOf(world)).find((one) => one.type === type);
    await recover(world, { checkpoint: found?.id });
    await world.round();
    const [run] = await world.untilEnded('swarm-1');
    expect(run).toMatchObject({ status: 'done', error: null });
    expect(effectsOf(world, 'offer')).toHaveLength(1);
    for (const { address, state, result } of Object.values(steps))
      if (state.kind === 'done' && found?.completed.includes(address)) expect(run?.steps[address]?.result).toEqual(result);
    if (found?.completed.includes('research')) expect(world.turns.get('swarm-1-researcher')).toBe(before['swarm-1-researcher']);
  });

  test('past two that are damaged', async () => {
    using world = await untilStored('stage_complete');
    await world.post('swarm-1', 'abort', { kind: 'abort', why: 'enough' });
    await world.untilEnded('swarm-1');
    const [newest, second] = await checkpointsOf(world);
    for (const one of [newest, second])
      world.database.prepare("UPDATE checkpoints SET state_json = state_json || ' ' WHERE id = ?").run(one?.id ?? '');
    const done = world.turns.get('swarm-1-researcher');
    await recover(world);
    await world.round();
    expect(await world.untilEnded('swarm-1')).toMatchObject([{ status: 'done' }]);
    expect(world.turns.get('swarm-1-researcher')).toBe(done);
    expect(effectsOf(world, 'offer')).toHaveLength(1);
  });
});
