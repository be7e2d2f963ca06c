import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Comparison, compare, timed } from './compare.ts';
import { makeWorld, type World } from './world.ts';

/** Lands a finished task without validation and setup. The yardstick is the same git commands run by hand. */
export async function accept(): Promise<Comparison> {
  using world = makeWorld();
  using byHandWorld = makeWorld();
  world.init();
  world.llmc('add', 'adam');
  world.llmc('up', '--detach');
  const byHand = landByHand(byHandWorld);
  return await compare({
    name: 'llmc accept, nothing to validate',
    yardstick: 'the git commands it needs',
    aim: 2.5,
    rounds: 9,
    warmUps: 1,
    ours: () => {
      world.llmc('start', '--worker', 'adam', '--prompt', 'Make a small change and commit it', '--wait', '--timeout', '60s');
      return timed(() => world.llmc('accept', 'adam', '--yes'));
    },
    measureYardstick: byHand,
  });
}

/** The same landing in the same kind of root, without llmc: rebase, one commit, fast-forward, worktree back to main. */
function landByHand({ source, root, folder, git }: World): () => number {
  git(folder, 'clone', '--quiet', '--local', '--no-checkout', source, root);
  const worktree = join(root, '.worktrees/adam');
  git(root, 'worktree', 'add', '--quiet', '-b', 'llmc/adam', worktree, 'origin/main');
  let round = 0;
  return () => {
    round += 1;
    writeFileSync(join(worktree, 'note.txt'), `round ${round}\n`);
    git(worktree, 'add', '.');
    git(worktree, 'commit', '--quiet', '--message', `Round ${round}`);
    return timed(() => {
      git(worktree, 'status', '--porcelain');
      git(root, 'fetch', '--quiet', 'origin', 'main');
      git(worktree, 'rebase', '--quiet', 'origin/main');
      const message = git(worktree, 'log', '--format=%B', 'origin/main..HEAD');
      const commit = git(worktree, 'commit-tree', 'HEAD^{tree}', '-p', 'origin/main', '-m', message);
      git(root, 'update-ref', 'refs/llmc/landing/adam', commit);
      git(source, 'fetch', '--quiet', root, 'refs/llmc/landing/adam');
      git(source, 'merge', '--quiet', '--ff-only', commit);
      git(root, 'fetch', '--quiet', 'origin', 'main');
      git(worktree, 'reset', '--quiet', '--hard', 'origin/main');
    });
  };
}
