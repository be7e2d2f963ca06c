import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConversation } from '../../src/agents/demo/tui/conversation.ts';
import { taskOf } from '../../src/agents/demo/tui/turn/task.ts';
import { isFullRun } from '../support/full-run.ts';
import { until } from '../support/scratch-tmux.ts';
import { seededRandom } from './seeded-random.ts';
import { type CrashWorld, crashWorld } from './world.ts';

const NAMES = ['adam', 'baker', 'carol', 'dora', 'emil', 'frida', 'gustav', 'hanna'];
const SIZE = isFullRun ? { tasks: 200, workers: 8, kills: 60 } : { tasks: 12, workers: 3, kills: 3 };
const SEED = Number(process.env['LLMC_SEED'] ?? 1);
/** The changes of one task, from its prompt to its landing. */
const CHANGES_PER_TASK = 8;
const LONGEST_PAUSE_MS = 300;
/** As long as the other random kills may take: at a load of 60 on two cores, five minutes were not enough. */
const PATIENCE_MS = isFullRun ? 3_600_000 : 570_000;
/** Every such task waits for the one before it. */
const CHAINED = 10;

const textOf = (number: number): string => `Write down the number ${number} of ${SIZE.tasks}`;

interface Given {
  readonly number: number;
  readonly state: string;
  readonly to: string | null;
  /** In the order in which they were given. */
  readonly delivery: string | null;
}

function tasksIn(world: CrashWorld): readonly Given[] {
  return world.rows('SELECT number, state, given_to, delivery FROM queue ORDER BY number').map((row) => ({
    number: Number(row.number),
    state: String(row.state),
    to: row.given_to === null ? null : String(row.given_to),
    delivery: row.delivery === null ? null : String(row.delivery),
  }));
}

const isOver = (world: CrashWorld): boolean => tasksIn(world).every(({ state }) => state === 'done');

/** Each prompt that an agent received and each turn that it began, from the records of the agents. */
function receivedBy(
  world: CrashWorld,
  names: readonly string[],
): { readonly prompts: readonly string[]; readonly turns: readonly string[] } {
  const facts = names
    .flatMap((name) => globSync(join(world.layout.scratch(name), 'conversations', '*.jsonl')))
    .flatMap((file) => readConversation(file) ?? []);
  return {
    prompts: facts.flatMap((fact) => (fact.type === 'entry' && fact.entry.kind === 'prompt' ? [taskOf(fact.entry.text)] : [])),
    turns: facts.flatMap((fact) => (fact.type === 'turn' ? [taskOf(fact.prompt)] : [])),
  };
}

/** Accepts whatever waits for review, as a person with nothing else to do. A command that meets a killed supervisor is repeated. */
async function acceptAll(world: CrashWorld, names: readonly string[]): Promise<void> {
  while (!isOver(world)) {
    let ready: readonly string[] = [];
    await until(
      'work to review',
      async () => {
        ready = names.filter((name) => world.worker(name).status === 'needs_review');
        return ready.length > 0 || isOver(world);
      },
      PATIENCE_MS,
    );
    for (const name of ready) await world.llmc(['accept', name]);
  }
}

/** Kills a worker's agent once per task at most: three crashes of one task call a person. */
async function killRandomly(
  world: CrashWorld,
  names: readonly string[],
  random: () => number,
): Promise<Record<'supervisor' | 'agent', number>> {
  const killed = { supervisor: 0, agent: 0 };
  const hit = new Set<number>();
  for (let kill = 0; kill < SIZE.kills && !isOver(world); kill += 1) {
    const step = Math.floor(random() * 2 * ((SIZE.tasks * CHANGES_PER_TASK) / (SIZE.kills + 1)));
    const moment = { changes: world.changes() + step, pauseMs: random() * LONGEST_PAUSE_MS };
    const withSupervisor = kill % 2 === 0;
    const victim = Math.floor(random() * names.length);
    if (withSupervisor) {
      await world.killSupervisorAt(moment, () => isOver(world));
      killed.supervisor += 1;
      await until('the supervisor to be back', async () => (await world.up()).status === 0, PATIENCE_MS);
      continue;
    }
    await until('the moment', async () => world.changes() >= moment.changes || isOver(world), PATIENCE_MS);
    const busy = tasksIn(world).filter(({ number, state }) => state === 'given' && !hit.has(number));
    const task = busy[victim % Math.max(1, busy.length)];
    if (task?.to == null) continue;
    hit.add(task.number);
    if (await world.killAgentAfter(task.to, moment.pauseMs)) killed.agent += 1;
  }
  return killed;
}

/** Earlier tasks that still waited when this one was given were on their way to other workers. */
function expectOrder(world: CrashWorld, workers: number): void {
  const order = world
    .rows('SELECT queue.number FROM queue JOIN deliveries ON deliveries.id = queue.delivery ORDER BY deliveries.seq')
    .map(({ number }) => Number(number));
  for (const [index, number] of order.entries()) {
    const overtaken = order.slice(index + 1).filter((later) => later < number && !isChained(later) && !isChained(number));
    expect(overtaken.length, `task ${number} overtook ${overtaken.join(', ')}`).toBeLessThan(workers);
  }
}

const isChained = (number: number): boolean => number % CHAINED === 0;

test(`${SIZE.tasks} tasks through ${SIZE.workers} workers while supervisor and agents are killed: each is done once, in its order (seed ${SEED})`, {
  timeout: PATIENCE_MS + 30_000,
}, async ({ signal }) => {
  const names = NAMES.slice(0, SIZE.workers);
  const numbers = Array.from({ length: SIZE.tasks }, (_, index) => index + 1);
  await using world = await crashWorld(names, signal);
  for (const number of numbers)
    await world.must(['start', '--queue', '--prompt', textOf(number), ...(isChained(number) ? ['--after', String(number - 1)] : [])]);
  const begun = Date.now();
  expect(await world.up()).toMatchObject({ status: 0 });
  const [killed] = await Promise.all([killRandomly(world, names, seededRandom(SEED)), acceptAll(world, names)]);
  if (isFullRun)
    console.log(`${SIZE.tasks} tasks, ${SIZE.workers} workers, ${JSON.stringify(killed)}: ${Math.round((Date.now() - begun) / 1_000)} s`);

  const texts = numbers.map(textOf);
  const { prompts, turns } = receivedBy(world, names);
  const own = (list: readonly string[]) => list.filter((text) => texts.includes(text)).toSorted();
  expect(own(turns)).toEqual(texts.toSorted());
  expect(own(prompts)).toEqual(texts.toSorted());
  expect(tasksIn(world).map(({ number, state }) => `${number} ${state}`)).toEqual(numbers.map((number) => `${number} done`));
  const subjects = (await world.repo.run(['log', '--reverse', '--format=%s', '--first-parent', 'main'])).split('\n');
  expect(subjects.toSorted()).toEqual(['Begin', ...texts].toSorted());
  for (const number of numbers.filter(isChained))
    expect(subjects.indexOf(textOf(number))).toBeGreaterThan(subjects.indexOf(textOf(number - 1)));
  expectOrder(world, names.length);
  expect(world.rows("SELECT worker FROM landings WHERE phase <> 'settled'")).toEqual([]);
  // The last kill may have hit an agent that had just finished.
  const isAtRest = (name: string) => world.worker(name).status === 'idle' && world.worker(name).attention === null;
  await until('all workers to be idle', async () => names.every(isAtRest), PATIENCE_MS);
});
