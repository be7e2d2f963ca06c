import { expect, test } from 'vitest';
import { scratchWork } from '../../../test/support/scratch-work.ts';
import { acceptWork } from '../accept-work.ts';
import { reviewWork } from '../review-work.ts';

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

test('a reviewed change lands also after main has moved, and after the agent has only changed its message', async () => {
  await using work = await scratchWork({ worker: REVIEWED });
  const { repo, context, worktree } = work;
  const base = await repo.commit('Begin', { checks: blocks() });
  await repo.run(['fetch', '--quiet', 'origin'], worktree);
  await repo.run(['reset', '--quiet', '--hard', base], worktree);
  await repo.commit('One', { one: '1\n' }, worktree);
  await repo.commit('Two', { checks: blocks('tests') }, worktree);
  await reviewWork(context, { worker: 'adam' });
  await repo.commit('Elsewhere', { checks: `top\n${blocks()}`, other: 'x\n' });
  await repo.run(['commit', '--quiet', '--amend', '--message', 'Two, in better words'], worktree);
  expect(await acceptWork(context, { worker: 'adam' })).toMatchObject({ worker: 'adam' });
  expect(await repo.read('checks')).toBe(`top\n${blocks('tests')}`);
});
