import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { scratchWork } from '../../../test/support/scratch-work.ts';
import { acceptWork } from '../accept-work.ts';
import { reviewWork } from '../review-work.ts';
import { diffWork } from './diff-work.ts';

test('the diff of a working agent waits for nobody, and does not count as a review', async () => {
  await using work = await scratchWork({ worker: { status: 'working', current_prompt: 'Add a' } });
  const { repo, context, worktree } = work;
  await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  await repo.write('b.txt', 'b\n', worktree);
  await repo.commit('Main moves on', { 'main.txt': 'm\n' });
  const head = await repo.run(['rev-parse', 'HEAD'], worktree);
  const { revision } = context.store.state;
  // Another command has the worker, as an accept does while its validation runs.
  const shown = await context.locks.withLock('adam', () => diffWork(context, { worker: 'adam' }));
  expect(shown).toMatchObject({ worker: 'adam', status: 'working', head, task: 'Add a', uncommitted: ['b.txt'], left_out: [], unread: [] });
  expect(shown.commits.map(({ subject }) => subject)).toEqual(['Add a']);
  expect(shown.files.map(({ path, after }) => [path, after !== null])).toEqual([
    ['a.txt', true],
    ['b.txt', false],
  ]);
  expect(shown.diff).toContain('+b');
  expect(context.store.state.revision).toBe(revision);
  expect(await repo.run(['rev-parse', 'HEAD'], worktree)).toBe(head);
});

test('a review without white space warns of all lines, and approves the whole change', async () => {
  await using work = await scratchWork({
    worker: { status: 'needs_review', current_prompt: 'Indent' },
    scratch: { files: { 'a.py': 'if x:\n y\n' } },
  });
  const { repo, context, worktree } = work;
  await repo.commit('Indent', { 'a.py': 'if x:\n     y\n', 'b.py': 'b = 1 # \u202e\n' }, worktree);
  const whole = await reviewWork(context, { worker: 'adam' });
  const shown = await reviewWork(context, { worker: 'adam', ignoreWhitespace: true });
  expect(shown.files.map(({ path }) => path)).toEqual(['a.py', 'b.py']);
  expect(shown.diff).not.toContain('a.py');
  expect(whole.diff).toContain('a.py');
  expect(shown.warnings).toEqual(whole.warnings);
  expect((await acceptWork(context, { worker: 'adam', patrol: true })).commit).not.toBeNull();
});

test('a worker without a worktree is refused with what to type', async () => {
  await using work = await scratchWork({ worker: { status: 'idle' } });
  await rm(work.worktree, { recursive: true });
  await expect(diffWork(work.context, { worker: 'adam' })).rejects.toMatchObject({
    code: 'GIT_WORKTREE_FAILED',
    hint: 'llmc doctor --repair',
  });
  await expect(diffWork(work.context, { worker: 'nobody' })).rejects.toMatchObject({ code: 'WORKER_NOT_FOUND' });
});
