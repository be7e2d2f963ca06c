import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../support/scratch-tmux.ts';
import { mergeInto } from '../support/work-with-merge.ts';
import { TASK } from './story.ts';
import { type CrashWorld, crashWorld, type Fault } from './world.ts';

const FAULT: Fault = 'rebase:before-abort';
const PATIENCE_MS = 120_000;

/** Together the commits merge with main, so llmc begins to rebase them; the second conflicts. */
async function workThatConflicts(world: CrashWorld): Promise<string> {
  const at = join(world.layout.worktrees, 'adam');
  await world.must(['start', '--prompt', TASK, '--wait']);
  await world.repo.commit('There', { 'README.md': 'mine\n' }, at);
  const head = await world.repo.commit('And back', { 'README.md': 'hello\n' }, at);
  await world.repo.commit('Main', { 'README.md': 'theirs\n' });
  return head;
}

const isRebasing = (world: CrashWorld): boolean => existsSync(join(world.layout.root, 'sandbox/adam/git/worktrees/adam/rebase-merge'));
const headOf = (world: CrashWorld): Promise<string> => world.repo.run(['rev-parse', 'HEAD'], join(world.layout.worktrees, 'adam'));

test('a supervisor killed at a conflict of its own rebase: the next one takes the rebase back', async ({ signal }) => {
  await using world = await crashWorld(['adam'], signal);
  await world.up(FAULT);
  const head = await workThatConflicts(world);
  expect(await world.llmc(['accept', 'adam'])).toMatchObject({ status: 2, out: { error: { code: 'SUPERVISOR_FAILED' } } });
  await world.supervisorIsGone();
  expect(isRebasing(world)).toBe(true);
  expect(await world.up()).toMatchObject({ status: 0 });
  await until('the rebase to be taken back', async () => !isRebasing(world), PATIENCE_MS);
  expect(await headOf(world)).toBe(head);
  await world.must(['review', 'adam', '--no-patrol']);
});

test('an accept without a supervisor, killed there: the next accept takes the rebase back', async ({ signal }) => {
  await using world = await crashWorld(['adam'], signal);
  await world.up();
  const head = await workThatConflicts(world);
  await world.must(['down']);
  expect(await world.llmc(['accept', 'adam'], FAULT)).toMatchObject({ status: null, signal: 'SIGKILL' });
  expect(isRebasing(world)).toBe(true);
  expect(await world.llmc(['accept', 'adam'])).toMatchObject({ status: 2, out: { error: { code: 'REBASE_CONFLICT' } } });
  expect([isRebasing(world), await headOf(world)]).toEqual([false, head]);
});

test('an accept killed after the rebase of a merge: what the merge itself changed lands all the same', async ({ signal }) => {
  await using world = await crashWorld(['adam'], signal);
  await world.up();
  const at = join(world.layout.worktrees, 'adam');
  const { repo } = world;
  await world.must(['start', '--prompt', TASK, '--wait']);
  await mergeInto(repo, at);
  await repo.commit('Main', { 'main.txt': 'main\n' });
  await world.must(['down']);
  expect(await world.llmc(['accept', 'adam'], 'rebase:before-merges')).toMatchObject({ status: null, signal: 'SIGKILL' });
  expect(await world.llmc(['accept', 'adam'])).toMatchObject({ status: 0 });
  expect(await repo.read('of-the-merge.txt')).toBe('merge\n');
  expect(await repo.run(['status', '--porcelain'], at)).toBe('');
});
