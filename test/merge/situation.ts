import { execFileSync } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { put } from '../support/conflicting.ts';
import type { ScratchRepo } from '../support/scratch-repo.ts';

/** How the user left the source. */
export type Situation =
  /** Main is checked out, without an edit. */
  | 'clean'
  /** Main is checked out, with edited, staged, untracked and ignored files. */
  | 'dirty'
  /** Another branch is checked out, with the same. */
  | 'other-branch'
  | 'detached'
  | 'bare'
  /** Main is checked out in a linked worktree, and another branch in the source itself. */
  | 'linked'
  /** The source is a clone, whose remote no one pushes to. */
  | 'clone';

/** Where the checkout of the user is that makes commits on main. */
export const checkoutOf = (repo: ScratchRepo, situation: Situation): string =>
  situation === 'bare' || situation === 'linked' ? join(repo.dir, 'linked ü') : repo.path;

/** Whether main is checked out, so that its files move with it. */
export const isCheckedOut = (situation: Situation): boolean => ['clean', 'dirty', 'clone', 'linked'].includes(situation);

/** Files of every source, beside those of the scenario. */
export const OWN_FILES = { '.gitignore': 'ignored/\n', 'own.txt': 'own\n', 'staged.txt': 'staged\n' };

/** Before the first commit of a scenario: a place for the user's commits on main. */
export async function prepare(repo: ScratchRepo, situation: Situation): Promise<void> {
  if (situation === 'linked') await repo.run(['checkout', '--quiet', '-b', 'side']);
  if (checkoutOf(repo, situation) !== repo.path) await repo.run(['worktree', 'add', '--quiet', checkoutOf(repo, situation), 'main']);
}

/** After the commits on main: what the user has open, and what llmc must not change. */
export async function situate(repo: ScratchRepo, situation: Situation): Promise<void> {
  if (situation === 'bare') {
    await repo.run(['worktree', 'remove', '--force', checkoutOf(repo, situation)]);
    return;
  }
  await stash(repo);
  switch (situation) {
    case 'other-branch':
      await repo.run(['checkout', '--quiet', '-b', 'side']);
      break;
    case 'detached':
      await repo.run(['checkout', '--quiet', '--detach']);
      break;
    case 'clone':
      await repo.run(['clone', '--quiet', '--bare', repo.path, join(repo.dir, 'remote')], '/');
      await repo.run(['remote', 'add', 'origin', join(repo.dir, 'remote')]);
      await repo.run(['fetch', '--quiet', 'origin']);
      break;
    default:
  }
  if (situation !== 'clean' && situation !== 'clone') await edit(repo, repo.path);
  if (situation === 'linked') await edit(repo, checkoutOf(repo, situation));
}

async function stash(repo: ScratchRepo): Promise<void> {
  await put(repo.path, { 'own.txt': 'put aside\n' });
  await repo.run(['stash', 'push', '--quiet', '--message', 'of the user']);
  await put(join(repo.path, '.git', 'hooks'), { 'pre-commit': '#!/bin/sh\nexit 1\n', 'post-rewrite': '#!/bin/sh\nexit 1\n' });
  for (const name of ['pre-commit', 'post-rewrite']) await chmod(join(repo.path, '.git', 'hooks', name), 0o755);
}

async function edit(repo: ScratchRepo, at: string): Promise<void> {
  await put(at, { 'own.txt': 'edited\n', 'staged.txt': 'staged edit\n', 'untracked ü.txt': 'untracked\n', 'ignored/build': 'built\n' });
  await repo.run(['add', 'staged.txt'], at);
}

/** Runs a shell script where an agent or a user would. */
export function shell(repo: ScratchRepo, script: string, at: string): void {
  const env = {
    ...process.env,
    ...repo.env,
    SOURCE: repo.path,
    WORKTREE: join(repo.dir, 'root dir', '.worktrees', 'adam'),
    LIB: join(repo.dir, 'lib remote'),
    GIT_EDITOR: 'true',
  };
  execFileSync('sh', ['-eu', '-c', script], { cwd: at, env, stdio: ['ignore', 'ignore', 'pipe'] });
}
