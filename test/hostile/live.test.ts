import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { administrativeFolder, ownRepository } from '../../src/git/private/place.ts';
import { reaches } from '../support/agent-side.ts';
import { until } from '../support/scratch-tmux.ts';
import { llmcWorld, type World } from '../support/world.ts';
import { type Attack, slugOf } from './attack.ts';
import { LIVE } from './attacks/live.ts';
import { harmfulLines } from './harm.ts';

/** The agent runs a script of the test as a tool. */
const SCENARIO = `turns: [{ when: "", steps: [{ run: 'sh ~/attack.sh > ~/attack.out 2>&1; echo over >> ~/attack.out' }] }]`;

let world: World;
const place = (name: string) => join(world.dir, name);

beforeAll(async () => {
  world = await llmcWorld({ workers: ['adam', 'eve'], scenario: { eve: SCENARIO } });
  for (const folder of ['canaries', 'traps', 'scratch', 'out']) mkdirSync(place(folder));
  writeFileSync(join(place('out'), 'precious.txt'), 'mine\n');
  writeFileSync(join(world.home, 'attack.sh'), '');
  await world.ok('start', '--worker', 'adam', '--prompt', 'Write a poem');
  await reaches(world, 'adam', 'needs_review');
  await world.ok('review', 'adam');
  await world.ok('start', '--worker', 'eve', '--prompt', 'Run the script');
  await reaches(world, 'eve', 'needs_input');
});
afterAll(() => world[Symbol.asyncDispose]());

test.each(LIVE.map((attack) => [attack.name, attack] as const))('%s', async (_, attack) => {
  const before = await seen();
  await inside(attack);
  await reaches(world, 'eve', 'needs_input');
  const commands = ['status', ...(attack.harm === 'terminal' ? ['why eve --full', 'logs'] : [])];
  const typed = await Promise.all(commands.map(async (command) => ({ command, ...(await world.run(command.split(' '))) })));
  expect(harmfulLines(typed)).toEqual([]);
  // An attack that succeeds does not fail the others.
  expect(readdirSync(place('canaries'))).not.toContain(slugOf(attack));
  expect(await seen()).toEqual(before);
});

test('no attack works after its turn', () => {
  expect(readdirSync(place('canaries'))).toEqual([]);
});

/** What no attack may change: the supervisor, the branches of the source, the files outside, what waits for a decision. */
async function seen() {
  return {
    supervisor: await world.supervisorPid(),
    source: await world.git('for-each-ref', '--format=%(refname) %(objectname)'),
    outside: readFileSync(join(place('out'), 'precious.txt'), 'utf8'),
    adam: (await world.worker('adam')).status,
  };
}

/** Runs the script of an attack in a turn of eve. */
async function inside(attack: Attack): Promise<void> {
  const trap = join(place('traps'), slugOf(attack));
  const springs = `#!/bin/sh\n[ -n "$HOSTILE_AGENT" ] || : > "${join(place('canaries'), slugOf(attack))}"\n`;
  writeFileSync(trap, `${springs}exit 0\n`, { mode: 0o755 });
  writeFileSync(`${trap}.cat`, `${springs}exec cat "$@"\n`, { mode: 0o755 });
  const variables = {
    HOSTILE_AGENT: '1',
    NAME: slugOf(attack),
    TRAP: trap,
    TRAPCAT: `${trap}.cat`,
    SCRATCH: place('scratch'),
    OUT: place('out'),
    SOURCE: world.source,
    ROOT: world.root,
    STORE: join(world.root, '.git'),
    GITDIR: ownRepository(world.root, 'eve'),
    ADMIN: administrativeFolder(world.root, 'eve'),
    VERSION: JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')).version,
  };
  const exports = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'`);
  writeFileSync(join(world.home, 'attack.sh'), [...exports, `cd '${world.worktree('eve')}'`, attack.agent, ''].join('\n'));
  const output = join(world.home, 'attack.out');
  rmSync(output, { force: true });
  await world.ok('message', 'eve', 'Run the script');
  await until('the script to end', async () => existsSync(output) && readFileSync(output, 'utf8').endsWith('over\n'));
}
