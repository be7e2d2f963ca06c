import { existsSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testOfFullRun } from '../../../test/support/full-run.ts';
import { BOTH, type Conflicting, conflicting, MAIN } from '../../../test/support/scratch-conflict.ts';
import { LlmcError } from '../../base/error.ts';
import { recentDeliveries } from '../../store/tables/deliveries.ts';
import { recentHistory } from '../../store/tables/history.ts';
import { openResolution } from '../../store/tables/resolutions.ts';
import { acceptWork } from '../accept-work.ts';
import { refreshReviews } from '../landing/refresh-pending-reviews.ts';
import { showSaved } from '../rescue-work.ts';
import { resetWorker } from '../reset-worker.ts';
import { reviewWork } from '../review-work.ts';
import { undoWork } from '../undo/undo-work.ts';
import { rebaseWork } from './rebase-work.ts';
import { resolver } from './resolve-conflict.ts';

const codeOf = (error: unknown) => (error instanceof LlmcError ? error.code : error);

describe('llmc rebase of work that conflicts', () => {
  test('leaves the rebase in the worktree and asks the agent in a new conversation', async () => {
    await using work = await conflicting();
    const { context, head, row } = work;
    expect(await rebaseWork(context, { worker: 'adam' })).toEqual({
      worker: 'adam',
      branch: 'main',
      outcome: 'resolving',
      status: 'rebasing',
      files: ['a.txt'],
    });
    expect(context.store.worker('adam')).toMatchObject({ conflicted_files: ['a.txt'], resolution_attempts: 1, attention: null });
    expect(row()).toMatchObject({ cause: 'rebase', phase: 'asked', head, attempts: 1, loops: 1, files: ['a.txt'] });
    const [prompt] = recentDeliveries(context.store.database, 'adam', 1);
    expect(prompt).toMatchObject({ purpose: 'conflict', fresh_conversation: 1, state: 'queued' });
    expect(prompt?.text).toContain('Write a.txt');
    expect(prompt?.text).toContain('a.txt');
  });

  test('is proven and waits for a review once the agent has continued', async () => {
    await using work = await conflicting();
    const { context, repo, worktree } = work;
    await rebaseWork(context, { worker: 'adam' });
    await work.resolve(BOTH);
    await work.turnEnds();
    const head = await repo.run(['rev-parse', 'HEAD'], worktree);
    expect(work.row()).toMatchObject({ phase: 'settled', outcome: 'resolved', proven_commit: head });
    expect(JSON.parse(work.row()?.proof ?? '')).toMatchObject({ stops: [], dropped: [] });
    expect(context.store.worker('adam')).toMatchObject({
      status: 'needs_review',
      commit_sha: head,
      attention: { kind: 'resolved', lost: 0 },
      conflicted_files: [],
    });
  });

  test('is continued by llmc, and no line that the agent added to git’s list of steps runs', async () => {
    await using work = await conflicting();
    const { context, repo } = work;
    await rebaseWork(context, { worker: 'adam' });
    await work.resolve(BOTH, false);
    const planted = join(repo.dir, 'pwned');
    await appendFile(join(context.layout.root, 'sandbox/adam/git/worktrees/adam/rebase-merge/git-rebase-todo'), `exec touch ${planted}\n`);
    await work.turnEnds();
    expect(existsSync(planted)).toBe(false);
    expect(work.row()).toMatchObject({ outcome: 'resolved', continuing: null });
  });

  test('goes back once with the lines that were dropped, then to a person', async () => {
    await using work = await conflicting();
    const { context, row } = work;
    await rebaseWork(context, { worker: 'adam' });
    await work.resolve('worker\n');
    await work.turnEnds();
    expect(row()).toMatchObject({ phase: 'asked', sent_back: 1, attempts: 2 });
    expect(recentDeliveries(context.store.database, 'adam', 1)[0]).toMatchObject({
      fresh_conversation: 0,
      text: expect.stringContaining('The sea is deep'),
    });
    expect(context.store.worker('adam').status).toBe('rebasing');
    await work.turnEnds();
    expect(row()).toMatchObject({ outcome: 'resolved', sent_back: 1, attempts: 2 });
    expect(context.store.worker('adam')).toMatchObject({
      status: 'needs_review',
      attention: { kind: 'resolved', lost: expect.any(Number) },
    });
    expect(await acceptWork(context, { worker: 'adam' }).catch(codeOf)).toBe('LINES_DROPPED');
    expect(await acceptWork(context, { worker: 'adam', allowDropped: true })).toMatchObject({ worker: 'adam', how: 'merge' });
    expect(recentHistory(context.store.database, 'adam', 20)).toContainEqual(
      expect.objectContaining({ summary: expect.stringContaining('a person allowed') }),
    );
  });

  // “After a later commit, what the resolution lost is still lost” is below.
  testOfFullRun('that lost lines still blocks after another commit of the agent, until the lines are back', async () => {
    await using work = await conflicting();
    const { context, repo, worktree } = work;
    await rebaseWork(context, { worker: 'adam' });
    await work.resolve('worker\n');
    await work.turnEnds();
    await work.turnEnds();
    const finishes = async (subject: string, files: Readonly<Record<string, string>>) => {
      const commit_sha = await repo.commit(subject, files, worktree);
      const attention = { kind: 'review', uncommitted: false } as const;
      context.store.changeWorker('adam', {
        kind: 'test',
        summary: subject,
        change: (worker) => Object.assign(worker, { commit_sha, attention }),
      });
    };
    await finishes('Something else', { 'b.txt': 'b\n' });
    expect(await acceptWork(context, { worker: 'adam' }).catch(codeOf)).toBe('LINES_DROPPED');
    await finishes('Bring it back', { 'a.txt': BOTH });
    expect(await acceptWork(context, { worker: 'adam' })).toMatchObject({ how: 'merge' });
  });

  // In each run in test/merge/outcomes.test.ts, both once and for the third time.
  testOfFullRun('goes back with a failed validation until it passes, and to a person at the third failure', async () => {
    await using work = await conflicting({ repo: 'validate = ["test -f ok"]' });
    const { context, repo, worktree, row } = work;
    await rebaseWork(context, { worker: 'adam' });
    await work.resolve(BOTH);
    for (const failures of [1, 2]) {
      await work.turnEnds();
      expect(row()).toMatchObject({ failures, called: null });
    }
    await work.turnEnds();
    expect(row()).toMatchObject({ failures: 2, called: 'validation', phase: 'resolved' });
    expect(context.store.worker('adam')).toMatchObject({ status: 'rebasing', attention: { kind: 'resolution_stuck', why: 'validation' } });
    await work.turnEnds();
    expect(row()).toMatchObject({ failures: 2 });
    await repo.commit('Pass', { ok: 'ok\n' }, worktree);
    await work.turnEnds();
    expect(row()).toMatchObject({ outcome: 'resolved' });
  });

  // In each run in src/git/rebase/pass-commit.test.ts; the proof of any resolution is above.
  testOfFullRun('uses a resolution that git has recorded, and proves it like any other', async () => {
    await using work = await conflicting();
    const { context, row } = work;
    await rebaseWork(context, { worker: 'adam' });
    await work.resolve(BOTH);
    await rebaseWork(context, { worker: 'adam', abort: true });
    expect(await work.repo.run(['rev-parse', 'HEAD'], work.worktree)).toBe(work.head);
    expect(await rebaseWork(context, { worker: 'adam' })).toMatchObject({ outcome: 'resolved', status: 'needs_review' });
    expect(row()).toMatchObject({ attempts: 0, outcome: 'resolved' });
    expect(JSON.parse(row()?.proof ?? '')).toMatchObject({ stops: [], dropped: [] });
  });

  // In each run in src/workers/rebase/give-back.test.ts.
  testOfFullRun('gives the commit back when the agent aborts, and is not started again without a person', async () => {
    await using work = await conflicting();
    const { context, repo, worktree, head, row } = work;
    await rebaseWork(context, { worker: 'adam' });
    await repo.run(['rebase', '--abort'], worktree);
    await work.turnEnds();
    expect(row()).toMatchObject({ outcome: 'aborted' });
    expect(context.store.worker('adam')).toMatchObject({
      status: 'needs_review',
      commit_sha: head,
      attention: { kind: 'conflict_given_up', files: ['a.txt'] },
    });
    await refreshReviews(context, { onConflict: resolver(context, 'patrol') });
    expect(context.store.worker('adam').status).toBe('needs_review');
    expect((await reviewWork(context, { worker: 'adam' })).diff).toContain('+worker');
    expect(await rebaseWork(context, { worker: 'adam' })).toMatchObject({ outcome: 'resolving' });
  });

  test('calls a person after three turns at the same conflict, once', async () => {
    await using work = await conflicting();
    const { context, row } = work;
    await rebaseWork(context, { worker: 'adam' });
    for (const attempts of [2, 3]) {
      await work.turnEnds();
      expect(row()).toMatchObject({ attempts, loops: attempts });
    }
    for (const _ of [1, 2]) {
      await work.turnEnds();
      expect(row()).toMatchObject({ attempts: 3, called: 'loop' });
    }
    expect(await rebaseWork(context, { worker: 'adam' })).toMatchObject({ outcome: 'resolving' });
    expect(row()).toMatchObject({ attempts: 4, loops: 1, called: null });
  });

  test('is over before a reset or a nuke saves the work: the rescue is the finished work, not main with markers', async () => {
    await using work = await conflicting();
    await rebaseWork(work.context, { worker: 'adam' });
    const { rescued } = await resetWorker(work.context, 'adam');
    const { diff } = await showSaved(work.context, rescued ?? '');
    expect(diff).toContain('+worker');
    expect(diff).not.toContain('<<<<<<<');
  });

  test('ends with a reset of the worker', async () => {
    await using work = await conflicting();
    await rebaseWork(work.context, { worker: 'adam' });
    await resetWorker(work.context, 'adam');
    expect(work.row()).toMatchObject({ outcome: 'replaced' });
    expect(work.context.store.worker('adam').status).toBe('idle');
    expect(await work.repo.run(['status', '--porcelain'], work.worktree)).toBe('');
  });
});

