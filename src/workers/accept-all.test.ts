import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ScratchWork, scratchWork } from '../../test/support/scratch-work.ts';
import type { Worker } from '../store/state.ts';
import { acceptAll } from './accept-all.ts';
import { acceptWork, finishOpenLandings, landWork } from './accept-work.ts';
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

test('unreviewed work that conflicts with what landed is told to rebase, not to land without a review', async () => {
  await using work = await scratchWork();
  await pending(work, [
    ['adam', { 'a.txt': 'adam\n' }],
    ['bea', { 'a.txt': 'bea\n' }],
  ]);
  await reviewWork(work.context, { worker: 'adam' });
  const { accepted, left } = await acceptAll(work.context, { requireReview: true });
  expect(accepted.map(({ worker }) => worker)).toEqual(['adam']);
  expect(left).toMatchObject([{ worker: 'bea', code: 'REBASE_CONFLICT', hint: expect.stringContaining('llmc rebase bea') }]);
  expect(left[0]?.hint).not.toContain('--yes');
});

test('a source that cannot be read after the landings takes nothing from the result', async () => {
  await using work = await scratchWork({ repo: 'after_accept = ["mv .git ../gone"]' });
  await pending(work, [
    ['adam', { 'a.txt': 'a\n' }],
    ['bea', { 'b.txt': 'b\n' }],
  ]);
  await reviewWork(work.context, { worker: 'adam' });
  const { accepted, left } = await acceptAll(work.context, { requireReview: true });
  expect(accepted.map(({ worker }) => worker)).toEqual(['adam']);
  expect(left).toMatchObject([{ worker: 'bea', code: 'WORK_NOT_REVIEWED' }]);
});

test('landings whose result was an error are listed by the next call', async () => {
  await using work = await scratchWork({ repo: 'after_accept = ["true"]' });
  await pending(work, [['adam', { 'a.txt': 'a\n' }]]);
  let reads = 0;
  const config = async () => {
    reads += 1;
    if (work.context.store.worker('adam').status === 'idle') throw new Error('config.toml is half saved');
    return await work.context.config();
  };
  await expect(acceptAll({ ...work.context, config }, {})).rejects.toThrow('half saved');
  expect(reads).toBeGreaterThan(1);
  expect(await acceptAll(work.context, {})).toMatchObject({ accepted: [], earlier: [{ worker: 'adam' }], after_accept: null });
});

const COUNTS_ACCEPTS = 'after_accept = ["git log -1 --format=%s >> ../after"]';
const afterRuns = ({ repo }: ScratchWork) => readFileSync(join(repo.dir, 'after'), 'utf8').trimEnd().split('\n');
/** What a process has in memory that begins after a kill. */
const begunAgain = ({ context }: ScratchWork) => ({ ...context, accepting: new Set<string>() });

test('what landed before a kill is listed by the next call, which runs the commands after an accept once', async () => {
  await using work = await scratchWork({ repo: COUNTS_ACCEPTS });
  await pending(work, [
    ['adam', { 'a.txt': 'a\n' }],
    ['bea', { 'b.txt': 'b\n' }],
  ]);
  // Killed after the first one had landed.
  const { accepted } = await landWork(work.context, { worker: 'adam', leaveConflicts: true });
  const next = await acceptAll(begunAgain(work), {});
  expect(next.earlier).toEqual([{ worker: 'adam', commit: accepted.commit, subject: 'Work of adam' }]);
  expect(next.accepted.map(({ worker }) => worker)).toEqual(['bea']);
  expect(afterRuns(work)).toEqual(['Work of bea']);
  expect(await acceptAll(begunAgain(work), {})).toEqual({ accepted: [], earlier: [], left: [], after_accept: null });
  expect(afterRuns(work)).toEqual(['Work of bea']);
});

test('a supervisor that starts after a kill runs the commands after an accept, and the next accept reports what landed', async () => {
  await using work = await scratchWork({ repo: COUNTS_ACCEPTS });
  await pending(work, [['adam', { 'a.txt': 'a\n' }]]);
  await landWork(work.context, { worker: 'adam', leaveConflicts: true });
  await finishOpenLandings(begunAgain(work));
  await finishOpenLandings(begunAgain(work));
  expect(afterRuns(work)).toEqual(['Work of adam']);
  expect((await acceptAll(begunAgain(work), {})).earlier).toMatchObject([{ worker: 'adam', subject: 'Work of adam' }]);
  expect(afterRuns(work)).toEqual(['Work of adam']);
});

test('a person who leaves in the middle skips no command after an accept, and hears later what landed', async () => {
  const leaving = new AbortController();
  await using work = await scratchWork({ repo: `${COUNTS_ACCEPTS}\nvalidate = ["true"]` });
  await pending(work, [
    ['adam', { 'a.txt': 'a\n' }],
    ['bea', { 'b.txt': 'b\n' }],
  ]);
  const say = (line: string) => {
    if (line.startsWith('adam: landed')) leaving.abort();
  };
  await expect(acceptAll({ ...work.context, say, signal: leaving.signal }, {})).rejects.toMatchObject({ name: 'AbortError' });
  expect(afterRuns(work)).toEqual(['Work of adam']);
  expect(await acceptAll(work.context, {})).toMatchObject({ earlier: [{ worker: 'adam' }], accepted: [{ worker: 'bea' }] });
});

test('where nothing waits, nothing happens', async () => {
  await using work = await scratchWork();
  expect(await acceptAll(work.context, {})).toEqual({ accepted: [], earlier: [], left: [], after_accept: null });
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
