import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Conflicting, conflicting } from '../../../test/support/scratch-conflict.ts';
import { type ScratchWork, scratchWork } from '../../../test/support/scratch-work.ts';
import type { Attention } from '../../store/attention.ts';
import type { Worker } from '../../store/state.ts';
import { findAnswer } from '../../store/tables/answers.ts';
import { rebaseWork } from '../../workers/rebase/rebase-work.ts';
import { attentionText } from '../../workers/status/attention-text.ts';
import { anAssessment, aWatch, READY } from '../samples.ts';
import { applyProgress } from './apply-progress.ts';

const MAIN_AND_WORKER = 'main\nThe sea is deep\nworker\n';

/** A person sent the work back, whose conflict was resolved with this text; the agent commits, and its turn ends. */
async function turnAfter(resolved: string, files: Readonly<Record<string, string>>): Promise<Conflicting> {
  const work = await conflicting();
  const { context, repo, worktree } = work;
  await rebaseWork(context, { worker: 'adam' });
  await work.resolve(resolved);
  await work.turnEnds();
  if (context.store.worker('adam').status === 'rebasing') await work.turnEnds();
  context.store.changeWorker('adam', {
    kind: 'test',
    summary: 'rejected',
    change: (worker) => Object.assign(worker, { status: 'rejected', attention: null }),
  });
  await repo.commit('More', files, worktree);
  const watch = aWatch({ now: 0 });
  expect(await applyProgress(context, watch, anAssessment(READY), await context.config())).toBe(true);
  expect(context.store.worker('adam').status).toBe('needs_review');
  return work;
}

test('the end of a turn says what a later commit has lost of a resolved conflict', async () => {
  await using work = await turnAfter(MAIN_AND_WORKER, { 'a.txt': 'worker\n' });
  expect(work.context.store.worker('adam').attention).toMatchObject({ kind: 'resolved', branch: 'main', lost: 2 });
});

test('the end of a turn names the rescue while the resolution still lacks something', async () => {
  await using work = await turnAfter('worker\n', { 'b.txt': 'b\n' });
  const { rescue } = work.row() ?? {};
  expect(work.context.store.worker('adam').attention).toMatchObject({ kind: 'resolved', rescue, lost: expect.any(Number) });
  expect(rescue).toEqual(expect.stringMatching(/^adam\//));
});

test('the end of a turn that lost nothing asks for the review alone', async () => {
  await using work = await turnAfter(MAIN_AND_WORKER, { 'b.txt': 'b\n' });
  expect(work.context.store.worker('adam').attention).toEqual({ kind: 'review', uncommitted: false });
});

/** Each leaves nothing that a review could begin with. */
const OFF_BRANCH: readonly [string, Extract<Attention, { kind: 'off_branch' }>['why'], (work: ScratchWork, admin: string) => unknown][] = [
  ['on an unborn branch', 'unborn', ({ repo, worktree }) => repo.run(['checkout', '--quiet', '--orphan', 'x'], worktree)],
  ['after its branch was deleted', 'unborn', ({ repo, worktree }) => repo.run(['update-ref', '-d', 'refs/heads/llmc/adam'], worktree)],
  [
    'on an orphan commit',
    'unrelated',
    async ({ repo, worktree }) => {
      await repo.run(['checkout', '--quiet', '--orphan', 'x'], worktree);
      await repo.run(['commit', '--quiet', '-m', 'Orphan'], worktree);
    },
  ],
  ['with an empty HEAD', 'unreadable', (_, admin) => truncateSync(join(admin, 'HEAD'))],
  ['with a HEAD that names nothing', 'unreadable', (_, admin) => writeFileSync(join(admin, 'HEAD'), `${'1'.repeat(40)}\n`)],
  ['with a broken index', 'unreadable', (_, admin) => writeFileSync(join(admin, 'index'), 'garbage')],
];

test.each(OFF_BRANCH)('a turn that ends %s does not leave its worker at work', async (_, why, make) => {
  await using work = await scratchWork({ worker: { status: 'working', current_prompt: 'Do it' } });
  const { context } = work;
  await make(work, join(context.layout.root, 'sandbox/adam/git/worktrees/adam'));
  expect(await applyProgress(context, aWatch({ now: 0 }), anAssessment(READY), await context.config())).toBe(true);
  const { status, attention } = context.store.worker('adam');
  expect([status, attention]).toMatchObject(['needs_input', { kind: 'off_branch', branch: 'main', why }]);
  expect(attention && attentionText('adam', attention)).toContain('llmc reset adam');
});

describe('the end of a turn that should leave an answer', () => {
  const ASKED: Partial<Worker> = { status: 'working', current_prompt: 'Why?', expects: 'answer' };
  const MESSAGE = `# Because\n${'x'.repeat(1_000_000)}`;

  async function ended(message: string | undefined, prepare: (work: Awaited<ReturnType<typeof scratchWork>>) => Promise<unknown>) {
    const work = await scratchWork({ worker: ASKED });
    await prepare(work);
    const watch = aWatch({ now: 0 });
    if (message !== undefined) watch.reported = { ...watch.reported, lastTurn: { seq: 1, at: 0, message } };
    const { context } = work;
    expect(await applyProgress(context, watch, anAssessment(READY), await context.config())).toBe(true);
    // Nothing new: the same turn is not answered twice, also by a supervisor that starts again.
    expect(
      await applyProgress(context, { ...aWatch({ now: 0 }), reported: watch.reported }, anAssessment(READY), await context.config()),
    ).toBe(false);
    return work;
  }

  test('keeps the whole message, and its beginning with the worker', async () => {
    await using work = await ended(MESSAGE, async () => undefined);
    const { store } = work.context;
    const worker = store.worker('adam');
    expect(worker).toMatchObject({ status: 'needs_review', commit_sha: null, attention: { kind: 'answer', uncommitted: false } });
    expect(worker.summary).toBe(MESSAGE.slice(0, 4_000));
    expect(findAnswer(store.database, worker.answer ?? '')).toMatchObject({ text: MESSAGE, source: 'message', task: 'Why?', cut: 0 });
  });

  test('with a commit goes to review, and the answer goes with it', async () => {
    await using work = await ended('Fixed it', ({ repo, worktree }) => repo.commit('Fix', { 'a.txt': 'a\n' }, worktree));
    const { store } = work.context;
    expect(store.worker('adam')).toMatchObject({ status: 'needs_review', attention: { kind: 'review' }, answer: expect.any(String) });
    expect(store.worker('adam').commit_sha).not.toBeNull();
  });

  test('without a message calls a person, and names the files', async () => {
    await using work = await ended(undefined, ({ repo, worktree }) => repo.write('half.txt', 'h\n', worktree));
    expect(work.context.store.worker('adam')).toMatchObject({
      status: 'needs_input',
      answer: null,
      attention: { kind: 'no_answer', files: ['half.txt'], count: 1 },
    });
  });
});
