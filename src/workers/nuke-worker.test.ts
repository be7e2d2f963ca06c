import { access, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { initInside } from '../../test/support/scratch-repo.ts';
import { scratchWork } from '../../test/support/scratch-work.ts';
import { nukeWorker } from './nuke-worker.ts';
import { showSaved } from './rescue-work.ts';

test('a removed worker leaves behind what it did in a repository inside its worktree', async () => {
  await using work = await scratchWork();
  const { repo, context, worktree } = work;
  const inner = await initInside(repo, worktree, 'inner');
  const made = await repo.commit('Inner', { 'a.txt': 'committed\n' }, inner);
  await repo.write('loose.txt', 'loose\n', inner);
  const { rescued } = await nukeWorker(context, 'adam');
  await expect(access(worktree)).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await repo.run(['show', `${made}:a.txt`], context.layout.root)).toBe('committed');
  expect((await showSaved(context, rescued ?? '')).diff).toContain('+loose\n');
});

test('a worker stays where a part of its work cannot be saved, and the part is named', async () => {
  await using work = await scratchWork();
  const { repo, context, worktree } = work;
  const inner = await initInside(repo, worktree, 'inner');
  const made = await repo.commit('Inner', { 'a.txt': 'a\n' }, inner);
  await rm(join(inner, '.git/objects', made.slice(0, 2)), { recursive: true });
  await expect(nukeWorker(context, 'adam')).rejects.toMatchObject({
    code: 'WORK_NOT_SAVED',
    message: expect.stringContaining('inner: '),
    hint: expect.stringContaining('llmc rescue show adam/'),
  });
  expect(await repo.read('inner/a.txt', worktree)).toBe('a\n');
  expect(context.store.worker('adam').name).toBe('adam');
});
