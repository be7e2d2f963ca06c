import { expect, test } from 'vitest';
import { isFullRun } from '../support/full-run.ts';
import { NightWorld } from './night-world.ts';

const WORKERS = ['adam', 'baker', 'carl'];
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Both prompts of a worker take longer. */
const SPAN_MS = 55_000;
/** Longer than every wait of a policy together. */
const LONGEST_MS = 4 * HOUR_MS;

// LLMC_SEED=7 npx vitest run test/sim/nights.test.ts repeats one seed.
const seeds =
  process.env.LLMC_SEED === undefined
    ? Array.from({ length: isFullRun ? 40 : 1 }, (_, index) => index + 1)
    : [Number(process.env.LLMC_SEED)];

interface Night {
  readonly name: string;
  /** How often each agent starts again at most: an agent that lives is left alone. */
  readonly starts: 0 | 1;
  readonly accident: (world: NightWorld) => Promise<void> | void;
}

/** Nobody is there at once: the agents work unobserved, or are gone, until a person or a service types `llmc up`. */
async function comeUp(world: NightWorld): Promise<void> {
  await world.pass(world.random() * 30 * MINUTE_MS);
  await world.up();
}

const NIGHTS: readonly Night[] = [
  {
    name: 'the service is overloaded for an hour',
    starts: 0,
    accident(world) {
      world.overloadedUntil = world.clock.now() + HOUR_MS;
    },
  },
  { name: 'all agents are killed at once', starts: 1, accident: (world) => world.killAgents() },
  { name: 'the tmux server is killed', starts: 1, accident: (world) => world.tmux.killServer() },
  {
    name: 'the supervisor is killed',
    starts: 0,
    async accident(world) {
      world.killSupervisor();
      await comeUp(world);
    },
  },
  {
    name: 'all three are killed',
    starts: 1,
    async accident(world) {
      world.killSupervisor();
      world.killAgents();
      world.tmux.killServer();
      await comeUp(world);
    },
  },
  {
    name: 'the machine reboots and reuses its process ids',
    starts: 1,
    async accident(world) {
      world.killSupervisor();
      world.tmux.reboot();
      await comeUp(world);
    },
  },
  { name: 'the laptop is suspended for eight hours', starts: 0, accident: (world) => world.clock.suspend(8 * HOUR_MS) },
  {
    name: 'the disk is full for ten minutes',
    starts: 0,
    async accident(world) {
      world.fillDisk();
      await world.pass(10 * MINUTE_MS);
      world.freeDisk();
    },
  },
];

test.for(seeds)('seed %i: after each night every worker has done each prompt exactly once', async (seed) => {
  await using world = await NightWorld.make(WORKERS, seed);
  await world.up();
  await world.until('every agent to be ready', () => world.tmux.living.length === WORKERS.length, MINUTE_MS);
  const given = new Map<string, string[]>(WORKERS.map((name) => [name, []]));
  for (const { name: night, starts, accident } of shuffled(NIGHTS, world.random)) {
    const startsBefore = startsOf(world);
    for (const name of WORKERS)
      for (const which of ['first', 'second']) {
        const text = `${night}: the ${which} of ${name}`;
        given.get(name)?.push(text);
        await world.give(name, text);
      }
    // Most accidents happen while a prompt is on its way, some in the middle of a tmux command.
    await world.pass(world.random() ** 2 * SPAN_MS);
    await world.ticks(Math.floor(world.random() * 20));
    await accident(world);
    for (const name of WORKERS) await expectDoneOnce(world, name, given.get(name) ?? [], night);
    // Each night has one accident: prompts that meet the overload of the night before would fail within a millisecond.
    world.overloadedUntil = world.clock.now();
    for (const [index, count] of startsOf(world).entries()) expect(count - (startsBefore[index] ?? 0), night).toBeLessThanOrEqual(starts);
  }
});

/** Any order, by numbers drawn once for each. */
function shuffled<T>(all: readonly T[], random: () => number): readonly T[] {
  return all
    .map((one) => ({ one, place: random() }))
    .toSorted((left, right) => left.place - right.place)
    .map(({ one }) => one);
}

const startsOf = (world: NightWorld): readonly number[] => WORKERS.map((name) => world.history(name, 'launch').length);

async function expectDoneOnce(world: NightWorld, name: string, given: readonly string[], night: string): Promise<void> {
  const isDone = () =>
    world.context.store.worker(name).status === 'needs_review' && world.deliveries(name).every(({ state }) => state === 'done');
  await world.until(`${name} to be done, after a night in which ${night}`, isDone, LONGEST_MS);
  const tale = () => world.story(name);
  expect(await world.commits(name), tale()).toEqual(given);
  // No agent was silent for half an hour while it could work, and no person is needed.
  expect(world.history(name, 'stuck'), tale()).toEqual([]);
  for (const text of given)
    expect(
      world.turns(name).filter((prompt) => prompt.includes(text)),
      tale(),
    ).toHaveLength(1);
}
