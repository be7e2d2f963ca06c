import { describe, expect, test } from 'vitest';
import { type ScratchWork, scratchWork } from '../../../test/support/scratch-work.ts';
import { listTaskReports, reportOutcome } from '../../store/tables/tasks.ts';
import { acceptWork } from '../accept-work.ts';
import { rejectWork } from '../reject-work.ts';
import { reviewWork } from '../review-work.ts';
import { commitMove } from '../status/commit-move.ts';
import { giveTask } from './give-task.ts';
import { offerForReview } from './offer-for-review.ts';
import { judgeOwner } from './owner.ts';
import { restWorker } from './rest-worker.ts';
import { dismissWorker, makeRunWorker } from './run-worker.ts';

const DEV = 'swarm-1-dev';

/** A developer of a run whose commit is finished; it rests. */
async function withCommit(): Promise<ScratchWork & { readonly commit: string }> {
  const work = await scratchWork();
  const { context } = work;
  const { worktree_path } = await makeRunWorker(context, { name: DEV, run: 'swarm-1', role: 'dev', agent: 'demo' });
  await giveTask(context, {
    id: 'a1',
    worker: DEV,
    base: null,
    conversation: 'fresh',
    worktree: 'reset',
    expects: { kind: 'commit' },
    prompt: 'Build it',
    session: '',
  });
  commitMove(context, DEV, 'came_back', { why: 'its session runs' });
  const commit = await work.repo.commit('Build it', { 'a.txt': 'a\n' }, worktree_path);
  commitMove(context, DEV, 'finished', { why: 'the turn ended', fields: { commit_sha: commit } });
  await restWorker(context, DEV);
  return { ...work, commit };
}

const outcomes = ({ context }: ScratchWork, id: string) => listTaskReports(context.store.database, id).map(({ outcome }) => outcome);

describe('a commit of a run that is offered for review', () => {
  test('waits like any other, and its landing is reported to the run', async () => {
    await using work = await withCommit();
    const { context, commit } = work;
    expect(await offerForReview(context, { id: 'l1', worker: DEV, commit, task: 'Build a clock' })).toBe(true);
    expect(await offerForReview(context, { id: 'l1', worker: DEV, commit, task: 'Build a clock' })).toBe(false);
    expect(context.store.worker(DEV)).toMatchObject({ status: 'offline', status_before_offline: 'needs_review', commit_sha: commit });
    expect(judgeOwner(context.store.worker(DEV))).toBe('person');
    expect(await dismissWorker(context, DEV)).toEqual({ gone: false, rescued: null });
    const { commit: landed } = await acceptWork(context, { worker: DEV });
    expect(outcomes(work, 'l1')).toEqual([{ kind: 'landed', commit: landed }]);
    expect(await work.repo.run(['rev-parse', 'main'])).toBe(landed);
    expect(context.store.worker(DEV)).toMatchObject({ status_before_offline: 'idle', run: { resting: true, task: null } });
    expect(await offerForReview(context, { id: 'l1', worker: DEV, commit, task: 'Build a clock' })).toBe(false);
    expect(await dismissWorker(context, DEV)).toEqual({ gone: true, rescued: null });
  });

  test('has the words of the run and of the agent in its review', async () => {
    await using work = await withCommit();
    const { context, commit } = work;
    reportOutcome(context.store.database, 'a1', { kind: 'finished', commit, message: 'The clock ticks.' }, 1);
    await offerForReview(context, { id: 'l1', worker: DEV, commit, task: 'Build a clock' });
    expect(await reviewWork(context, { worker: DEV })).toMatchObject({ task: 'Build a clock', summary: 'The clock ticks.' });
  });

  test('that its run calls unverified says so at the top of its review', async () => {
    await using work = await withCommit();
    const { context, commit } = work;
    await offerForReview(context, { id: 'l1', worker: DEV, commit, task: 'Build a clock', marks: ['unverified'] });
    const { warnings } = await reviewWork(context, { worker: DEV });
    expect(warnings[0]).toEqual({ kind: 'marked', run: 'swarm-1', marks: ['unverified'] });
  });

  test('that is sent back wakes its worker, and its next commit waits for the same landing', async () => {
    await using work = await withCommit();
    const { context, commit } = work;
    await offerForReview(context, { id: 'l1', worker: DEV, commit, task: 'Build a clock' });
    await expect(rejectWork(context, { worker: DEV, feedback: 'Add a test', notes: [], timeoutMs: 0 })).rejects.toMatchObject({
      code: 'WAIT_TIMEOUT',
    });
    expect(outcomes(work, 'l1')).toEqual([{ kind: 'rejected', feedback: 'Add a test' }]);
    expect(context.store.worker(DEV)).toMatchObject({ status_before_offline: 'rejected', run: { resting: false, task: { id: 'l1' } } });
    expect(context.store.worker(DEV).current_prompt).toBe('Build a clock');
    expect(judgeOwner(context.store.worker(DEV))).toBe('person');
    await restWorker(context, DEV);
    expect(context.store.worker(DEV)).toMatchObject({ status_before_offline: 'rejected', run: { resting: false } });
  });

  test('is the commit that was named, whatever the worktree holds since', async () => {
    await using work = await withCommit();
    const { context, commit } = work;
    const { worktree_path } = context.store.worker(DEV);
    await work.repo.commit('Later', { 'b.txt': 'b\n' }, worktree_path);
    await offerForReview(context, { id: 'l1', worker: DEV, commit, task: 'Build a clock' });
    expect(await work.repo.run(['rev-parse', 'HEAD'], worktree_path)).toBe(commit);
  });
});
