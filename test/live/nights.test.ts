import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeLayout } from '../../src/store/layout.ts';
import { trySignal } from '../../src/system/processes/signal.ts';
import { commitsOf, deliveriesOf, historyOf, openGate, reaches, story, tasksGiven } from '../support/agent-side.ts';
import { isFullRun, rowsOfThisRun } from '../support/full-run.ts';
import { isAlive, until } from '../support/scratch-tmux.ts';
import { llmcWorld, type World } from '../support/world.ts';

/** The service refuses a turn this often: the default policy spreads as many attempts over an hour, and this one over seconds. */
const REFUSALS = 5;
const POLICY = `[recovery]\nfailed_turn_backoff_secs = [${Array(REFUSALS).fill(1).join(', ')}]\nbackoff_jitter = 0\n`;

const REFUSED = '{ fail: { type: overloaded, message: Overloaded } }';
/** A task that something interrupts in its middle. Its two edits show whether a step was done twice. */
const task = (...middle: readonly string[]): string =>
  `[{ edit: { path: notes.md, append: "begin {{task}}\\n" } }, ${middle.join(', ')}, { edit: { path: notes.md, append: "end {{task}}\\n" } }, { commit: "{{task}}" }]`;
const SCENARIO = `
turns:
  - { when: refused for an hour, steps: ${task(...Array<string>(REFUSALS).fill(REFUSED))} }
  - { when: refused twice, steps: ${task(REFUSED, REFUSED)} }
  - { when: with a question, steps: ${task('{ ask: { question: "Which?", choices: [Red, Blue] } }')} }
  - { when: a long turn, steps: ${task(`{ run: 'until [ -e "$HOME/gate-{{task}}" ]; do sleep 0.1; done' }`)} }
  - { when: a message, steps: [{ say: Noted }] }
`;

/** Each worker is in another state when the accident happens: in a turn, in a turn with a prompt waiting, between failed turns, asking. */
const TASKS = { adam: 'a long turn', baker: 'a long turn', carl: 'refused twice', dora: 'with a question' } as const;
const WORKERS = ['adam', 'baker', 'carl', 'dora'] as const;
type Name = (typeof WORKERS)[number];

interface Night {
  readonly name: string;
  /** How often each agent starts again: an agent that lives is left alone. */
  readonly starts: 0 | 1;
  readonly accident: (world: World) => Promise<void>;
}

const killAll = async (pids: readonly number[]): Promise<void> => {
  for (const pid of pids) trySignal(pid, 'SIGKILL');
  await until('them to be gone', async () => !pids.some(isAlive));
};
const agentsOf = (world: World): Promise<number[]> => Promise.all(WORKERS.map((name) => world.panePid(name)));
const pidsOf = (world: World): number[] => world.processes().map((line) => Number.parseInt(line, 10));

async function serverOf(world: World): Promise<number> {
  const { stdout } = await world.shell(`tmux -S '${makeLayout(world.root).tmuxSocket}' display-message -p '#{pid}'`);
  expect(Number(stdout)).toBeGreaterThan(1);
  return Number(stdout);
}

/** Another user's program under the numbers that the files of this root name: its command line even looks like a supervisor. */
async function underForeignPid(world: World, work: () => Promise<void>): Promise<void> {
  const foreign = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)', 'llmc', 'up'], { stdio: 'ignore', env: {} });
  const pid = foreign.pid ?? 0;
  try {
    const { owner, database: file } = makeLayout(world.root);
    writeFileSync(owner, JSON.stringify({ ...JSON.parse(readFileSync(owner, 'utf8')), pid }));
    using database = new DatabaseSync(file, { timeout: 30_000 });
    database.prepare('UPDATE heartbeat SET pid = ?').run(pid);
    database.close();
    await work();
    expect(isAlive(pid), 'the foreign process lives').toBe(true);
    expect(await world.supervisorPid()).not.toBe(pid);
  } finally {
    foreign.kill('SIGKILL');
  }
}

/** A suspended laptop. The 75 s of the full run are longer than the gap that the supervisor recognises; test/sim/nights.test.ts has eight hours. */
async function suspend(world: World): Promise<void> {
  const pids = pidsOf(world);
  for (const pid of pids) trySignal(pid, 'SIGSTOP');
  try {
    const end = performance.now() + (isFullRun ? 75_000 : 3_000);
    await until('the night to pass', async () => performance.now() >= end, 120_000);
  } finally {
    for (const pid of pids) trySignal(pid, 'SIGCONT');
  }
}

const NIGHTS: readonly Night[] = [
  { name: 'all agents are killed at once', starts: 1, accident: async (world) => killAll(await agentsOf(world)) },
  { name: 'the tmux server is killed', starts: 1, accident: async (world) => killAll([await serverOf(world), ...(await agentsOf(world))]) },
  {
    name: 'the supervisor is killed',
    starts: 0,
    async accident(world) {
      await world.killSupervisor();
      await world.ok('up', '--detach');
    },
  },
  {
    name: 'all three are killed',
    starts: 1,
    async accident(world) {
      await killAll([await world.supervisorPid(), await serverOf(world), ...(await agentsOf(world))]);
      await world.ok('up', '--detach');
    },
  },
  {
    name: 'the machine reboots, its sockets are stale and its process ids reused',
    starts: 1,
    async accident(world) {
      await world.cutPower();
      const { apiSocket, tmuxSocket, owner } = makeLayout(world.root);
      expect([apiSocket, tmuxSocket, owner].filter((path) => !existsSync(path))).toEqual([]);
      await underForeignPid(world, async () => void (await world.ok('up', '--detach')));
    },
  },
  { name: 'the laptop is suspended', starts: 0, accident: suspend },
];

