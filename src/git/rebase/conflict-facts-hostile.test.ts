import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changed, TEN } from '../../../test/support/conflict-cases.ts';
import { type Conflicting, conflicting, put } from '../../../test/support/conflicting.ts';
import { type ScratchRepo, scratchRepo } from '../../../test/support/scratch-repo.ts';
import { walledTest } from '../../../test/support/walled-test.ts';
import { walledWorker } from '../../../test/support/walled-worker.ts';
import { exchange } from '../exchange/exchange.ts';
import { fetchMain } from '../source/fetch.ts';
import { readConflict } from './conflict-facts.ts';
import { rebaseCall } from './rebase.ts';

async function inFile(repo: ScratchRepo, path = 'f'): Promise<Conflicting & { readonly state: string }> {
  const found = await conflicting(repo, {
    base: { [path]: TEN },
    main: [{ files: { [path]: changed(5, 'main\n') } }],
    worker: [{ files: { [path]: changed(5, 'worker\n') } }],
  });
  return { ...found, state: join(repo.dir, 'root dir', 'sandbox', 'adam', 'git', 'worktrees', 'adam', 'rebase-merge') };
}

test.each([
  ['another commit', async (repo: ScratchRepo) => repo.run(['rev-parse', 'HEAD'])],
  ['an option', async () => '--output=/tmp/x'],
  ['a path', async () => '../../../../etc/passwd'],
  ['nothing', async () => ''],
  ['too much', async () => 'a'.repeat(100_000)],
])('a note about the stop that names %s counts for nothing, and the index still does', async (_, forge) => {
  await using repo = await scratchRepo();
  const { worktree, state, ...rebasing } = await inFile(repo);
  await writeFile(join(state, 'stopped-sha'), await forge(repo));
  const { stop, files } = await readConflict(repo.git, worktree, rebasing);
  expect(stop).toBeUndefined();
  expect(files).toMatchObject([{ path: 'f', clash: { kind: 'content' }, state: 'unmerged', markers: [5, 7, 9, 11] }]);
});

test('a note behind a link is not read', async () => {
  await using repo = await scratchRepo();
  const { worktree, state, commits, ...rebasing } = await inFile(repo);
  await writeFile(join(repo.dir, 'elsewhere'), commits[0] ?? '');
  await rm(join(state, 'stopped-sha'));
  await symlink(join(repo.dir, 'elsewhere'), join(state, 'stopped-sha'));
  expect((await readConflict(repo.git, worktree, rebasing)).stop).toBeUndefined();
});

test('a file that was replaced by a link, or whose folder was, is not followed', async () => {
  await using repo = await scratchRepo();
  const { worktree, ...rebasing } = await inFile(repo, 'd/f');
  await mkdir(join(repo.dir, 'outside'));
  await writeFile(join(repo.dir, 'outside', 'f'), '<<<<<<< secret\n');
  await put(worktree, { 'd/f': { link: join(repo.dir, 'outside', 'f') } });
  expect((await readConflict(repo.git, worktree, rebasing)).files).toMatchObject([{ path: 'd/f', markers: [] }]);
  await put(worktree, { d: { link: join(repo.dir, 'outside') } });
  expect((await readConflict(repo.git, worktree, rebasing)).files).toMatchObject([{ path: 'd/f', markers: [] }]);
});

test('a merge driver that the agent configures does not run', async () => {
  await using repo = await scratchRepo();
  const { worktree, ...rebasing } = await inFile(repo);
  await repo.run(['config', 'merge.evil.driver', `touch '${join(repo.dir, 'ran')}'`], worktree);
  await put(worktree, { '.gitattributes': '* merge=evil diff=evil\n' });
  expect((await readConflict(repo.git, worktree, rebasing)).files.map(({ path }) => path)).toEqual(['f']);
  await expect(repo.read('ran', repo.dir)).rejects.toThrow('ENOENT');
});

test('a conflict in a file of several megabytes is reported without its lines', async () => {
  await using repo = await scratchRepo();
  const large = (first: string) => `${first}\n${'x'.repeat(99)}\n`.padEnd(1_500_000, `${'y'.repeat(99)}\n`);
  const { worktree, ...rebasing } = await conflicting(repo, {
    base: { big: large('base') },
    main: [{ subject: 'Main', files: { big: large('main') } }],
    worker: [{ files: { big: large('worker') } }],
  });
  expect((await readConflict(repo.git, worktree, rebasing)).files).toMatchObject([
    { path: 'big', clash: { kind: 'content' }, tooLarge: true, regions: [], touchedBy: [{ subject: 'Main' }] },
  ]);
});

test('a conflict of 10,000 lines is read whole, with few processes', async () => {
  await using repo = await scratchRepo();
  const lines = (side: string) => Array.from({ length: 10_000 }, (_, index) => `${side} ${index}\n`).join('');
  const { worktree, ...rebasing } = await conflicting(repo, {
    base: { f: lines('base') },
    main: [{ files: { f: lines('main') } }],
    worker: [{ files: { f: lines('worker') } }],
  });
  let calls = 0;
  const counted = <Result>(result: Result): Result => {
    calls += 1;
    return result;
  };
  const git = {
    ...repo.git,
    run: (...args: Parameters<typeof repo.git.run>) => counted(repo.git.run(...args)),
    ok: (...args: Parameters<typeof repo.git.ok>) => counted(repo.git.ok(...args)),
  };
  const { files } = await readConflict(git, worktree, rebasing);
  expect(files[0]?.regions.map(({ main, worker }) => [main.lines.length, worker.lines.length])).toEqual([[10_000, 10_000]]);
  expect(calls).toBeLessThanOrEqual(11);
});

test('an agent that commits in the middle of the stop, and a rebase without its folder, break nothing', async () => {
  await using repo = await scratchRepo();
  const { worktree, state, ...rebasing } = await inFile(repo);
  await put(worktree, { f: changed(5, 'both\n') });
  await repo.commit('By hand', {}, worktree);
  expect(
    (await readConflict(repo.git, worktree, rebasing)).files.filter(({ markers, state: at }) => at === 'unmerged' || markers.length > 0),
  ).toEqual([]);
  await rm(state, { recursive: true });
  expect(await readConflict(repo.git, worktree, rebasing)).toEqual({ stop: undefined, files: [], leftOut: 0 });
});

walledTest('in a sandbox, the conflict is read from the worker’s own repository', async () => {
  await using worker = await walledWorker();
  const { repo, root, worktree, git } = worker;
  const identity = 'git config user.name A && git config user.email a@example.test';
  const made = await worker.agent(`${identity} && echo worker > f && git add f && git commit -qm Work && git rev-parse HEAD`);
  await repo.commit('Main', { f: 'main\n' });
  const onto = await fetchMain(git, root, 'main', repo.path);
  await exchange(git, root, worktree);
  await git.run(rebaseCall(worktree, onto));
  const { stop, files } = await readConflict(git, worktree, { head: made.text.trim(), onto });
  expect(stop).toMatchObject({ subject: 'Work', progress: { position: 1, total: 1 } });
  expect(files).toMatchObject([
    {
      path: 'f',
      clash: { kind: 'add/add' },
      regions: [{ main: { lines: ['main'] }, worker: { lines: ['worker'] } }],
      touchedBy: [{ subject: 'Main' }],
    },
  ]);
  expect(files[0]?.markers.length).toBeGreaterThan(2);
});
