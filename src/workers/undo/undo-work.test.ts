import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ScratchWork, scratchWork } from '../../../test/support/scratch-work.ts';
import { trackingRef } from '../../git/refs.ts';
import { listRescues } from '../../git/rescue/rescue.ts';
import { addWorktree } from '../../git/worktree/worktree.ts';
import type { Worker } from '../../store/state.ts';
import { cancelDeliveries } from '../../store/tables/deliveries.ts';
import { lastLanded } from '../../store/tables/landings.ts';
import { insertUndo } from '../../store/tables/undos.ts';
import { acceptWork } from '../accept-work.ts';
import { advanceResolution } from '../rebase/advance-resolution.ts';
import { rebaseWork } from '../rebase/rebase-work.ts';
import { reviewWork } from '../review-work.ts';
import { aWorker } from '../samples.ts';
import { finishOpenUndos, undoWork } from './undo-work.ts';

const CONVERSATION = '11111111-1111-4111-8111-111111111111';
const REVIEWED = {
  status: 'needs_review',
  ...{ current_prompt: 'Add a', summary: 'Added a.', conversation_id: CONVERSATION, conversation_used: true },
} as const;

/** A worker with two commits, accepted. */
async function accepted(work: ScratchWork): Promise<{ readonly commits: string; readonly commit: string | null }> {
  const { repo, context, worktree } = work;
  await repo.commit('One', { 'a.txt': 'one\n' }, worktree);
  await repo.commit('Two', { 'a.txt': 'one\ntwo\n' }, worktree);
  const commits = await repo.run(['rev-list', 'origin/main..HEAD'], worktree);
  const { commit } = await acceptWork(context, { worker: 'adam' });
  return { commits, commit };
}

/** A second worker with one commit that waits for a review. */
async function pending({ repo, context }: ScratchWork, name: string, fields: Partial<Worker> = {}): Promise<string> {
  const { git, layout, store } = context;
  const path = join(layout.worktrees, name);
  await addWorktree(git, layout.root, name, path, trackingRef('main'));
  const head = await repo.commit(`Work of ${name}`, { [`${name}.txt`]: 'mine\n' }, path);
  store.commit({
    kind: 'added',
    summary: name,
    worker: name,
    state: (draft) => {
      draft.workers[name] = aWorker({
        name,
        worktree_path: path,
        branch: `llmc/${name}`,
        status: 'needs_review',
        commit_sha: head,
        ...fields,
      });
    },
  });
  return path;
}

const subjects = (work: ScratchWork) => work.repo.run(['log', '--format=%s', 'main']);
const undo = (work: ScratchWork, request: Parameters<typeof undoWork>[1] = {}) => undoWork(work.context, { patrol: true, ...request });