const taskOf = (night: string, name: Name): string => `${night}: ${TASKS[name]}`;
const notesOf = (world: World, name: Name): string[] =>
  readFileSync(join(world.worktree(name), 'notes.md'), 'utf8')
    .split('\n')
    .filter(Boolean);
const startsOf = (world: World): number[] => WORKERS.map((name) => historyOf(world, name, 'launch').length);
const failuresOf = (world: World, name: Name): number => historyOf(world, name, 'failed_turn').length;

/** Gives every worker its task and waits until each is in the middle of it. */
async function begin(world: World, night: string): Promise<void> {
  const failures = failuresOf(world, 'carl');
  await Promise.all(WORKERS.map((name) => world.ok('message', name, taskOf(night, name))));
  const begun = (name: Name) =>
    existsSync(join(world.worktree(name), 'notes.md')) && notesOf(world, name).includes(`begin ${taskOf(night, name)}`);
  await until('every worker to be at work', async () => WORKERS.every(begun));
  await world.ok('message', 'baker', `${night}: a message`);
  await reaches(world, 'dora', 'needs_input');
  await until('a failed turn', async () => failuresOf(world, 'carl') > failures);
}

/** Nobody has helped: three workers have finished, and the fourth says what it waits for. */
async function expectDoneOnce(world: World, night: string, before: ReadonlyMap<Name, readonly string[]>): Promise<void> {
  for (const name of ['adam', 'baker', 'carl'] as const) await reaches(world, name, 'needs_review');
  expect(await world.worker('dora'), story(world, 'dora')).toMatchObject({
    status: 'needs_input',
    attention: expect.stringMatching(/Which\?.*llmc answer dora/s),
  });
  await answerDora(world);
  for (const name of WORKERS) await expectOnce(world, name, taskOf(night, name), before.get(name) ?? []);
  expect(tasksGiven(world, 'baker').filter((prompt) => prompt.includes(`${night}: a message`))).toHaveLength(1);
}

/** In the morning a person answers. Without its dialog, the demo agent gets the answer as a prompt and asks once more. */
async function answerDora(world: World): Promise<void> {
  await world.ok('why', 'dora');
  await world.ok('answer', 'dora', 'Red');
  await reaches(world, 'dora', 'needs_review,needs_input');
  if ((await world.worker('dora')).status === 'needs_input') {
    await world.ok('why', 'dora');
    await world.ok('answer', 'dora', 'Red');
  }
  await reaches(world, 'dora', 'needs_review');
}

async function expectOnce(world: World, name: Name, given: string, before: readonly string[]): Promise<void> {
  const tale = story(world, name);
  expect(await commitsOf(world, name), tale).toEqual([...before, given]);
  expect(notesOf(world, name).slice(-2), tale).toEqual([`begin ${given}`, `end ${given}`]);
  expect(
    tasksGiven(world, name).filter((prompt) => prompt.includes(given)),
    tale,
  ).toHaveLength(1);
  expect(
    deliveriesOf(world, name).filter(({ state }) => state !== 'done'),
    tale,
  ).toEqual([]);
}

describe('a night in which', () => {
  let world: World;
  beforeAll(async () => {
    world = await llmcWorld({ workers: WORKERS, scenario: SCENARIO, config: POLICY });
  });
  afterAll(() => world[Symbol.asyncDispose]());
  const commits = async () => new Map(await Promise.all(WORKERS.map(async (name) => [name, await commitsOf(world, name)] as const)));

  test('the service refuses every turn for an hour: each worker continues by itself and does its task once', async () => {
    const given = 'A night: refused for an hour';
    const before = await commits();
    await Promise.all(WORKERS.map((name) => world.ok('message', name, given)));
    for (const name of WORKERS) {
      await reaches(world, name, 'needs_review');
      expect(failuresOf(world, name)).toBe(REFUSALS);
      await expectOnce(world, name, given, before.get(name) ?? []);
    }
  });

  // test/live/tmux-faults.test.ts kills a tmux server in each run, test/crash/random.test.ts a supervisor.
  const nights = rowsOfThisRun(NIGHTS, ({ name }) => !['the tmux server is killed', 'the supervisor is killed'].includes(name));
  test.for(nights)('$name: each worker does its task once, or says what it waits for', async ({ name, starts, accident }) => {
    const before = await commits();
    const startsBefore = startsOf(world);
    await begin(world, name);
    await accident(world);
    for (const worker of ['adam', 'baker'] as const) openGate(world, taskOf(name, worker));
    await expectDoneOnce(world, name, before);
    expect(startsOf(world)).toEqual(startsBefore.map((count) => count + starts));
  });
});
