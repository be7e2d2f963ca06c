import { expect, test } from 'vitest';
import { scratchWork } from '../../test/support/scratch-work.ts';
import type { Worker } from '../store/state.ts';
import { insertResolution, updateResolution } from '../store/tables/resolutions.ts';
import { acceptWork } from './accept-work.ts';
import { diffSaved, listSaved, pruneSaved, restoreSaved } from './rescue-work.ts';
import { resetWorker } from './reset-worker.ts';
import { reviewWork } from './review-work.ts';

test('finished work that is restored into a worker can be reviewed and accepted, with its task', async () => {
  await using work = await scratchWork({ worker: { status: 'needs_review', current_prompt: 'Add a' } });
  const { repo, context, worktree } = work;
  await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  await resetWorker(context, 'adam');
  const [saved] = await listSaved(context, { worker: 'adam' });
  expect(await restoreSaved(context, { name: saved?.name ?? '', into: 'adam' })).toMatchObject({ worker: 'adam', reviewable: true });
  expect(context.store.worker('adam')).toMatchObject({
    status: 'needs_review',
    current_prompt: 'Add a',
    commit_sha: await repo.run(['rev-parse', 'HEAD'], worktree),
    attention: { kind: 'review', uncommitted: false },
  });
  expect(await reviewWork(context, { worker: 'adam' })).toMatchObject({ message: 'Add a', task: 'Add a' });
  await acceptWork(context, { worker: 'adam' });
  expect(await repo.run(['log', '--format=%s', 'main'])).toBe('Add a\nBegin');
});

test('restored files without a commit wait for an instruction', async () => {
  await using work = await scratchWork({ worker: { status: 'needs_input', current_prompt: 'Add a' } });
  const { repo, context, worktree } = work;
  await repo.write('a.txt', 'a\n', worktree);
  await resetWorker(context, 'adam');
  const [saved] = await listSaved(context, { worker: 'adam' });
  expect(await restoreSaved(context, { name: saved?.name ?? '', into: 'adam' })).toMatchObject({ worker: 'adam', reviewable: false });
  expect(context.store.worker('adam')).toMatchObject({ status: 'needs_input', attention: { kind: 'restored' } });
});

const DAY_MS = 86_400_000;

test('a prune deletes what is older by name and by date, names it in the history, and deletes nothing else', async () => {
  await using work = await scratchWork({ worker: { status: 'needs_input', current_prompt: 'Add a' } });
  const { repo, context, worktree } = work;
  await repo.write('a.txt', `${'a'.repeat(10_000)}\n`, worktree);
  await resetWorker(context, 'adam');
  const [saved] = await listSaved(context, { sizes: true });
  expect(saved?.bytes).toBeGreaterThan(0);
  // An agent can forge the date of a commit, or the name of a ref, but not both of a rescue that llmc made.
  const root = context.layout.root;
  const forged = 'refs/llmc/rescue/adam/20010101T000000Z';
  await repo.run(['update-ref', forged, saved?.sha ?? ''], root);
  const in40Days = { ...context, clock: { ...context.clock, now: () => Date.now() + 40 * DAY_MS } };
  expect(await pruneSaved(context, { olderThanMs: DAY_MS, dryRun: false })).toEqual({ pruned: [], kept: 2 });

  const planned = await pruneSaved(in40Days, { olderThanMs: 30 * DAY_MS, dryRun: true, worker: 'adam' });
  expect(planned.pruned).toHaveLength(2);
  expect(await listSaved(context, {})).toHaveLength(2);
  expect(await pruneSaved(in40Days, { olderThanMs: 30 * DAY_MS, dryRun: false, worker: 'baker' })).toEqual({ pruned: [], kept: 0 });
  expect(await pruneSaved(in40Days, { olderThanMs: 30 * DAY_MS, dryRun: false })).toEqual(planned);
  expect(await listSaved(context, {})).toEqual([]);
  const history = context.store.database.prepare("SELECT summary FROM history WHERE kind = 'rescue' ORDER BY seq").all();
  expect(history.map(({ summary }) => summary)).toContain(`deletes the rescue ${saved?.name} (${saved?.sha}): Add a`);
  expect(await pruneSaved(in40Days, { olderThanMs: 0, dryRun: false })).toEqual({ pruned: [], kept: 0 });
});

test('a rescue that a worker still refers to is kept', async () => {
  await using work = await scratchWork({ worker: { status: 'needs_input', current_prompt: 'Add a' } });
  const { repo, context, worktree } = work;
  await repo.write('a.txt', 'a\n', worktree);
  await resetWorker(context, 'adam');
  const [saved] = await listSaved(context, {});
  await restoreSaved(context, { name: saved?.name ?? '', into: 'adam' });
  const later = { ...context, clock: { ...context.clock, now: () => Date.now() + 40 * DAY_MS } };
  const { pruned } = await pruneSaved(later, { olderThanMs: DAY_MS, dryRun: false });
  expect(pruned.map(({ name }) => name)).not.toContain(saved?.name);
});