describe('an accept that nothing follows', () => {
  test('is taken back: main as before, and the worker has its commits, its task and its conversation', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    const { repo, context, worktree } = work;
    const { commits, commit } = await accepted(work);
    await repo.write('README.md', 'edited\n');
    expect(await undo(work)).toMatchObject({
      ...{ worker: 'adam', branch: 'main', commit, subject: 'One', kind: 'take_back' },
      ...{ outcome: 'undone', revert: null, status: 'needs_review', conversation: 'kept' },
    });
    expect(await subjects(work)).toBe('Begin');
    expect(await repo.run(['status', '--porcelain'])).toBe('M README.md');
    expect(await repo.run(['rev-list', 'origin/main..HEAD'], worktree)).toBe(commits);
    expect(await repo.run(['status', '--porcelain', '--branch'], worktree)).toBe('## llmc/adam');
    expect(context.store.worker('adam')).toMatchObject({
      ...{
        status: 'needs_review',
        current_prompt: 'Add a',
        summary: 'Added a.',
        commit_sha: commits.split('\n')[0],
        reviewed_patch_id: null,
      },
      ...{ attention: { kind: 'review', uncommitted: false }, conversation_id: CONVERSATION },
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

describe('an accept that cannot be taken back', () => {
  const refusal = (work: ScratchWork) =>
    undo(work).then(
      () => undefined,
      (error: unknown) => error,
    );

  test('main has gone on: refused, and --revert adds the opposite', async () => {
    await using work = await scratchWork({ worker: REVIEWED, repo: 'validate = ["test ! -e a.txt && test -e b.txt"]' });
    const { repo, context } = work;
    await repo.commit('One', { 'a.txt': 'one\n', 'b.txt': 'b\n' }, work.worktree);
    await acceptWork(
      { ...context, config: async () => ({ ...(await context.config()), repo: { ...(await context.config()).repo, validate: [] } }) },
      { worker: 'adam' },
    );
    await repo.run(['rm', '--quiet', 'b.txt']);
    await repo.commit('Later', { 'b.txt': 'b\nmore\n', 'c.txt': 'c\n' });
    expect(await refusal(work)).toMatchObject({ code: 'UNDO_REFUSED', hint: 'Add a commit that reverts it: llmc undo adam --revert' });
    expect(await undo(work, { revert: true }).catch((error: unknown) => error)).toMatchObject({ code: 'UNDO_REFUSED', details: 'b.txt' });
    expect(await subjects(work)).toBe('Later\nOne\nBegin');
  });

  test('a revert is validated in a worktree of its own, lands once and leaves the worker alone', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    const { repo, context } = work;
    const { commit } = await accepted(work);
    await repo.commit('Later', { 'c.txt': 'c\n' });
    await repo.write('c.txt', 'edited\n');
    const config = await context.config();
    const validate = ['test ! -e a.txt && test -e c.txt && basename "$PWD" > ../../validated'];
    const validating = { ...work, context: { ...context, config: async () => ({ ...config, repo: { ...config.repo, validate } }) } };
    const undone = await undo(validating, { revert: true });
    expect(undone).toMatchObject({ outcome: 'undone', kind: 'revert', commit, status: 'idle', conversation: null });
    expect(await repo.read('validated', context.layout.root)).toBe('_undo\n');
    expect(await repo.run(['log', '-1', '--format=%H %B'])).toBe(`${undone.revert} Revert "One"\n\nThis reverts commit ${commit}.`);
    expect(await repo.run(['status', '--porcelain'])).toBe('M c.txt');
    expect(await repo.run(['branch', '--list', '--format=%(refname:short)'], context.layout.root)).not.toContain('_undo');
    expect(await undo(work, { revert: true })).toMatchObject({ outcome: 'already_undone', revert: undone.revert });
    expect(await subjects(work)).toBe('Revert "One"\nLater\nOne\nBegin');
  });

  test('a revert whose validation fails does not land, and can be tried again', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    await accepted(work);
    const config = await work.context.config();
    const failing = {
      ...work,
      context: { ...work.context, config: async () => ({ ...config, repo: { ...config.repo, validate: ['false'] } }) },
    };
    await expect(undo(failing, { revert: true })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(await subjects(work)).toBe('One\nBegin');
    expect(await undo(work, { revert: true })).toMatchObject({ outcome: 'undone' });
    expect(await subjects(work)).toBe('Revert "One"\nOne\nBegin');
  });

  test('the worker has another task: refused', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    await accepted(work);
    work.context.store.changeWorker('adam', {
      kind: 'status',
      summary: 'task',
      change: (worker) => Object.assign(worker, { status: 'working' }),
    });
    expect(await refusal(work)).toMatchObject({ code: 'UNDO_REFUSED', message: expect.stringContaining('adam cannot take') });
    expect(await subjects(work)).toBe('One\nBegin');
  });

  test('edits of the user in the same file stop it, and it works once they are gone', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    await accepted(work);
    await work.repo.write('a.txt', 'mine\n');
    expect(await refusal(work)).toMatchObject({
      code: 'UNDO_REFUSED',
      hint: `Commit or move your own changes in ${work.repo.path}, then: llmc undo adam`,
      details: 'a.txt',
    });
    expect([await work.repo.read('a.txt'), work.context.store.worker('adam').status]).toEqual(['mine\n', 'idle']);
    await work.repo.run(['checkout', '--quiet', '--', 'a.txt']);
    expect(await undo(work)).toMatchObject({ outcome: 'undone' });
  });

  test('a remote of the source has it: refused', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    const remote = join(work.repo.dir, 'upstream.git');
    await work.repo.run(['init', '--quiet', '--bare', remote], '/');
    await work.repo.run(['remote', 'add', 'upstream', remote]);
    await accepted(work);
    await work.repo.run(['push', '--quiet', 'upstream', 'main']);
    expect(await refusal(work)).toMatchObject({ code: 'UNDO_REFUSED', message: expect.stringContaining('upstream/main has') });
    expect(await undo(work, { revert: true })).toMatchObject({ outcome: 'undone', kind: 'revert' });
  });

  test('nothing was accepted yet', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    expect(await refusal(work)).toMatchObject({ code: 'NOTHING_TO_UNDO', message: 'no accept has landed yet' });
  });

  test('main was moved away from it by hand', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    await accepted(work);
    await work.repo.run(['reset', '--quiet', '--hard', 'HEAD~1']);
    expect(await refusal(work)).toMatchObject({ code: 'NOTHING_TO_UNDO' });
    await expect(undo(work, { revert: true })).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' });
  });
});

