import { expect, test } from 'vitest';
import { type ScratchWork, scratchWork } from '../../../test/support/scratch-work.ts';
import { lastFeedback, updateDelivery } from '../../store/tables/deliveries.ts';
import { acceptWork } from '../accept-work.ts';
import { rejectWork } from '../reject-work.ts';
import { reviewWork } from '../review-work.ts';
import { commitMove } from '../status/commit-move.ts';
import { keepDraft } from './drafts.ts';

const LINES = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
const changed = (changes: Readonly<Record<number, string>>, before: readonly string[] = []) =>
  `${[...before, ...LINES.map((line, index) => changes[index + 1] ?? line)].join('\n')}\n`;

/** Work that changes two lines of a file, in real git. */
async function worked(): Promise<ScratchWork> {
  const work = await scratchWork({
    worker: { status: 'needs_review', current_prompt: 'Spell' },
    prepare: async (repo) => void (await repo.commit('Long', { 'long.txt': changed({}) })),
  });
  await work.repo.commit('Spell', { 'long.txt': changed({ 5: 'line five', 15: 'line fifteen' }) }, work.worktree);
  return work;
}

const review = ({ context }: ScratchWork) => reviewWork(context, { worker: 'adam', patrol: true });

/** Sends the work back; the agent commits again with these lines. */
async function sentBack(work: ScratchWork, changes: Readonly<Record<number, string>>): Promise<void> {
  const { context, repo, worktree } = work;
  const notes = [{ at: 'long.txt:5', text: 'In capitals' }];
  await expect(rejectWork(context, { worker: 'adam', feedback: 'Almost', notes, timeoutMs: 0 })).rejects.toMatchObject({
    code: 'WAIT_TIMEOUT',
  });
  updateDelivery(context.store.database, lastFeedback(context.store.database, 'adam')?.id ?? '', { state: 'done', acked_ms: 1 });
  await repo.commit('Address', { 'long.txt': changed(changes) }, worktree);
  commitMove(context, 'adam', 'committed', { why: 'the turn ended with a commit' });
}

const signed = (diff: string | null | undefined) => diff?.split('\n').filter((line) => /^[-+](?![-+])/.test(line));

test('after a rejection: what changed since the reviewed work, with the remarks and their lines', async () => {
  await using work = await worked();
  expect((await review(work)).since).toBeNull();
  await sentBack(work, { 5: 'line FIVE', 15: 'line fifteen' });
  const { since, diff } = await review(work);
  expect(signed(since?.diff)).toEqual(['-line five', '+line FIVE']);
  expect(signed(diff)).toHaveLength(4);
  expect(since).toMatchObject({ feedback: 'Almost', notes: [{ at: 'long.txt:5', text: 'In capitals', quoted: 'line five' }] });
});

test('what main gained in between is not what the worker changed', async () => {
  await using work = await worked();
  await review(work);
  await sentBack(work, { 5: 'line FIVE', 15: 'line fifteen' });
  await work.repo.commit('Main', { 'long.txt': changed({}, ['above']), 'other.txt': 'new\n' });
  const { since, diff } = await review(work);
  expect(signed(since?.diff)).toEqual(['-line five', '+line FIVE']);
  expect(diff).not.toContain('above\n+');
});

test('work that nobody had seen when it was sent back has nothing to compare with, and keeps its remarks', async () => {
  await using unseen = await worked();
  await sentBack(unseen, { 5: 'line FIVE', 15: 'line fifteen' });
  expect((await review(unseen)).since).toMatchObject({ reviewed: null, diff: null, notes: [{ text: 'In capitals' }] });
});

test('work that was sent back twice is compared with what was seen last; the first time counts if the second was not seen', async () => {
  await using work = await worked();
  await review(work);
  await sentBack(work, { 5: 'line FIVE', 15: 'line fifteen' });
  await review(work);
  await sentBack(work, { 5: 'line FIVE', 15: 'line FIFTEEN' });
  await sentBack(work, { 5: 'LINE FIVE', 15: 'line FIFTEEN' });
  const { since } = await review(work);
  expect(signed(since?.diff)).toEqual(['-line FIVE', '+LINE FIVE', '-line fifteen', '+line FIFTEEN']);
  await acceptWork(work.context, { worker: 'adam' });
  await work.repo.commit('Next', { 'next.txt': 'x\n' }, work.worktree);
  commitMove(work.context, 'adam', 'committed', { why: 'other work' });
  expect((await review(work)).since).toBeNull();
});

test('the commit lands with the message that a person wrote, and without a remark of the review in that of the agent', async () => {
  await using work = await worked();
  await review(work);
  await sentBack(work, { 5: 'line FIVE', 15: 'line fifteen' });
  const { repo, context, worktree } = work;
  await repo.run(['commit', '--quiet', '--amend', '-m', 'Spell in capitals\n\nAt long.txt:5: In capitals\n\nNumbers are loud.'], worktree);
  const { message } = await review(work);
  expect(message).toBe('Spell\n\nSpell in capitals\n\nNumbers are loud.');
  const draft = { kind: 'message', text: 'Shout\n\n#12 asked for it.', instead: message } as const;
  await keepDraft(context, { worker: 'adam', id: 'message:adam', draft });
  expect(await review(work)).toMatchObject({ message: draft.text, agent_message: message, message_edit: 'current' });
  await repo.run(['commit', '--quiet', '--amend', '-m', 'Other words'], worktree);
  expect(await review(work)).toMatchObject({ message: draft.text, message_edit: 'outdated' });
  await acceptWork(context, { worker: 'adam' });
  expect((await repo.run(['log', '-1', '--format=%B', 'main'])).trim()).toBe(draft.text);
});

test('a list of the files alone is not a look at the lines: it moves no mark, and does not count as a review', async () => {
  await using work = await worked();
  const { context } = work;
  const list = () => reviewWork(context, { worker: 'adam', onlyStat: true });
  await list();
  expect(context.store.state.last_reviewed_worker).toBe('adam');
  await expect(acceptWork(context, { worker: 'adam', requireReview: true })).rejects.toMatchObject({ code: 'WORK_NOT_REVIEWED' });
  await review(work);
  await sentBack(work, { 5: 'line FIVE', 15: 'line fifteen' });
  await list();
  await sentBack(work, { 5: 'line FIVE', 15: 'line FIFTEEN' });
  const { since } = await review(work);
  expect(signed(since?.diff)).toEqual(['-line five', '+line FIVE', '-line fifteen', '+line FIFTEEN']);
});
