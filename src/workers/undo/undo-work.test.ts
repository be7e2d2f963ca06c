import { describe, expect, test } from 'vitest';
import { accepted, CONVERSATION, pending, REVIEWED, subjects, undo } from '../../../test/support/accepted-work.ts';
import { scratchWork } from '../../../test/support/scratch-work.ts';
import { listRescues } from '../../git/rescue/rescue.ts';
import { cancelDeliveries } from '../../store/tables/deliveries.ts';
import { acceptWork } from '../accept-work.ts';
import { advanceResolution } from '../rebase/advance-resolution.ts';
import { rebaseWork } from '../rebase/rebase-work.ts';
import { reviewWork } from '../review-work.ts';
import { undoWork } from './undo-work.ts';

describe('an accept that nothing follows', () => {
  test('is taken back: main as before, and the worker has its commits, its task and its conversation', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    const { repo, context, worktree } = work;
    const { commits, commit } = await accepted(work);
    await repo.write('README.md', 'edited\n');
    expect(await undo(work)).toMatchObject({
      worker: 'adam',
      branch: 'main',
      commit,
      subject: 'One',
      kind: 'take_back',
      outcome: 'undone',
      revert: null,
      status: 'needs_review',
      conversation: 'kept',
    });
    expect(await subjects(work)).toBe('Begin');
    expect(await repo.run(['status', '--porcelain'])).toBe('M README.md');
    expect(await repo.run(['rev-list', 'origin/main..HEAD'], worktree)).toBe(commits);
    expect(await repo.run(['status', '--porcelain', '--branch'], worktree)).toBe('## llmc/adam');
    expect(context.store.worker('adam')).toMatchObject({
      status: 'needs_review',
      current_prompt: 'Add a',
      summary: 'Added a.',
      commit_sha: commits.split('\n')[0],
      reviewed_patch_id: null,
      attention: { kind: 'review', uncommitted: false },
      conversation_id: CONVERSATION,
    });
    expect(await listRescues(context.git, context.layout.root)).toEqual([]);
  });

  test('can be reviewed and accepted again, and undone again', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    await accepted(work);
    await undo(work);
    await reviewWork(work.context, { worker: 'adam' });
    const again = await acceptWork(work.context, { worker: 'adam' });
    expect(again).toMatchObject({ how: 'merge', subject: 'One' });
    expect(await subjects(work)).toBe('One\nBegin');
    expect(await undo(work)).toMatchObject({ outcome: 'undone', commit: again.commit });
    expect(await subjects(work)).toBe('Begin');
  });

  test('a second undo changes nothing and says what the first one did', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    const { commit } = await accepted(work);
    const results = await Promise.all([undo(work), undo(work)]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['undone', 'already_undone']);
    expect(await undo(work, { revert: true })).toMatchObject({ outcome: 'already_undone', kind: 'take_back', commit });
    expect(await subjects(work)).toBe('Begin');
  });

  test('of a name that no worker has is refused with the names of the workers', async () => {
    await using work = await scratchWork();
    await expect(undoWork(work.context, { worker: 'nope' })).rejects.toMatchObject({
      code: 'WORKER_NOT_FOUND',
      hint: expect.stringContaining('adam'),
    });
    await expect(undoWork(work.context, { worker: 'adam' })).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' });
  });

  test('a dry run only says what would be undone', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    const { commit } = await accepted(work);
    expect(await undo(work, { dryRun: true })).toMatchObject({ outcome: 'planned', commit, worker: 'adam' });
    expect([await subjects(work), work.context.store.worker('adam').status]).toEqual(['One\nBegin', 'idle']);
  });

  test('an earlier conversation is resumed where the agent can, and reported as lost where it cannot', async () => {
    for (const [can, conversation] of [
      [true, 'resumed'],
      [false, 'lost'],
    ] as const) {
      const asked: string[] = [];
      await using work = await scratchWork({
        worker: REVIEWED,
        agents: { resumeConversation: async (name, id) => asked.push(`${name} ${id}`) > 0 && can },
      });
      await accepted(work);
      work.context.store.changeWorker('adam', {
        kind: 'conversation',
        summary: 'another one',
        change: (worker) => Object.assign(worker, { conversation_id: '22222222-2222-4222-8222-222222222222' }),
      });
      expect(await undo(work)).toMatchObject({ outcome: 'undone', conversation });
      expect(asked).toEqual([`adam ${CONVERSATION}`]);
    }
  });

  test('what the worker has left in its worktree since is saved as a rescue', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    await accepted(work);
    await work.repo.write('notes.txt', 'notes\n', work.worktree);
    await undo(work);
    const [saved] = await listRescues(work.context.git, work.context.layout.root, 'adam');
    expect(await work.repo.run(['show', `${saved?.sha}:notes.txt`], work.context.layout.root)).toBe('notes');
  });

  test('other work that was put on top of it is put back, without the commit that was taken back', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    const { repo, context, worktree } = work;
    const zoe = await pending(work, 'zoe');
    await repo.commit('One', { 'a.txt': 'one\n' }, worktree);
    await acceptWork(context, { worker: 'adam', patrol: true });
    expect(await repo.run(['log', '--format=%s'], zoe)).toBe('Work of zoe\nOne\nBegin');
    await undo(work);
    expect(await repo.run(['log', '--format=%s'], zoe)).toBe('Work of zoe\nBegin');
    await acceptWork(context, { worker: 'zoe' });
    expect(await subjects(work)).toBe('Work of zoe\nBegin');
  });

  test('work that began on top of it lands without it', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    await accepted(work);
    const zoe = await pending(work, 'zoe', { status: 'working' });
    await undo(work);
    work.context.store.changeWorker('zoe', {
      kind: 'status',
      summary: 'done',
      change: (worker) => Object.assign(worker, { status: 'needs_review' }),
    });
    await acceptWork(work.context, { worker: 'zoe' });
    expect(await work.repo.run(['log', '--format=%s'], zoe)).toBe('Work of zoe\nBegin');
    expect(await subjects(work)).toBe('Work of zoe\nBegin');
  });

  test('work that cannot do without it goes to its agent, without the commit that was taken back', async () => {
    await using work = await scratchWork({ worker: REVIEWED, context: { supervised: true } });
    const { repo, context } = work;
    await accepted(work);
    const zoe = await pending(work, 'zoe', { status: 'working' });
    await repo.commit('More of zoe', { 'a.txt': 'one\nzoe\n' }, zoe);
    await undo(work);
    context.store.changeWorker('zoe', {
      kind: 'status',
      summary: 'done',
      change: (worker) => Object.assign(worker, { status: 'needs_review' }),
    });
    expect(await rebaseWork(context, { worker: 'zoe' })).toMatchObject({ outcome: 'resolving', files: ['a.txt'] });
    await repo.write('a.txt', 'one\nzoe\n', zoe);
    await repo.run(['add', 'a.txt'], zoe);
    cancelDeliveries(context.store.database, 'zoe', { kind: 'conflict_over' }, 1);
    await advanceResolution(context, 'zoe');
    expect(await repo.run(['log', '--format=%s'], zoe)).toBe('More of zoe\nWork of zoe\nBegin');
    expect(context.store.worker('zoe')).toMatchObject({ status: 'needs_review', attention: { kind: 'resolved', lost: 0 } });
  });
});