interface Naming {
  readonly by: string;
  /** The worker's fields. */
  readonly fields?: (rescue: string) => Partial<Worker>;
  /** The phase of its resolution. */
  readonly phase?: 'resolved' | 'settled';
}

test.each<Naming>([
  {
    by: 'a conflict that was given up',
    fields: (rescue) => ({ attention: { kind: 'conflict_given_up', branch: 'main', files: [], why: 'aborted', rescue } }),
  },
  {
    by: 'a resolved conflict',
    fields: (rescue) => ({ attention: { kind: 'resolved', branch: 'main', lost: 1, uncommitted: false, rescue } }),
  },
  { by: 'the resolution that its work contains', fields: () => ({ resolution: 'conflict' }), phase: 'settled' },
  { by: 'an open resolution', phase: 'resolved' },
])('a prune keeps the rescue named by $by', async ({ fields, phase }) => {
  await using work = await scratchWork({ worker: { status: 'needs_input', current_prompt: 'Add a' } });
  const { repo, context, worktree } = work;
  await repo.write('a.txt', 'a\n', worktree);
  await resetWorker(context, 'adam');
  const name = (await listSaved(context, {}))[0]?.name ?? '';
  const { store } = context;
  if (phase !== undefined) {
    const commits = { head: 'a'.repeat(40), onto: 'b'.repeat(40), base: 'c'.repeat(40) };
    insertResolution(store.database, { id: 'conflict', worker: 'adam', cause: 'rebase', branch: 'main', ...commits, created_ms: 1 });
    updateResolution(store.database, 'conflict', { rescue: name, phase });
  }
  store.changeWorker('adam', {
    kind: 'test',
    summary: 'names a rescue',
    change: (worker) => Object.assign(worker, fields?.(name)),
  });
  const later = { ...context, clock: { ...context.clock, now: () => Date.now() + 40 * DAY_MS } };
  expect(await pruneSaved(later, { olderThanMs: DAY_MS, dryRun: false })).toEqual({ pruned: [], kept: 1 });
});

test('a prune deletes what was shown and nothing that became old since, nor a rescue that was replaced', async () => {
  await using work = await scratchWork({ worker: { status: 'needs_input', current_prompt: 'Add a' } });
  const { repo, context, worktree } = work;
  const root = context.layout.root;
  await repo.write('a.txt', 'a\n', worktree);
  await resetWorker(context, 'adam');
  const later = { ...context, clock: { ...context.clock, now: () => Date.now() + 40 * DAY_MS } };
  const { pruned: shown } = await pruneSaved(later, { olderThanMs: DAY_MS, dryRun: true });
  const [first] = shown;
  for (const stamp of ['20010101T000000Z', '20010102T000000Z'])
    await repo.run(['update-ref', `refs/llmc/rescue/adam/${stamp}`, first?.sha ?? ''], root);
  const only = [...shown, { name: 'adam/20010102T000000Z', sha: 'f'.repeat(40) }].map(({ name, sha }) => ({ name, sha }));
  expect(await pruneSaved(later, { olderThanMs: DAY_MS, dryRun: false, only })).toEqual({ pruned: shown, kept: 2 });
  expect((await listSaved(context, {})).map(({ name }) => name)).toEqual(['adam/20010102T000000Z', 'adam/20010101T000000Z']);
});

test('a rescue is compared with the branch of its worker, and with another rescue', async () => {
  await using work = await scratchWork({ worker: { status: 'needs_input', current_prompt: 'Add a' } });
  const { repo, context, worktree } = work;
  await repo.write('a.txt', 'first\n', worktree);
  await resetWorker(context, 'adam');
  const [first] = await listSaved(context, {});
  expect((await diffSaved(context, { name: 'adam' })).diff).toContain('-first');
  await repo.write('a.txt', 'second\n', worktree);
  await resetWorker(context, 'adam');
  const second = (await listSaved(context, {})).find(({ name }) => name !== first?.name);
  const { diff, other } = await diffSaved(context, { name: first?.name ?? '', other: second?.name ?? '' });
  expect(diff).toMatch(/-first\n\+second/);
  expect(other).toBe(second?.name);
  expect((await diffSaved(context, { name: first?.name ?? '', other: first?.name ?? '' })).diff).toBe('');
  await expect(diffSaved(context, { name: 'nobody' })).rejects.toMatchObject({ code: 'RESCUE_NOT_FOUND' });
});
