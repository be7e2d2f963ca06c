import { expect, test } from 'vitest';
import { scratchWork } from '../../../test/support/scratch-work.ts';
import type { Worker } from '../../store/state.ts';
import { findAnswer, insertAnswer } from '../../store/tables/answers.ts';
import { insertQueued, markGiven, readQueueStates } from '../../store/tables/queue.ts';
import { acceptAll } from '../accept-all.ts';
import { acceptWork } from '../accept-work.ts';
import { addWorker } from '../add-worker.ts';
import type { WorkContext } from '../context.ts';
import { refreshReviews } from '../landing/refresh-pending-reviews.ts';
import { showTask } from '../queue/show-queue.ts';
import { rebaseWork } from '../rebase/rebase-work.ts';
import { rejectWork } from '../reject-work.ts';
import { reviewWork } from '../review-work.ts';
import { dismissAnswer } from './dismiss-answer.ts';

const ANSWERED: Partial<Worker> = {
  status: 'needs_review',
  current_prompt: 'Why is it slow?',
  expects: 'answer',
  answer: 'a1',
  summary: '# The cache',
  attention: { kind: 'answer', uncommitted: false },
};

/** A row of the answer, and its task in the queue. */
function record({ store }: WorkContext, text = '# The cache\nis cold'): number {
  const { database } = store;
  const about = { priority: 0, prompt: 'Why is it slow?', expects: 'answer', worker: null, agent: null, after: [], created_ms: 1 } as const;
  const number = insertQueued(database, about);
  markGiven(database, number, 'adam', 'd1', 1);
  insertAnswer(database, { id: 'a1', worker: 'adam', task: 'Why is it slow?', text, source: 'message', cut: 0, given_ms: 2_000 });
  return number;
}

test('an answer is reviewed whole, which does not move its worktree, and dismissed; the task is done and keeps it', async () => {
  await using work = await scratchWork({ worker: ANSWERED });
  const { repo, context, worktree } = work;
  const text = `# The cache\n${'x'.repeat(1_000_000)}`;
  const number = record(context, text);
  const head = await repo.run(['rev-parse', 'HEAD'], worktree);
  await repo.commit('Main moves on', { 'main.txt': 'm\n' });
  await refreshReviews(context, {});
  const shown = await reviewWork(context, {});
  expect(shown).toMatchObject({ kind: 'answer', worker: 'adam', commits: [], files: [], diff: '', uncommitted: [] });
  expect(shown.answer).toEqual({ text, source: 'message', cut: false, task: number, at_unix: 2 });
  expect(await repo.run(['rev-parse', 'HEAD'], worktree)).toBe(head);
  expect(context.store.worker('adam')).toMatchObject({ status: 'needs_review', commit_sha: null, reviewed_patch_id: null });
  expect(context.store.worker('adam').shown_revision).not.toBeNull();

  expect(await dismissAnswer(context, {})).toEqual({ worker: 'adam', task: number, rescued: null });
  expect(context.store.worker('adam')).toMatchObject({ status: 'idle', answer: null, summary: null, attention: null, expects: 'commit' });
  expect(readQueueStates(context.store.database, [number]).get(number)).toBe('done');
  expect(findAnswer(context.store.database, 'a1')).toMatchObject({ text, rescue: null });
  expect((await showTask(context, { number })).answer).toBe(text);
  await expect(dismissAnswer(context, { worker: 'adam' })).rejects.toMatchObject({ code: 'ILLEGAL_TRANSITION' });
  await expect(dismissAnswer(context, {})).rejects.toMatchObject({ code: 'NOTHING_TO_REVIEW' });
});

test('files beside an answer are shown, and saved when it is dismissed', async () => {
  await using work = await scratchWork({ worker: { ...ANSWERED, attention: { kind: 'answer', uncommitted: true } } });
  const { repo, context, worktree } = work;
  record(context);
  await repo.write('README.md', 'changed\n', worktree);
  await repo.write('new.txt', 'new\n', worktree);
  const shown = await reviewWork(context, { worker: 'adam' });
  expect(shown.uncommitted).toEqual(['README.md', 'new.txt']);
  expect(shown.diff).toContain('+new');
  const { rescued } = await dismissAnswer(context, { worker: 'adam' });
  expect(rescued).not.toBeNull();
  expect(findAnswer(context.store.database, 'a1')?.rescue).toBe(rescued);
  expect(await repo.run(['status', '--porcelain'], worktree)).toBe('');
  expect(await repo.run(['show', `refs/llmc/rescue/${rescued}:new.txt`], context.layout.root)).toBe('new');
});

