import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { promptsGiven } from '../support/agent-side.ts';
import { PATIENT } from '../support/agent-world.ts';
import { isAlive, until } from '../support/scratch-tmux.ts';
import { llmcWorld, type World } from '../support/world.ts';

const GATED = 'steps: [{ run: "until [ -e \\"$HOME/gate\\" ]; do sleep 0.1; done" }, { commit: "{{task}}" }]';

/** Each agent keeps its prompt in one state for seconds, long enough for a handover. */
const STATES = {
  adam: { state: 'typed', scenario: 'misbehave: [{ slow_keys: 4000 }]' },
  baker: { state: 'submitted', scenario: 'misbehave: [{ late_events: 12000 }]' },
  carl: { state: 'acked', scenario: `turns: [{ ${GATED} }]` },
  dora: { state: 'held', scenario: `turns: [{ ${GATED} }]` },
};
const NAMES = Object.keys(STATES);

const upResult = z.object({ pid: z.int(), replaced: z.int().nullable(), already_running: z.boolean() });
const latest = z.object({ worker: z.string(), state: z.string() });
const statesOf = (world: World) =>
  Object.fromEntries(
    world
      .rows(latest, 'SELECT worker, state, max(seq) FROM deliveries GROUP BY worker')
      .map(({ worker, state }) => [worker, state] as const),
  );

test('up --replace with a prompt in each state: the agents keep running, and each prompt is taken once', async () => {
  const scenario = Object.fromEntries(Object.entries(STATES).map(([name, { scenario: text }]) => [name, text]));
  // The agent's record would acknowledge a prompt without a report after one second.
  await using world = await llmcWorld({ workers: NAMES, scenario, config: PATIENT });
  const before = await world.supervisorPid();
  const agents = await Promise.all(NAMES.map((name) => world.panePid(name)));
  await Promise.all(['carl', 'dora'].map((name) => world.ok('start', '--worker', name, '--prompt', `Task of ${name}`)));
  await world.ok('message', 'dora', 'Message to dora');
  // These two commands lose their supervisor while they wait. Their prompts are recorded, so another supervisor continues.
  const start = (name: string) => world.run(['start', '--worker', name, '--prompt', `Task of ${name}`]);
  const cutShort = [start('baker')];
  // Its state lasts longest: adam begins in it, however long a command takes to start.
  await until('the prompt of baker to be on its way', async () => statesOf(world)['baker'] !== undefined);
  cutShort.push(start('adam'));
  const wanted = Object.fromEntries(Object.entries(STATES).map(([name, { state }]) => [name, state]));
  await until('a prompt in each state', async () => JSON.stringify(statesOf(world)) === JSON.stringify(wanted));

  const replaced = await world.json(upResult, 'up', '--replace', '--detach');
  expect(replaced).toMatchObject({ replaced: before, already_running: false });
  expect(replaced.pid).not.toBe(before);
  await until('the old supervisor to end', async () => !isAlive(before));
  expect(await Promise.all(NAMES.map((name) => world.panePid(name)))).toEqual(agents);
  await Promise.all(cutShort);

  world.write('gate', '', world.home);
  await until('every prompt to be done', async () => Object.values(statesOf(world)).every((state) => state === 'done'));
  // From the agents' own records: the report of baker may still be on its way.
  const taken = NAMES.flatMap((name) =>
    promptsGiven(world, name).map((text) => `${name}: ${/Task of \w+|Message to \w+/.exec(text)?.[0] ?? text}`),
  );
  expect(taken.toSorted()).toEqual([
    'adam: Task of adam',
    'baker: Task of baker',
    'carl: Task of carl',
    'dora: Message to dora',
    'dora: Task of dora',
  ]);
  expect(await Promise.all(NAMES.map((name) => world.panePid(name)))).toEqual(agents);
});

test('two commands that replace the supervisor at once, and one that finds none: there is one supervisor, and the agent keeps running', async () => {
  await using world = await llmcWorld({ workers: ['adam'] });
  const agent = await world.panePid('adam');
  const before = await world.supervisorPid();
  const both = await Promise.all([1, 2].map(() => world.run(['up', '--replace', '--detach'])));
  expect(both.map(({ status }) => status)).toContain(0);
  const after = await world.supervisorPid();
  expect(after).not.toBe(before);
  await until('only one to be left', async () => world.processes().filter((line) => / up --json /.test(line)).length === 1);
  expect(await world.supervisorPid()).toBe(after);
  expect(await world.panePid('adam')).toBe(agent);

  await world.killSupervisor();
  expect(await world.json(upResult, 'up', '--replace', '--detach')).toMatchObject({ replaced: null });
  expect(await world.panePid('adam')).toBe(agent);
});

const OTHERS = [
  {
    what: 'greets with another version',
    greeting: '{"hello":1,"version":"99.0.0","protocol":99}\n',
    hint: 'Use llmc 99.0.0 for this root',
  },
  { what: 'greets without a version', greeting: '{"hello":1}\n', hint: 'llmc up --replace --detach' },
  { what: 'is too old to greet', greeting: '', hint: 'llmc up --replace --detach' },
];

test('a supervisor of another version is recognised at once: status reads from disk, other commands say what to type', async () => {
  await using world = await llmcWorld({ workers: ['adam'], stage: 'root' });
  const run = join(world.root, 'run');
  mkdirSync(run, { recursive: true });
  writeFileSync(join(run, 'owner.json'), JSON.stringify({ pid: process.pid, what: 'up', since_unix: 1 }));
  for (const { what, greeting, hint } of OTHERS) {
    const server = createServer((socket) => void socket.on('error', () => undefined).write(greeting));
    await once(server.listen(join(run, 'api.sock')), 'listening');
    try {
      const { problems } = await world.status();
      expect(problems, what).toEqual([expect.stringContaining(hint)]);
      const { stderr } = await world.run(['why', 'adam']);
      expect(stderr, what).toContain(hint);
      // What a command says that waits for a greeting.
      expect(`${problems}${stderr}`, what).not.toMatch(/has not answered/);
      for (const args of [
        ['start', '--prompt', 'x'],
        ['up', '--detach'],
      ])
        expect(await world.refused(args), what).toMatchObject({ code: 'SUPERVISOR_OTHER_VERSION', hint: expect.stringContaining(hint) });
    } finally {
      server.close();
    }
  }
});
