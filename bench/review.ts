import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Comparison, compare, timed } from './compare.ts';
import { makeWorld, type World } from './world.ts';

const FILES = 2_000;

/** Shows finished work, with nine more workers waiting. The yardstick is git, which prints the same diff of the same commits. */
export async function review(): Promise<readonly Comparison[]> {
  using world = makeWorld();
  world.init();
  const names = Array.from({ length: 10 }, (_, index) => `worker-${index}`);
  for (const name of names) world.llmc('add', name);
  world.llmc('up', '--detach');
  for (const name of names)
    world.llmc('start', '--worker', name, '--prompt', 'Make a small change and commit it', '--wait', '--timeout', '60s');
  const [adam = ''] = names;
  const worktree = join(world.root, '.worktrees', adam);
  const small = await measured(world, adam, 'one file', () => world.git(worktree, 'diff', 'origin/main', 'HEAD'), 'git diff');
  // What no change of a review can save: a command starts and asks the supervisor, and git prints the diff.
  const floor = await measured(world, adam, 'one file', () => askAndDiff(world, worktree), 'llmc status and git diff');
  const needed = await measured(world, adam, 'one file', () => byHand(world, worktree), 'the git commands it needs');
  mkdirSync(join(worktree, 'many'));
  for (let index = 0; index < FILES; index += 1) writeFileSync(join(worktree, 'many', `${index}.txt`), `line ${index}\n`.repeat(40));
  world.git(worktree, 'add', '.');
  world.git(worktree, 'commit', '--quiet', '--message', `${FILES} files`);
  const large = await measured(world, adam, `${FILES} files`, () => world.git(worktree, 'diff', 'origin/main', 'HEAD'), 'git diff');
  return [small, floor, needed, large];
}

async function measured(world: World, worker: string, size: string, git: () => void, yardstick: string): Promise<Comparison> {
  return await compare({
    name: `llmc review, ${size}, 10 pending`,
    yardstick,
    aim: 3,
    rounds: 9,
    warmUps: 2,
    ours: () => timed(() => world.llmc('review', worker)),
    measureYardstick: () => timed(git),
  });
}

function askAndDiff({ git, llmc }: World, worktree: string): void {
  llmc('status');
  git(worktree, 'diff', 'origin/main', 'HEAD');
}

/** The same review by hand: is main newer, is the work clean and on it, which commits, and the diff. */
function byHand({ root, git }: World, worktree: string): void {
  git(root, 'fetch', '--quiet', 'origin', 'main');
  git(worktree, 'status', '--porcelain');
  git(worktree, 'merge-base', 'origin/main', 'HEAD');
  git(worktree, 'log', '--format=%B', 'origin/main..HEAD');
  git(worktree, 'diff', '--stat', 'origin/main', 'HEAD');
  git(worktree, 'diff', 'origin/main', 'HEAD');
}
