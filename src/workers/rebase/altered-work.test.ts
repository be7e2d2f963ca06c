import { expect, test } from 'vitest';
import { type Conflicting, conflicting } from '../../../test/support/scratch-conflict.ts';
import { LlmcError } from '../../base/error.ts';
import { acceptAll } from '../accept-all.ts';
import { acceptWork } from '../accept-work.ts';
import { reviewWork } from '../review-work.ts';
import { undoWork } from '../undo/undo-work.ts';
import { rebaseWork } from './rebase-work.ts';

const refused = async (accepting: Promise<unknown>): Promise<unknown> =>
  await accepting.then(
    () => 'landed',
    (error: unknown) => (error instanceof LlmcError ? error.code : error),
  );

/** adam has resolved its conflict with main’s line as a comment. */
async function disabled(text = 'main\n# The sea is deep\nworker\n'): Promise<Conflicting> {
  const work = await conflicting();
  await rebaseWork(work.context, { worker: 'adam' });
  await work.resolve(text);
  await work.turnEnds();
  expect(work.context.store.worker('adam')).toMatchObject({ status: 'needs_review', attention: { kind: 'resolved', lost: 0 } });
  return work;
}

test('a line of main that a resolution disabled lands by no way but a review of it and an accept of this work', async () => {
  await using work = await disabled();
  const { context, repo } = work;
  const main = await repo.run(['rev-parse', 'main']);
  const left = [{ worker: 'adam', code: 'LINES_REPLACED' }];
  expect(context.store.worker('adam').attention).toMatchObject({ altered: 1 });
  // As `accept --yes`, `land: by: run` of a workflow, and `accept --branch --yes`.
  expect(await refused(acceptWork(context, { worker: 'adam' }))).toBe('LINES_REPLACED');
  expect(await refused(acceptWork(context, { worker: 'adam', branch: 'other' }))).toBe('LINES_REPLACED');
  expect(await acceptAll(context, {})).toMatchObject({ accepted: [], left });
  // A review by an agent, or as part of an accept, shows nobody anything.
  await reviewWork(context, { worker: 'adam', byAgent: true });
  await reviewWork(context, { worker: 'adam', beforeAccept: true });
  expect(await refused(acceptWork(context, { worker: 'adam', requireReview: true }))).toBe('WORK_NOT_REVIEWED');
  const { proof } = await reviewWork(context, { worker: 'adam' });
  expect(proof?.replaced).toMatchObject([{ side: 'main', text: 'The sea is deep', by: '# The sea is deep', origin: { subject: 'Main' } }]);
  // Also after the review, nobody who says "all of it" or "without a question" means this work.
  expect(await refused(acceptWork(context, { worker: 'adam' }))).toBe('LINES_REPLACED');
  expect(await acceptAll(context, { requireReview: true })).toMatchObject({ accepted: [], left });
  expect(await repo.run(['rev-parse', 'main'])).toBe(main);
  expect(await acceptWork(context, { worker: 'adam', requireReview: true })).toMatchObject({ worker: 'adam', how: 'merge' });
  // Taken back, it has not been seen.
  await undoWork(context, { worker: 'adam' });
  expect(await refused(acceptWork(context, { worker: 'adam' }))).toBe('LINES_REPLACED');
  expect(await refused(acceptWork(context, { worker: 'adam', requireReview: true }))).toBe('WORK_NOT_REVIEWED');
});

test('an explanation of the agent does not make a lost line clean', async () => {
  await using work = await conflicting();
  const { context, repo, worktree } = work;
  await rebaseWork(context, { worker: 'adam' });
  await work.resolve('main\nworker\n', false);
  await repo.run(['commit', '--quiet', '-m', 'Worker', '-m', 'Dropped: a.txt: The sea is deep'], worktree);
  await repo.run(['rebase', '--continue'], worktree);
  await work.turnEnds();
  expect(await refused(acceptWork(context, { worker: 'adam' }))).toBe('LINES_REPLACED');
  expect(await acceptAll(context, {})).toMatchObject({ left: [{ code: 'LINES_REPLACED' }] });
  await reviewWork(context, { worker: 'adam' });
  await acceptWork(context, { worker: 'adam', requireReview: true });
});

test('a review counts for the findings that it showed, also on a newer main, and not for others', async () => {
  await using work = await disabled();
  const { context, repo } = work;
  await reviewWork(context, { worker: 'adam' });
  await repo.commit('Something else', { 'b.txt': 'b\n' });
  await reviewWork(context, { worker: 'adam', beforeAccept: true });
  context.store.changeWorker('adam', { kind: 'test', summary: 'other findings', change: (worker) => (worker.reviewed_proof = 'others') });
  expect(await refused(acceptWork(context, { worker: 'adam', requireReview: true }))).toBe('LINES_REPLACED');
  await reviewWork(context, { worker: 'adam' });
  await repo.commit('Something more', { 'c.txt': 'c\n' });
  expect(await refused(acceptWork(context, { worker: 'adam', requireReview: true }))).toBe('landed');
});
