import { expect, test } from 'vitest';
import { z } from 'zod';
import { REVIEWED } from '../../test/support/accepted-work.ts';
import { type ScratchWork, scratchWork } from '../../test/support/scratch-work.ts';
import { lastFeedback, updateDelivery } from '../store/tables/deliveries.ts';
import type { WorkContext } from './context.ts';
import { rejectWork } from './reject-work.ts';
import { commitMove } from './status/commit-move.ts';

const reject = ({ context }: ScratchWork, feedback: string, other: Partial<WorkContext> = {}, notes: { at: string; text: string }[] = []) =>
  rejectWork({ ...context, ...other }, { worker: 'adam', feedback, notes, timeoutMs: 0 });

const sent = ({ context }: ScratchWork) =>
  context.store.database
    .prepare("SELECT count(*) AS sent FROM deliveries WHERE purpose = 'feedback'")
    .all()
    .map((row) => z.object({ sent: z.int() }).parse(row).sent)[0];

/** The agent has the feedback and has committed again. */
function commitAgain({ context }: ScratchWork): void {
  const { store } = context;
  updateDelivery(store.database, lastFeedback(store.database, 'adam')?.id ?? '', { state: 'done', acked_ms: context.clock.now() });
  commitMove(context, 'adam', 'committed', { why: 'the turn ended with a commit' });
}

/** A reject whose command was killed after its feedback was stored. */
async function killed(work: ScratchWork, feedback: string): Promise<void> {
  await expect(reject(work, feedback, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'SUPERVISOR_NOT_RUNNING' });
  commitAgain(work);
}

async function reviewable(): Promise<ScratchWork> {
  const work = await scratchWork({ worker: REVIEWED });
  await work.repo.commit('Add a', { 'a.txt': 'a\n' }, work.worktree);
  return work;
}

test('the feedback of a reject that was killed is not sent again by the same reject, which says so; the next one sends it', async () => {
  await using work = await reviewable();
  await killed(work, 'Mention the sea');
  const { created_ms } = lastFeedback(work.context.store.database, 'adam') ?? {};
  expect(await reject(work, 'Mention the sea')).toMatchObject({ worker: 'adam', state: 'done', earlier_ms: created_ms });
  expect([sent(work), work.context.store.worker('adam').status]).toEqual([1, 'needs_review']);
  await expect(reject(work, 'Mention the sea')).rejects.toMatchObject({ code: 'WAIT_TIMEOUT' });
  expect(sent(work)).toBe(2);
});

test('other feedback, or the same with a remark, is sent', async () => {
  await using work = await reviewable();
  await killed(work, 'Mention the sea');
  await expect(reject(work, 'Mention the sea', {}, [{ at: 'a.txt:1', text: 'Here' }])).rejects.toMatchObject({ code: 'WAIT_TIMEOUT' });
  commitAgain(work);
  await expect(reject(work, 'Mention the sea shore')).rejects.toMatchObject({ code: 'WAIT_TIMEOUT' });
  expect(sent(work)).toBe(3);
});

test('feedback whose sender was told is sent as often as it is given', async () => {
  await using work = await reviewable();
  for (const count of [1, 2]) {
    await expect(reject(work, 'Make this pass: npm test')).rejects.toMatchObject({ code: 'WAIT_TIMEOUT' });
    expect(sent(work)).toBe(count);
    commitAgain(work);
  }
});
