import { chmodSync, existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { commandIn } from '../support/hints.ts';
import { scratchTmux } from '../support/scratch-tmux.ts';
import { llmcWorld, type World } from '../support/world.ts';

const COMMAND = join(import.meta.dirname, '../../bin/llmc.cjs');
const report = z.object({
  checks: z.array(z.object({ name: z.string(), level: z.enum(['ok', 'warning', 'failed']), hint: z.string().optional() })),
  repairs: z.array(z.object({ title: z.string(), outcome: z.string() })).optional(),
});

async function doctor(world: World, ...args: string[]) {
  const { stdout } = await world.run(['doctor', ...args, '--json']);
  return report.parse(JSON.parse(stdout));
}
const line = z.object({ summary: z.string() });
const repairsIn = (world: World) =>
  world.rows(line, "SELECT summary FROM history WHERE kind = 'repair' ORDER BY seq").map(({ summary }) => summary);
const edit = (path: string, change: (text: string) => string) => writeFileSync(path, change(readFileSync(path, 'utf8')));

test('doctor --repair under a running supervisor: a menu for the person, no end for supervisor and agents; up repairs what is safe', async () => {
  await using world = await llmcWorld({ workers: ['adam', 'baker'] });
  await using outside = await scratchTmux();
  const supervisor = await world.supervisorPid();
  const agent = await world.panePid('baker');
  await world.gitIn(world.root, 'branch', 'llmc/lost');
  world.write('draft.txt', 'half\n', world.worktree('adam'));

  const menu = await outside.start({
    name: 'menu',
    argv: [process.execPath, COMMAND, 'doctor', '--repair'],
    cwd: world.dir,
    env: world.env,
  });
  const asks = (count: number) => (screen: { readonly lines: readonly string[] }) =>
    screen.lines.filter((each) => each.startsWith('Numbers, "all"')).length === count;
  await menu.waitFor('the question about the worktree', asks(1));
  await menu.type('9');
  await menu.keys('Enter');
  await menu.waitFor('the same question again', asks(2));
  await menu.keys('Enter');
  const shown = await menu.waitFor('the question about the branch', asks(3));
  expect(shown.lines.join('\n')).toMatch(/orphaned branches: [\s\S]*1\. branch llmc\/lost: [\s\S]*rescue/);
  await menu.type('1');
  await menu.keys('Enter');
  await menu.exit();
  expect(await menu.history()).toMatch(
    /left +worktree of adam[\s\S]*done +branch llmc\/lost|done +branch llmc\/lost[\s\S]*left +worktree of adam/,
  );
  expect(await world.gitIn(world.root, 'for-each-ref', 'refs/heads/llmc/lost')).toBe('');
  expect(existsSync(join(world.worktree('adam'), 'draft.txt'))).toBe(true);

  expect((await doctor(world, '--repair', '--yes')).repairs).toMatchObject([{ title: 'worktree of adam', outcome: 'repaired' }]);
  expect(existsSync(join(world.worktree('adam'), 'draft.txt'))).toBe(false);
  expect((await doctor(world, '--repair', '--yes')).repairs).toEqual([]);
  expect([await world.supervisorPid(), await world.panePid('baker')]).toEqual([supervisor, agent]);

  await world.ok('down');
  const state = join(world.root, 'state.json');
  chmodSync(state, 0o644);
  edit(state, (text) => text.replace(/("created_at_unix": ?)\d+/, '$14000000000'));
  await world.comeUp();
  expect(repairsIn(world)).toContainEqual(expect.stringContaining('created_at_unix lay in the future'));
  expect(statSync(state).mode & 0o077).toBe(0);
  expect((await doctor(world, '--repair', '--dry-run')).repairs).toEqual([]);
});

const DAMAGES: readonly [what: string, check: string, make: (world: World) => unknown][] = [
  [
    'a table in config.toml has no worker',
    'configured workers',
    ({ root }) => edit(join(root, 'config.toml'), (text) => `${text}\n[workers.eve]\n`),
  ],
  ['a branch has no worker', 'orphaned branches', (world) => world.gitIn(world.root, 'branch', 'llmc/lost')],
  ['an idle worktree has changes', 'worktrees', (world) => world.write('draft.txt', 'half\n', world.worktree('adam'))],
  ['a worktree is gone', 'worktrees', (world) => rmSync(world.worktree('adam'), { recursive: true })],
  ['the clone can push', 'root settings', (world) => world.gitIn(world.root, 'config', 'remote.origin.pushurl', world.source)],
  ['others can read the state', 'access', ({ root }) => chmodSync(join(root, 'state.json'), 0o644)],
  ['state.json is cut', 'state', ({ root }) => truncateSync(join(root, 'state.json'), 50)],
  ['llmc.db is gone', 'database', ({ root }) => rmSync(join(root, 'llmc.db'))],
  [
    'times lie in the future',
    'consistency',
    ({ root }) => edit(join(root, 'state.json'), (text) => text.replace(/("created_at_unix": ?)\d+/, '$14000000000')),
  ],
  [
    'nothing is left of the state',
    'state',
    ({ root }) => {
      for (const name of ['state.json', 'state.json.bak', 'llmc.db', 'copies']) rmSync(join(root, name), { recursive: true, force: true });
    },
  ],
  ['a socket was left', 'sockets', ({ root }) => writeFileSync(join(root, 'run/api.sock'), '')],
];

test('the command in the hint of a check helps in that very state', async () => {
  await using world = await llmcWorld({ workers: ['adam'], stage: 'root' });
  for (const [what, check, make] of DAMAGES) {
    await make(world);
    const found = (await doctor(world)).checks.find(({ name }) => name === check);
    expect(found, what).toMatchObject({ level: expect.not.stringMatching('ok') });
    const command = commandIn(found?.hint ?? '', ['adam', 'eve', 'lost']);
    const { status, stderr } = await world.run([...command, '--yes']);
    expect([0, 2], `${what}: llmc ${command.join(' ')}: ${stderr}`).toContain(status);
    expect((await doctor(world)).checks.find(({ name }) => name === check)?.level, `${what}: llmc ${command.join(' ')}`).toBe('ok');
  }
});