describe('an undo that a crash interrupted', () => {
  /** The row that `undo` writes before its first step. */
  async function interrupted(work: ScratchWork): Promise<void> {
    await accepted(work);
    const { store } = work.context;
    const landing = lastLanded(store.database);
    if (landing === undefined) throw new Error('nothing landed');
    const { id, worker, landed, onto } = landing;
    insertUndo(store.database, { id: 'open', landing: id, worker, kind: 'take_back', branch: 'main', landed, onto, created_ms: 1 });
  }
  const outcomes = (work: ScratchWork) => work.context.store.database.prepare('SELECT phase, outcome FROM undos').all();

  test('is finished by the next supervisor', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    await interrupted(work);
    await finishOpenUndos(work.context);
    expect([await subjects(work), work.context.store.worker('adam').status]).toEqual(['Begin', 'needs_review']);
    expect(outcomes(work)).toEqual([{ phase: 'settled', outcome: 'done' }]);
  });

  test('is over if the worker has another task by now and main has not moved', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    await interrupted(work);
    work.context.store.changeWorker('adam', {
      kind: 'status',
      summary: 'task',
      change: (worker) => Object.assign(worker, { status: 'working' }),
    });
    await finishOpenUndos(work.context);
    expect([await subjects(work), work.context.store.worker('adam').status]).toEqual(['One\nBegin', 'working']);
    expect(outcomes(work)).toEqual([{ phase: 'settled', outcome: 'failed' }]);
    expect(work.said.at(-1)).toContain('Could not finish undoing the accept of adam: adam cannot take');
  });

  test('waits for its worker if main has moved already, and is finished once that is idle', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    await interrupted(work);
    await work.repo.run(['reset', '--quiet', '--keep', 'HEAD~1']);
    const to = (status: 'working' | 'idle') =>
      work.context.store.changeWorker('adam', { kind: 'status', summary: status, change: (worker) => Object.assign(worker, { status }) });
    to('working');
    await finishOpenUndos(work.context);
    expect(outcomes(work)).toEqual([{ phase: 'moved', outcome: null }]);
    to('idle');
    expect(await undo(work)).toMatchObject({ outcome: 'undone', status: 'needs_review' });
    expect(outcomes(work)).toEqual([{ phase: 'settled', outcome: 'done' }]);
  });

  test('ends with main as before if its worker is gone', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    await interrupted(work);
    await work.repo.run(['reset', '--quiet', '--keep', 'HEAD~1']);
    work.context.store.commit({
      worker: null,
      kind: 'nuked',
      summary: 'gone',
      state: (draft) => {
        delete draft.workers.adam;
      },
    });
    await finishOpenUndos(work.context);
    expect(outcomes(work)).toEqual([{ phase: 'settled', outcome: 'done' }]);
    expect(await undo(work)).toMatchObject({ outcome: 'already_undone', status: null });
  });
});
