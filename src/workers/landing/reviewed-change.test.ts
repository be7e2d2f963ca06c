import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ScratchRepo } from '../../../test/support/scratch-repo.ts';
import { type ScratchWorkOptions, scratchWork } from '../../../test/support/scratch-work.ts';
import { acceptWork } from '../accept-work.ts';
import { reviewWork } from '../review-work.ts';
import { refreshReviews } from './refresh-pending-reviews.ts';

const REVIEWED = { status: 'needs_review', current_prompt: 'Skip the check' } as const;
const BLOCK = ['begin', 'one', 'two', 'three', 'four', 'end'];

/** Two blocks with the same lines; `skipped` is the one that gets another line. */
function blocks(skipped?: 'tests' | 'production'): string {
  const block = (name: string) => [`# ${name}`, ...BLOCK.flatMap((line) => (line === 'two' && skipped === name ? [line, 'skip'] : [line]))];
  return [...block('tests'), ...block('production'), ''].join('\n');
}

test('a reviewed line that moves to another place with the same surroundings does not land', async () => {
  await using work = await scratchWork({ worker: REVIEWED });
  const { repo, context, worktree } = work;
  const base = await repo.commit('Begin', { checks: blocks() });
  await repo.run(['fetch', '--quiet', 'origin'], worktree);
  await repo.run(['reset', '--quiet', '--hard', base], worktree);
  await repo.commit('Skip the check of the tests', { checks: blocks('tests') }, worktree);
  await reviewWork(context, { worker: 'adam' });
  await repo.run(['reset', '--quiet', '--hard', base], worktree);
  await repo.commit('Skip the check of the tests', { checks: blocks('production') }, worktree);
  await expect(acceptWork(context, { worker: 'adam' })).rejects.toMatchObject({ code: 'PATCH_CHANGED' });
  expect(await repo.read('checks')).toBe(blocks());
});

/** Two reviewed commits of adam on a main that has moved since. */
async function reviewedWork(options: ScratchWorkOptions = {}) {
  const work = await scratchWork({ worker: REVIEWED, ...options });
  const { repo, context, worktree } = work;
  const base = await repo.commit('Begin', { checks: blocks() });
  await repo.run(['fetch', '--quiet', 'origin'], worktree);
  await repo.run(['reset', '--quiet', '--hard', base], worktree);
  await repo.commit('One', { one: '1\n' }, worktree);
  await repo.commit('Two', { checks: blocks('tests') }, worktree);
  await reviewWork(context, { worker: 'adam' });
  await repo.commit('Elsewhere', { checks: `top\n${blocks()}`, other: 'x\n' });
  return work;
}

const landedWords = (repo: ScratchRepo) => repo.run(['log', '-1', '--format=%an %ae%n%B', 'main']);

test('a reviewed change lands after main has moved and llmc has rebased it, with the reviewed words', async () => {
  await using work = await reviewedWork();
  const { repo, context } = work;
  await refreshReviews(context);
  expect(await acceptWork(context, { worker: 'adam' })).toMatchObject({ worker: 'adam' });
  expect(await repo.read('checks')).toBe(`top\n${blocks('tests')}`);
  expect(await landedWords(repo)).toBe('Scratch User scratch@example.test\nOne\n\nTwo');
});

test('a merge of main in the work does not change the message when llmc rebases it away', async () => {
  await using work = await reviewedWork();
  const { repo, context, worktree } = work;
  await repo.run(['fetch', '--quiet', 'origin'], worktree);
  await repo.run(['merge', '--quiet', '--no-edit', 'origin/main'], worktree);
  await reviewWork(context, { worker: 'adam' });
  await repo.commit('Further', { further: 'y\n' });
  await acceptWork(context, { worker: 'adam' });
  expect(await landedWords(repo)).toBe('Scratch User scratch@example.test\nOne\n\nTwo');
});

const AMENDED = [
  { what: 'message', args: ['--message', 'Two, and a lie about it'], says: 'the commit message of adam changed since the review' },
  { what: 'trailer in the message', args: ['--message', 'Two\n\nSigned-off-by: You <you@example.test>'], says: 'message' },
] as const;

test.each(AMENDED)('a $what that changed after the review does not land', async ({ args, says }) => {
  await using work = await reviewedWork();
  const { repo, context, worktree } = work;
  await repo.run(['commit', '--quiet', '--amend', ...args], worktree);
  await expect(acceptWork(context, { worker: 'adam' })).rejects.toMatchObject({
    code: 'PATCH_CHANGED',
    message: expect.stringContaining(says),
    hint: 'Review it again: llmc review adam',
  });
  expect(await landedWords(repo)).toContain('Elsewhere');
  await reviewWork(context, { worker: 'adam' });
  expect(await acceptWork(context, { worker: 'adam' })).toMatchObject({ worker: 'adam' });
});

test('an author that changed after the review does not land, also with a message of the user', async () => {
  await using work = await reviewedWork();
  const { repo, context, worktree } = work;
  await repo.run(
    ['rebase', '--quiet', '--exec', 'git commit --quiet --amend --no-edit --author "You <you@example.test>"', 'HEAD~2'],
    worktree,
  );
  for (const message of [undefined, 'Mine'])
    await expect(acceptWork(context, { worker: 'adam', message })).rejects.toMatchObject({
      code: 'PATCH_CHANGED',
      message: 'the author of the work of adam changed since the review',
    });
  expect(await landedWords(repo)).toContain('Elsewhere');
});

test('a message of the user lands whatever the agent writes, also after a failed validation', async () => {
  await using work = await reviewedWork({ repo: 'validate = ["test -e ../../allowed"]' });
  const { repo, context, worktree } = work;
  await repo.run(['commit', '--quiet', '--amend', '--message', 'A lie'], worktree);
  await expect(acceptWork(context, { worker: 'adam', message: 'Mine' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  await repo.write('allowed', '', join(worktree, '../..'));
  await acceptWork(context, { worker: 'adam' });
  expect(await landedWords(repo)).toBe('Scratch User scratch@example.test\nMine');
});
