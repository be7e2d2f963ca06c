import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchWork } from '../../../test/support/scratch-work.ts';
import { acceptWork } from '../accept-work.ts';
import { reviewWork } from '../review-work.ts';

const REVIEWED = { status: 'needs_review', current_prompt: 'Add a' } as const;
/** Also counts how often it runs, outside of the worktree. */
const UPPER = 'format = ["echo run >> ../../../runs; tr a-z A-Z < a.txt > a.new; cat a.new > a.txt; rm a.new"]';

test('work is formatted before a person sees it, and lands as it was reviewed, in one commit', async () => {
  await using work = await scratchWork({ repo: UPPER, worker: REVIEWED });
  const { repo, context, worktree } = work;
  await repo.commit('Add a\n\nWhy', { 'a.txt': 'a\n' }, worktree);
  const shown = await reviewWork(context, { worker: 'adam' });
  expect(shown.diff).toContain('+A\n');
  expect(work.said.some((line) => line.startsWith('adam: formatted by ') && line.endsWith(': a.txt'))).toBe(true);
  expect(context.store.worker('adam').commit_sha).toBe(shown.head);
  const lines = (await context.config()).repo.format;
  expect(shown.formatted).toEqual({ lines, files: ['a.txt'] });
  // Still known at the next look, which formats nothing.
  expect(await reviewWork(context, { worker: 'adam' })).toMatchObject({ formatted: { files: ['a.txt'] } });
  expect(await acceptWork(context, { worker: 'adam', requireReview: true })).toMatchObject({ formatted: { files: ['a.txt'] } });
  expect(context.store.worker('adam').formatted).toBeNull();
  expect(await repo.run(['log', '--format=%B', 'main'])).toBe('Add a\n\nWhy\n\nBegin');
  expect(await repo.run(['show', 'main:a.txt'])).toBe('A');
  expect(readFileSync(join(repo.dir, 'runs'), 'utf8')).toBe('run\n');
});

test('work that nobody reviewed is formatted by the accept', async () => {
  await using work = await scratchWork({ repo: UPPER, worker: REVIEWED });
  const { repo, context, worktree } = work;
  await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  await acceptWork(context, { worker: 'adam' });
  expect(await repo.run(['show', 'main:a.txt'])).toBe('A');
  expect(await repo.run(['log', '--format=%s', 'main'])).toBe('Add a\nBegin');
});

test('reviewed work is never formatted afterwards: what was reviewed is what lands', async () => {
  await using work = await scratchWork({ worker: REVIEWED });
  const { repo, context, worktree } = work;
  await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  await reviewWork(context, { worker: 'adam' });
  const config = readFileSync(context.layout.config, 'utf8');
  writeFileSync(context.layout.config, config.replace('[repo]\n', `[repo]\n${UPPER}\n`));
  await acceptWork(context, { worker: 'adam' });
  expect(await repo.run(['show', 'main:a.txt'])).toBe('a');
});

test('a formatter that fails leaves the files as they were: a review goes on, an accept without one stops', async () => {
  await using work = await scratchWork({ repo: 'format = ["echo half > a.txt; false"]', worker: REVIEWED });
  const { repo, context, worktree } = work;
  const head = await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  await expect(acceptWork(context, { worker: 'adam' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  const shown = await reviewWork(context, { worker: 'adam' });
  expect(shown).toMatchObject({ head, uncommitted: [] });
  expect(work.said).toContain('"echo half > a.txt; false" failed: exit status 1. The work of adam is not formatted.');
  await acceptWork(context, { worker: 'adam' });
  expect(await repo.run(['show', 'main:a.txt'])).toBe('a');
});

test('uncommitted changes are left alone', async () => {
  await using work = await scratchWork({ repo: UPPER, worker: REVIEWED });
  const { repo, context, worktree } = work;
  const head = await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  await repo.write('b.txt', 'b\n', worktree);
  expect(await reviewWork(context, { worker: 'adam' })).toMatchObject({ head, uncommitted: ['b.txt'] });
});

test('commands after an accept run in the source, and a failure is said while the landing stands', async () => {
  await using work = await scratchWork({
    repo: 'after_accept = ["git log -1 --format=%s > ../landed", "false", "touch ../never"]',
    worker: REVIEWED,
  });
  const { repo, context, worktree } = work;
  await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  const accepted = await acceptWork(context, { worker: 'adam' });
  expect(accepted).toMatchObject({ subject: 'Add a', after_accept: { line: 'false', reason: 'exit status 1' } });
  expect(readFileSync(join(repo.dir, 'landed'), 'utf8')).toBe('Add a\n');
  const whole = context.layout.output('adam', 'after_accept');
  expect(work.said).toContain(`"false" failed after the accept: exit status 1. What landed stays on main. The whole output: ${whole}`);
  expect(context.store.worker('adam').status).toBe('idle');
});

test('a line that formats and validates runs for both', async () => {
  const line = '["echo run >> ../../../runs"]';
  await using work = await scratchWork({ repo: `format = ${line}\nvalidate = ${line}`, worker: REVIEWED });
  const { repo, context, worktree } = work;
  await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  await acceptWork(context, { worker: 'adam' });
  expect(readFileSync(join(repo.dir, 'runs'), 'utf8')).toBe('run\nrun\n');
});
