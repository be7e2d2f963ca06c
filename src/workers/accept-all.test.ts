import { expect, test } from 'vitest';
import { type ScratchWork, scratchWork } from '../../test/support/scratch-work.ts';
import type { Worker } from '../store/state.ts';
import { acceptAll } from './accept-all.ts';
import { acceptWork } from './accept-work.ts';
import { addWorker } from './add-worker.ts';
import { reviewWork } from './review-work.ts';

const PENDING = { status: 'needs_review', current_prompt: 'Add a', last_activity_unix: 1 } as const;
type Files = Readonly<Record<string, string>>;

function change({ store }: ScratchWork['context'], name: string, fields: Partial<Worker>): void {
  store.changeWorker(name, { kind: 'test', summary: 'set up', change: (worker) => Object.assign(worker, fields) });
}

/** Workers with a commit each that waits for a review; the first one is adam. */
async function pending(work: ScratchWork, works: readonly (readonly [string, Files])[]): Promise<void> {
  const { context, repo } = work;
  for (const [index, [name, files]] of works.entries()) {
    const at = name === 'adam' ? work.worktree : (await addWorker(context, { name, overrides: { agent: 'demo' } })).worktree_path;
    const commit_sha = await repo.commit(`Work of ${name}`, files, at);
    change(context, name, { ...PENDING, status_before_offline: null, last_activity_unix: index, commit_sha });
  }
}

const log = ({ repo }: ScratchWork) => repo.run(['log', '--format=%s', 'main']);

test('everything lands that fits together, the work that conflicts with the most last, and main is linear', async () => {
  await using work = await scratchWork();
  // adam conflicts with both others, which do not conflict with each other.
  await pending(work, [
    ['adam', { 'b.txt': 'adam\n', 'c.txt': 'adam\n' }],
    ['bea', { 'b.txt': 'bea\n' }],
    ['carl', { 'c.txt': 'carl\n' }],
  ]);
  const { accepted, left } = await acceptAll(work.context, {});
  expect(accepted.map(({ worker }) => worker)).toEqual(['bea', 'carl']);
  expect(left).toMatchObject([{ worker: 'adam', code: 'REBASE_CONFLICT', hint: expect.stringContaining('llmc rebase adam') }]);
  expect(await log(work)).toBe('Work of carl\nWork of bea\nBegin');
  expect(await work.repo.run(['rev-list', '--merges', '--count', 'main'])).toBe('0');
  expect(work.context.store.worker('adam')).toMatchObject({ status: 'needs_review', attention: { kind: 'conflict' } });
});

test('the failure of one does not stop the others', async () => {
  await using work = await scratchWork({ repo: 'validate = ["test ! -e broken.txt"]' });
  await pending(work, [
    ['adam', { 'broken.txt': 'x\n' }],
    ['bea', { 'b.txt': 'bea\n' }],
    ['carl', { 'c.txt': 'carl\n' }],
  ]);
  await work.repo.write('uncommitted.txt', 'x\n', work.context.store.worker('bea').worktree_path);
  const { accepted, left } = await acceptAll(work.context, {});
  expect(accepted.map(({ worker }) => worker)).toEqual(['carl']);
  expect(left.map(({ worker, code }) => [worker, code])).toEqual([
    ['adam', 'VALIDATION_FAILED'],
    ['bea', 'WORKTREE_DIRTY'],
  ]);
});

test('without --yes only reviewed work lands', async () => {
  await using work = await scratchWork();
  await pending(work, [
    ['adam', { 'a.txt': 'a\n' }],
    ['bea', { 'b.txt': 'b\n' }],
  ]);
  await reviewWork(work.context, { worker: 'bea' });
  const { accepted, left } = await acceptAll(work.context, { requireReview: true });
  expect(accepted.map(({ worker }) => worker)).toEqual(['bea']);
  expect(left).toMatchObject([{ worker: 'adam', code: 'WORK_NOT_REVIEWED' }]);
});

test('where nothing waits, nothing happens', async () => {
  await using work = await scratchWork();
  expect(await acceptAll(work.context, {})).toEqual({ accepted: [], left: [], after_accept: null });
});

test('two accepts at the same moment: both land, main is linear, and neither waits for the validation of the other', async () => {
  // Each validation waits until the other one runs too, so one after the other would never end.
  const meet = 'touch "../../../$(basename "$PWD")"; while [ ! -e ../../../adam ] || [ ! -e ../../../bea ]; do sleep 0.05; done';
  await using work = await scratchWork({ repo: `command_timeout_secs = 60\nvalidate = [${JSON.stringify(meet)}]` });
  await pending(work, [
    ['adam', { 'a.txt': 'a\n' }],
    ['bea', { 'b.txt': 'b\n' }],
  ]);
  const both = await Promise.all(['adam', 'bea'].map((worker) => acceptWork(work.context, { worker })));
  expect(both.map(({ how }) => how)).toEqual(['merge', 'merge']);
  expect((await log(work)).split('\n').sort()).toEqual(['Begin', 'Work of adam', 'Work of bea']);
  expect(await work.repo.run(['rev-list', '--merges', '--count', 'main'])).toBe('0');
});

test('an accept without a name leaves the conflicting work that was reviewed last, and takes the clean one', async () => {
  await using work = await scratchWork();
  await pending(work, [
    ['adam', { 'a.txt': 'adam\n' }],
    ['bea', { 'b.txt': 'b\n' }],
  ]);
  await reviewWork(work.context, { worker: 'adam' });
  await work.repo.commit('Main', { 'a.txt': 'main\n' });
  await expect(acceptWork(work.context, {})).rejects.toMatchObject({ code: 'REBASE_CONFLICT' });
  change(work.context, 'adam', { conflicted_files: ['a.txt'] });
  expect(await acceptWork(work.context, {})).toMatchObject({ worker: 'bea' });
});

test('reviews are refreshed after an accept, also behind one that throws', async () => {
  await using work = await scratchWork();
  await pending(work, [
    ['adam', { 'a.txt': 'a\n' }],
    ['bea', { 'b.txt': 'b\n' }],
    ['carl', { 'c.txt': 'c\n' }],
  ]);
  const { context, repo } = work;
  // A worktree on the branch of another worker is refused.
  await repo.run(['checkout', '--quiet', '--detach'], context.store.worker('bea').worktree_path);
  await repo.run(['symbolic-ref', 'HEAD', 'refs/heads/llmc/carl'], context.store.worker('bea').worktree_path);
  await acceptWork(context, { worker: 'adam', patrol: true });
  const main = await repo.run(['rev-parse', 'main']);
  expect(await repo.run(['merge-base', 'HEAD', main], context.store.worker('carl').worktree_path)).toBe(main);
});