describe('the proof stays with the work', () => {
  /** As at the end of a turn in which the agent committed. */
  async function commitAgain({ context, repo, worktree }: Conflicting, files: Readonly<Record<string, string>>): Promise<void> {
    const head = await repo.commit('Feedback', files, worktree);
    context.store.changeWorker('adam', {
      kind: 'test',
      summary: 'committed',
      change: (worker) => Object.assign(worker, { commit_sha: head, attention: { kind: 'review', uncommitted: false } }),
    });
  }

  async function resolved(text: string): Promise<Conflicting> {
    const work = await conflicting();
    await rebaseWork(work.context, { worker: 'adam' });
    await work.resolve(text);
    await work.turnEnds();
    // What is lost is sent back once.
    if (work.context.store.worker('adam').status === 'rebasing') await work.turnEnds();
    expect(work.row()).toMatchObject({ outcome: 'resolved' });
    return work;
  }

  test('after a later commit, what the resolution lost is still lost', async () => {
    await using work = await resolved('worker\n');
    await commitAgain(work, { 'b.txt': 'b\n' });
    expect(await acceptWork(work.context, { worker: 'adam' }).catch(codeOf)).toBe('LINES_DROPPED');
    expect((await reviewWork(work.context, { worker: 'adam' })).proof?.dropped).toContainEqual(
      expect.objectContaining({ side: 'main', text: 'The sea is deep' }),
    );
    await commitAgain(work, { 'a.txt': BOTH });
    expect((await reviewWork(work.context, { worker: 'adam' })).proof?.counts).toMatchObject({ unexplained: 0 });
    expect(await acceptWork(work.context, { worker: 'adam' })).toMatchObject({ worker: 'adam' });
  });

  // In each run in src/proof/later-proof.test.ts; the test above accepts after a later commit.
  testOfFullRun('a later commit that removes what main added is not accepted', async () => {
    await using work = await resolved(BOTH);
    await commitAgain(work, { 'a.txt': 'worker\n' });
    expect(await acceptWork(work.context, { worker: 'adam' }).catch(codeOf)).toBe('LINES_DROPPED');
  });

  test('a later commit may change what the worker made', async () => {
    await using work = await resolved(BOTH);
    await commitAgain(work, { 'a.txt': `${MAIN}something else entirely\n` });
    expect(await acceptWork(work.context, { worker: 'adam' })).toMatchObject({ worker: 'adam' });
  });

  test('llmc’s own rebase onto a newer main does not hide a loss, and does not add one', async () => {
    await using lossy = await resolved('worker\n');
    await lossy.repo.commit('Newer', { 'c.txt': 'c\n' });
    await refreshReviews(lossy.context);
    await commitAgain(lossy, { 'b.txt': 'b\n' });
    expect(await acceptWork(lossy.context, { worker: 'adam' }).catch(codeOf)).toBe('LINES_DROPPED');

    await using right = await resolved(BOTH);
    await right.repo.commit('Newer', { 'c.txt': 'c\n' });
    await refreshReviews(right.context);
    expect((await reviewWork(right.context, { worker: 'adam' })).proof?.counts).toMatchObject({ unexplained: 0 });
    expect(right.row()?.proven_commit).toBe(right.context.store.worker('adam').commit_sha);
    expect(await acceptWork(right.context, { worker: 'adam' })).toMatchObject({ worker: 'adam' });
  });

  test('the next task has nothing to do with it', async () => {
    await using work = await resolved('worker\n');
    await acceptWork(work.context, { worker: 'adam', allowDropped: true });
    expect(work.context.store.worker('adam').resolution).toBeNull();
  });

  test('an undo gives the proof back with the work', async () => {
    await using work = await resolved('worker\n');
    await acceptWork(work.context, { worker: 'adam', allowDropped: true });
    await undoWork(work.context, {});
    expect(work.context.store.worker('adam').resolution).toBe(work.row()?.id);
    expect(await acceptWork(work.context, { worker: 'adam' }).catch(codeOf)).toBe('LINES_DROPPED');
  });
});

