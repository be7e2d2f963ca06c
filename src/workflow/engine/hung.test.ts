import { describe, expect, test } from 'vitest';
import type { FaultPoint } from '../../base/fault.ts';
import { hasEnded } from '../next/next.ts';
import { SqliteRecords } from '../store/sqlite-records.ts';
import { whyView } from '../view/why-view.ts';
import { EngineWorld } from './samples.ts';

const MINUTE_MS = 60_000;
const TAKEN_OVER = /^llmc performs ".+" again \(time 2\): what performed it ended or gave no sign of life/;

/** Each piece of work of a swarm with one remark is given once, also if another process watched it. */
const TURNS = { 'swarm-1-researcher': 1, 'swarm-1-developer': 2, 'swarm-1-reviewer': 2 };
const GIVEN = [
  'follow up swarm-1-developer',
  'give swarm-1-developer',
  'give swarm-1-researcher',
  'give swarm-1-reviewer',
  'give swarm-1-reviewer',
  'offer swarm-1-developer',
];

/** Where what performs a task can stop, and which time: in the first attempt, in a collection, in the landing. */
const POINTS: readonly (readonly [FaultPoint, number])[] = [
  ['run:before-perform', 1],
  ['run:before-perform', 5],
  ['attempt:after-make', 1],
  ['attempt:after-exchange', 2],
  ['run:after-perform', 1],
  ['run:after-perform', 2],
  ['run:after-perform', 9],
  ['run:after-post', 4],
  ['collect:before-ref', 1],
  ['collect:before-store', 1],
  ['collect:after-store', 2],
  ['dismiss:before-remove', 1],
];

/** There the agent has its task, or the answer is stored: the step goes on without what performed it. */
const WITHOUT_IT: readonly string[] = ['run:after-perform 1', 'run:after-post 4'];

const historyOf = async (world: EngineWorld, run: string) => await new SqliteRecords(world.database).history(run);

/** In steps of a minute: the time after which a performance counts as dead is long. */
async function untilEnded(world: EngineWorld, run: string): Promise<void> {
  for (let round = 0; round < 400; round += 1) {
    if (hasEnded(await world.load(run)) && (await world.queue.claimable(Number.MAX_SAFE_INTEGER)).length === 0) return;
    await world.round(MINUTE_MS);
  }
  throw new Error(`${run} does not end`);
}

describe('what performs a task and hangs', () => {
  test.each(POINTS)('at %s, time %i, is taken over after its lease; no agent is asked twice, and the run goes on', async (point, nth) => {
    using world = new EngineWorld();
    await world.begin('swarm-1');
    world.hangAt(point, nth);
    await untilEnded(world, 'swarm-1');
    expect(world.hung).toHaveLength(1);
    expect(await world.load('swarm-1')).toMatchObject({ status: 'done', level: 'full', recoveries: 0 });
    expect(Object.fromEntries(world.turns)).toEqual(TURNS);
    expect(world.workers.effects.filter((effect) => /^(give|follow|offer)/.test(effect)).toSorted()).toEqual(GIVEN);
    expect([...world.workers.workers.keys()]).toEqual([]);
    const notes = (await historyOf(world, 'swarm-1')).filter(({ text }) => TAKEN_OVER.test(text));
    expect(notes).toHaveLength(WITHOUT_IT.includes(`${point} ${nth}`) ? 0 : 1);

    // It comes back to life after all: nothing happens a second time.
    const { version } = await world.load('swarm-1');
    for (const revive of world.hung.splice(0)) revive();
    await world.turnsOfTheLoop();
    await world.round();
    expect(await world.load('swarm-1')).toMatchObject({ version });
    expect(world.workers.effects.filter((effect) => /^(give|follow|offer)/.test(effect)).toSorted()).toEqual(GIVEN);
    expect(world.said).toEqual([]);
  });

  test('does not hold up other runs, also if there are more of them than places', async () => {
    using world = new EngineWorld({ policy: { maxAgents: 40 } });
    for (let run = 1; run <= 10; run += 1) {
      await world.begin(`swarm-${run}`);
      world.hangAt('attempt:after-make', 1);
      await world.round();
    }
    expect(world.hung.length).toBeGreaterThanOrEqual(8);
    world.hangAt('attempt:after-make', 1_000);
    await world.begin('swarm-20');
    for (let round = 0; round < 300 && !hasEnded(await world.load('swarm-20')); round += 1) await world.round();
    expect(await world.load('swarm-20')).toMatchObject({ status: 'done' });
    expect(await world.load('swarm-1')).toMatchObject({ status: 'running' });
  });

  test('is shown by why, with the stage', async () => {
    using world = new EngineWorld({ turn: () => undefined });
    await world.begin('swarm-1');
    world.hangAt('attempt:after-make', 1);
    const history = async () => await historyOf(world, 'swarm-1');
    for (let round = 0; round < 400 && (await history()).length === 0; round += 1) await world.round(MINUTE_MS);
    const run = await world.load('swarm-1');
    const why = whyView(run, { tasks: [], history: await history(), errors: [] }, world.clock.at);
    expect(why.history).toContainEqual(expect.objectContaining({ stage: 'research', text: expect.stringMatching(TAKEN_OVER) }));
  });

  test('is not given up because the machine was suspended', async () => {
    using world = new EngineWorld();
    world.engine.beat();
    await world.begin('swarm-1');
    world.hangAt('attempt:after-make', 1);
    await world.round();
    world.engine.beat();
    world.clock.pass(5 * 60 * MINUTE_MS);
    world.engine.beat();
    await world.round();
    await world.round();
    expect((await historyOf(world, 'swarm-1')).filter(({ text }) => TAKEN_OVER.test(text))).toEqual([]);
    for (const revive of world.hung.splice(0)) revive();
    const [run] = await world.untilEnded('swarm-1');
    expect(run).toMatchObject({ status: 'done', recoveries: 0 });
  });

  test('a worker that does not come to rest does not hold up the pass', async () => {
    using world = new EngineWorld({ policy: { maxAgents: 1 } });
    const rest = world.workers.rest.bind(world.workers);
    const [asked, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    world.workers.rest = async (name) => {
      asked.resolve();
      await free.promise;
      await rest(name);
    };
    await world.begin('swarm-1');
    for (let isAsked = false; !isAsked; ) {
      await world.engine.pass(new AbortController().signal);
      isAsked = await Promise.race([world.engine.settled().then(() => false), asked.promise.then(() => true)]);
      world.agentsWork();
    }
    await world.engine.pass(new AbortController().signal);
    free.resolve();
    const [run] = await world.untilEnded('swarm-1');
    expect(run).toMatchObject({ status: 'done' });
  });
});
