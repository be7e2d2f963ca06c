import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { administrativeFolder, ownRepository } from '../../src/git/private/place.ts';
import { commandIn } from '../support/hints.ts';
import { llmcWorld, type World } from '../support/world.ts';

const report = z.object({
  checks: z.array(z.object({ name: z.string(), level: z.string(), message: z.string(), hint: z.string().optional() })),
});

const own = (world: World, ...path: readonly string[]): string => join(ownRepository(world.root, 'adam'), ...path);
const admin = (world: World, name: string): string => join(administrativeFolder(world.root, 'adam'), name);
const MISSING = `${'1'.repeat(40)}\n`;

const DAMAGES: readonly [what: string, make: (world: World) => unknown][] = [
  ['the branch of a worker is deleted', (world) => world.gitIn(world.worktree('adam'), 'update-ref', '-d', 'refs/heads/llmc/adam')],
  ['a branch has the place of a folder', (world) => world.gitIn(world.worktree('adam'), 'branch', '-m', 'llmc/adam', 'llmc/adam/sub')],
  ['HEAD names a missing commit', (world) => writeFileSync(admin(world, 'HEAD'), MISSING)],
  ['HEAD is empty', (world) => writeFileSync(admin(world, 'HEAD'), '')],
  ['the branch names a missing commit', (world) => writeFileSync(own(world, 'refs/heads/llmc/adam'), MISSING)],
  ['the index is garbage', (world) => writeFileSync(admin(world, 'index'), 'garbage')],
  ['the packed refs of the store are garbage', (world) => appendFileSync(join(world.root, '.git/packed-refs'), 'garbage\n')],
  ['the packed refs of a worker are garbage', (world) => appendFileSync(own(world, 'packed-refs'), 'garbage\n')],
  ['the repository of a worker is gone', (world) => rmSync(own(world), { recursive: true })],
  ['the .git file is gone', (world) => rmSync(join(world.worktree('adam'), '.git'))],
  ['a worktree is gone', (world) => rmSync(world.worktree('adam'), { recursive: true })],
  [
    'a worktree is a file',
    (world) => [rmSync(world.worktree('adam'), { recursive: true }), writeFileSync(world.worktree('adam'), 'mine\n')],
  ],
  [
    'a worktree is a link',
    (world) => [rmSync(world.worktree('adam'), { recursive: true }), symlinkSync(world.dir, world.worktree('adam'))],
  ],
  [
    'the database is of a newer version',
    (world) => {
      using database = new DatabaseSync(join(world.root, 'llmc.db'));
      database.exec('PRAGMA user_version = 9999');
    },
  ],
  ['run is a file', (world) => [rmSync(join(world.root, 'run'), { recursive: true }), writeFileSync(join(world.root, 'run'), '')]],
  ['state.json is garbage', (world) => writeFileSync(join(world.root, 'state.json'), 'garbage')],
];

/** Types what the hint of a check says: a command of llmc, or the one that removes what is in the way. */
async function follow(world: World, hint: string): Promise<string> {
  const removal = /\brm (?:-rf )?-- ('[^']+'|\S+?)(?=[,;]|$)/.exec(hint)?.[0];
  if (removal !== undefined) {
    execFileSync('sh', ['-c', removal], { cwd: world.dir });
    return removal;
  }
  const command = commandIn(hint, ['adam']);
  await world.run([...command, '--yes']);
  return `llmc ${command.join(' ')}`;
}

// About ten commands for each damage.
test('after any damage, each hint that is typed leads on, until the root works', { timeout: 1_200_000 }, async () => {
  await using world = await llmcWorld({ workers: ['adam'], stage: 'root' });
  for (const [what, make] of DAMAGES) {
    await make(world);
    const typed: string[] = [];
    for (;;) {
      const { checks } = report.parse(JSON.parse((await world.run(['doctor', '--json'])).stdout));
      const failed = checks.find(({ level }) => level === 'failed');
      if (failed === undefined) break;
      expect(typed.length, `${what}: ${typed.join(', ')} did not help: ${failed.message}`).toBeLessThan(4);
      typed.push(await follow(world, failed.hint ?? ''));
    }
    const reset = await world.run(['reset', 'adam', '--yes']);
    expect(reset.status, `${what}: after ${typed.join(', ')}: ${reset.stderr}`).toBe(0);
    expect(await world.gitIn(world.worktree('adam'), 'status', '--porcelain=v2', '--branch'), what).toMatch(/branch\.head llmc\/adam/);
    expect(existsSync(join(world.worktree('adam'), 'README.md')), what).toBe(true);
  }
  expect(readFileSync(join(world.source, 'README.md'), 'utf8')).toBe('hello\n');
});
