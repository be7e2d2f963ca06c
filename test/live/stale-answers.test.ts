import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeLayout } from '../../src/store/layout.ts';
import { crowd, reaches } from '../support/agent-side.ts';
import { until } from '../support/scratch-tmux.ts';
import type { World } from '../support/world.ts';

const TWO_COMMANDS = `
turns:
  - steps:
      - request_permission: { tool: Deploy, command: echo one > one.txt }
      - request_permission: { tool: Deploy, command: echo two > two.txt }
      - commit: Both
`;

type Look = (world: World, worker: string) => Promise<unknown>;

/** By the worker of the case. */
type Cases = Readonly<Record<string, readonly [what: string, look: Look]>>;

const cases = (all: Cases) => Object.entries(all).map(([worker, [what, look]]): [string, string, Look] => [what, worker, look]);

/** What happens after the second command is asked for, in place of a look by the person who then answers. */
const NOT_SHOWN: Cases = {
  nobody: ['nobody looked, and the supervisor only rang', async () => undefined],
  status: ['a person in another terminal looked', async (world) => await elsewhere(world, 'status')],
  why: ['a person in another terminal asked why', async (world, worker) => await elsewhere(world, 'why', worker)],
  wait: ['a person in another terminal waited', async (world, worker) => await elsewhere(world, 'wait', worker, '--for', 'needs_input')],
  refused: ['a person in another terminal was refused', async (world, worker) => await elsewhere(world, 'answer', worker, '1')],
  read: ['a program read the status', async (world) => await world.ok('status', '--json')],
  explained: ['a program asked why', async (world, worker) => await world.ok('why', worker, '--json')],
  waited: ['a program waited', async (world, worker) => await world.ok('wait', worker, '--for', 'needs_input', '--json')],
  agent: ['an agent looked', async (world, worker) => await asAgent(world, worker, 'status')],
};

/** The ways in which a command shows the second command to the person who types it. */
const SHOWN: Cases = {
  'sees-status': ['status', async (world) => await world.ok('status')],
  'sees-why': ['why', async (world, worker) => await world.ok('why', worker)],
  'sees-wait': ['wait', async (world, worker) => await world.ok('wait', worker, '--for', 'needs_input')],
  'sees-any': ['wait --any', async (world, worker) => await world.ok('wait', '--any', worker, '--for', 'needs_input')],
  'sees-refusal': ['a refused answer', async (world, worker) => await refusedInWords(world, worker)],
};

const NAMES = [...Object.keys(NOT_SHOWN), ...Object.keys(SHOWN)];

/** Another person types it: in another session of the system. */
const elsewhere = async (world: World, ...args: readonly string[]) => await world.shell(`setsid -w "$@" ${args.join(' ')}`);

const asAgent = async (world: World, worker: string, ...args: readonly string[]) =>
  await world.run(args, { env: { LLMC_WORKER: worker, LLMC_SCRATCH: makeLayout(world.root).scratch(worker) } });

async function asksFor(world: World, worker: string, command: string): Promise<string> {
  await until(`${worker} to ask for ${command}`, async () => {
    const { asks, status } = await world.worker(worker);
    return status === 'needs_input' && typeof asks?.id === 'string' && asks.command?.includes(command) === true;
  });
  return (await world.worker(worker)).asks?.id ?? '';
}

/** The worker asks for its second command; its first one was approved in another terminal, as in the view. */
async function asksAgain(world: World, worker: string): Promise<string> {
  const { status, stderr } = await elsewhere(world, 'answer', worker, '1', '--to', await asksFor(world, worker, 'echo one'));
  expect(status, stderr).toBe(0);
  return await asksFor(world, worker, 'echo two');
}

async function refusedInWords(world: World, worker: string): Promise<string> {
  const { status, stderr } = await world.run(['answer', worker, '1']);
  expect(status).toBe(2);
  return stderr;
}

const isMade = (world: World, worker: string): boolean => existsSync(join(world.worktree(worker), 'two.txt'));

async function working(workers: readonly string[], config = ''): Promise<World> {
  const world = await crowd(Object.fromEntries(workers.map((name) => [name, TWO_COMMANDS])), 'skip_permissions = false');
  appendFileSync(join(world.root, 'config.toml'), config);
  await Promise.all(workers.map((worker) => world.ok('start', '--worker', worker, '--prompt', 'Do both')));
  return world;
}

describe('an answer without an id', () => {
  let world: World;
  beforeAll(async () => {
    world = await working(NAMES);
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test.each(cases(NOT_SHOWN))('is refused if %s', async (_, worker, look) => {
    await asksAgain(world, worker);
    await look(world, worker);
    const refusal = await refusedInWords(world, worker);
    expect(refusal).toMatch(/DIALOG_CHANGED: .*echo two > two\.txt.*Yes/);
    expect(isMade(world, worker)).toBe(false);
  });

  test.each(cases(SHOWN))('counts after %s in the same terminal', async (_, worker, look) => {
    await asksAgain(world, worker);
    await look(world, worker);
    await world.ok('answer', worker, '1');
    await reaches(world, worker, 'needs_review');
    expect(isMade(world, worker)).toBe(true);
  });
});

test('after a restart nothing was shown: an answer without an id is refused once, and by its id it counts', async () => {
  await using world = await working(['adam', 'baker']);
  const ids: string[] = [];
  for (const worker of ['adam', 'baker']) {
    ids.push(await asksAgain(world, worker));
    await world.ok('why', worker);
  }
  await world.killSupervisor();
  await world.ok('up', '--detach');
  expect(await asksFor(world, 'adam', 'echo two')).toBe(ids[0]);
  expect(await refusedInWords(world, 'adam')).toMatch(/DIALOG_CHANGED: .*echo two > two\.txt/);
  expect(isMade(world, 'adam')).toBe(false);
  await world.ok('answer', 'adam', '1');
  await world.ok('answer', 'baker', '1', '--to', ids[1] ?? '');
  for (const worker of ['adam', 'baker']) await reaches(world, worker, 'needs_review');
});

test('a notice shows nothing to a terminal; what it says to type names the dialog', async () => {
  await using world = await working(['adam'], '\n[notify]\ncommand = "cat >> notices.jsonl"\n');
  const noticed = () => {
    const file = join(world.root, 'notices.jsonl');
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
    return lines.map((line): string => JSON.parse(line).workers[0]?.answer_with ?? '');
  };
  const id = await asksAgain(world, 'adam');
  await until('the notice of the second command', async () => noticed().length === 2);
  expect(noticed()[1]).toBe(`llmc answer adam <number> --to ${id}`);
  await refusedInWords(world, 'adam');
});
