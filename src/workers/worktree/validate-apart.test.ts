import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { scratchUser, userTest } from '../../../test/support/scratch-user.ts';
import { scratchWork } from '../../../test/support/scratch-work.ts';
import { enterUser, settleUser } from './sandbox-user.ts';
import { validateApart } from './validate-apart.ts';

userTest('the work of a worker with a user of its own is validated as that user, in a worktree that goes again', async () => {
  await using work = await scratchWork({
    repo: 'setup = ["echo set up by $(id -u)"]\nvalidate = ["git log -1 --format=%s", "id -u", "false"]',
  });
  using user = scratchUser();
  const { context, repo, worktree } = work;
  const { layout } = context;
  chmodSync(repo.dir, 0o711);
  await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  const commit = (await repo.run(['rev-parse', 'HEAD'], worktree)).trim();
  for (const folder of [layout.scratch('adam'), layout.events]) context.files.makeFolder(folder);
  const place = { name: 'adam', worktree_path: worktree };
  await enterUser(context, place, user);
  await settleUser(context, place, user);
  const failed = await validateApart(context, await context.config(), '_branch', { commit, worker: 'adam' });
  expect(failed).toMatchObject({ line: 'false' });
  expect(readFileSync(layout.output('_branch', 'setup'), 'utf8')).toContain(`set up by ${user.uid}\n`);
  expect(readFileSync(layout.output('_branch', 'validate'), 'utf8')).toContain(`Add a\n`);
  expect(readFileSync(layout.output('_branch', 'validate'), 'utf8')).toContain(`\n${user.uid}\n`);
  expect([layout.worktree('_branch'), layout.sandbox('_branch')].filter((path) => existsSync(path))).toEqual([]);
  // A second time, as after a crash in between.
  expect(await validateApart(context, await context.config(), '_branch', { commit, worker: 'adam' })).toMatchObject({ line: 'false' });
});