test('nothing that needs a commit takes an answer: each refusal says what to type', async () => {
  await using work = await scratchWork({ worker: ANSWERED });
  const { context } = work;
  record(context);
  const dismiss = { code: 'ILLEGAL_TRANSITION', hint: expect.stringContaining('llmc dismiss adam') };
  await expect(acceptWork(context, { worker: 'adam' })).rejects.toMatchObject(dismiss);
  await expect(rejectWork(context, { worker: 'adam', feedback: 'No', notes: [], timeoutMs: 1 })).rejects.toMatchObject(dismiss);
  await expect(rebaseWork(context, { worker: 'adam' })).rejects.toMatchObject(dismiss);
  await expect(reviewWork(context, { worker: 'adam', beforeAccept: true })).rejects.toMatchObject(dismiss);
  expect((await acceptAll(context, {})).left).toEqual([]);
  // A person who has just read it does not mean the work of another worker.
  await reviewWork(context, { worker: 'adam' });
  await expect(acceptWork(context, {})).rejects.toMatchObject(dismiss);
  expect(context.store.worker('adam')).toMatchObject({ status: 'needs_review', answer: 'a1' });
});

test('an answer is part of the queue of reviews, and a bare accept does not mean it', async () => {
  await using work = await scratchWork({ worker: { ...ANSWERED, last_activity_unix: 1 } });
  const { repo, context } = work;
  record(context);
  const baker = await addWorker(context, { name: 'baker', overrides: { agent: 'demo' } });
  const commit = await repo.commit('Bake', { 'b.txt': 'b\n' }, baker.worktree_path);
  context.store.changeWorker('baker', {
    kind: 'status',
    summary: 'finished',
    change: (worker) => Object.assign(worker, { status_before_offline: 'needs_review', commit_sha: commit }),
  });
  expect(await reviewWork(context, { next: true })).toMatchObject({ worker: 'adam', kind: 'answer', waiting: ['baker'] });
  expect(await reviewWork(context, { next: true })).toMatchObject({ worker: 'baker', kind: 'work', waiting: ['adam'] });
  expect((await acceptWork(context, {})).worker).toBe('baker');
});

test('an agent that is offline or a message on its way: the first is dismissed, the second is not', async () => {
  await using work = await scratchWork({ worker: { ...ANSWERED, status: 'offline', status_before_offline: 'needs_review' } });
  record(work.context);
  await dismissAnswer(work.context, { worker: 'adam' });
  expect(work.context.store.worker('adam')).toMatchObject({ status: 'offline', status_before_offline: 'idle', answer: null });

  await using busy = await scratchWork({ worker: { ...ANSWERED, status: 'working', answer: null } });
  await expect(dismissAnswer(busy.context, { worker: 'adam' })).rejects.toMatchObject({
    message: 'adam is working and has no answer to dismiss',
  });
});

test('two at once: one dismisses, the other is refused', async () => {
  await using work = await scratchWork({ worker: ANSWERED });
  record(work.context);
  await work.repo.write('new.txt', 'new\n', work.worktree);
  const both = await Promise.allSettled([dismissAnswer(work.context, { worker: 'adam' }), dismissAnswer(work.context, { worker: 'adam' })]);
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
});

test('a turn that ended without a commit shows its files, which cannot be accepted as they are', async () => {
  await using work = await scratchWork({
    worker: { status: 'needs_input', current_prompt: 'Fix it', summary: 'I could not run git', attention: { kind: 'no_commit' } },
  });
  const { repo, context, worktree } = work;
  await repo.write('README.md', 'half done\n', worktree);
  const shown = await reviewWork(context, { worker: 'adam' });
  expect(shown).toMatchObject({ kind: 'unfinished', answer: null, summary: 'I could not run git', uncommitted: ['README.md'] });
  expect(shown.diff).toContain('+half done');
  expect(context.store.worker('adam')).toMatchObject({ status: 'needs_input', reviewed_patch_id: null, shown_revision: null });
  await expect(acceptWork(context, { worker: 'adam' })).rejects.toMatchObject({ code: 'ILLEGAL_TRANSITION' });
  expect(await repo.run(['status', '--porcelain'], worktree)).toBe('M README.md');
});