describe('a conflict that another command meets', () => {
  test('accept starts the resolution, and says so', async () => {
    await using work = await conflicting();
    const error = await acceptWork(work.context, { worker: 'adam' }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'REBASE_CONFLICT', hint: expect.stringContaining('llmc wait adam --for needs_review') });
    expect(openResolution(work.context.store.database, 'adam')).toMatchObject({ cause: 'accept', phase: 'asked' });
    expect(await acceptWork(work.context, { worker: 'adam' }).catch(codeOf)).toBe('ILLEGAL_TRANSITION');
  });

  test('accept without a supervisor changes nothing and names the next command', async () => {
    await using work = await conflicting({ context: { supervised: false } });
    const error = await acceptWork(work.context, { worker: 'adam' }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'REBASE_CONFLICT', hint: expect.stringContaining('llmc up --detach && llmc rebase adam') });
    expect(work.row()).toBeUndefined();
    expect(await work.repo.run(['rev-parse', 'HEAD'], work.worktree)).toBe(work.head);
  });

  test.each([
    ['the patrol', 'patrol', (work: Conflicting) => refreshReviews(work.context, { onConflict: resolver(work.context, 'patrol') })],
    ['a review', 'review', (work: Conflicting) => reviewWork(work.context, { worker: 'adam' }).catch(codeOf)],
  ] as const)('%s starts the resolution', async (_, cause, meet) => {
    await using work = await conflicting();
    await meet(work);
    expect(openResolution(work.context.store.database, 'adam')).toMatchObject({ cause, phase: 'asked' });
  });

  test('nothing starts by itself when the configuration says so', async () => {
    await using work = await conflicting({ repo: 'resolve_conflicts = false' });
    await refreshReviews(work.context, { onConflict: resolver(work.context, 'patrol') });
    expect((await reviewWork(work.context, { worker: 'adam' })).attention_kind).toBe('conflict');
    expect(work.row()).toBeUndefined();
  });
});
