import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ScratchWork, scratchWork } from '../../../test/support/scratch-work.ts';
import { proofSchema } from '../../proof/proof.ts';
import { recentDeliveries, updateDelivery } from '../../store/tables/deliveries.ts';
import { lastResolution } from '../../store/tables/resolutions.ts';
import { advanceResolution } from './advance-resolution.ts';
import { rebaseWork } from './rebase-work.ts';

const MAIN = 'main\nThe sea is deep\n';

interface Ruled {
  readonly command: string;
  /** A second file without a rule conflicts too. */
  readonly other?: boolean;
}

/** adam's work conflicts in `x.lock`, for which a rule has a command. */
async function ruled({ command, other = false }: Ruled): Promise<ScratchWork> {
  const repo = `[[repo.conflicts]]\nfiles = "x.lock"\nrule = "regenerate"\ncommand = ${JSON.stringify(command)}\n`;
  const work = await scratchWork({ repo, context: { supervised: true } });
  const { repo: source, worktree, context } = work;
  const head = await source.commit('Worker', { 'x.lock': 'worker\n', ...(other && { 'a.txt': 'worker\n' }) }, worktree);
  await source.commit('Main', { 'x.lock': MAIN, ...(other && { 'a.txt': MAIN }) });
  const change = { status: 'needs_review', commit_sha: head, current_prompt: 'Write' } as const;
  context.store.changeWorker('adam', { kind: 'test', summary: 'finished', change: (worker) => Object.assign(worker, change) });
  await rebaseWork(context, { worker: 'adam' });
  return work;
}

async function turnEnds({ context }: ScratchWork): Promise<void> {
  context.store.commit({
    worker: 'adam',
    kind: 'test',
    summary: 'the turn ended',
    rows: (database) => {
      for (const { id } of recentDeliveries(database, 'adam', 9)) updateDelivery(database, id, { state: 'done', done_ms: 1 });
    },
  });
  await advanceResolution(context, 'adam');
}

async function stages({ repo, worktree }: ScratchWork, path: string, text: string): Promise<void> {
  await repo.write(path, text, worktree);
  await repo.run(['add', path], worktree);
}

const rowOf = ({ context }: ScratchWork) => lastResolution(context.store.database, 'adam');
const proofOf = (work: ScratchWork) => proofSchema.parse(JSON.parse(rowOf(work)?.proof ?? ''));
const lastPrompt = ({ context }: ScratchWork) => recentDeliveries(context.store.database, 'adam', 1)[0]?.text ?? '';

test('a file that the command of a rule made is not compared', async () => {
  await using work = await ruled({ command: 'printf "made\\n" > x.lock' });
  expect(rowOf(work)).toMatchObject({ outcome: 'resolved', ruled: ['x.lock'] });
  expect(proofOf(work)).toMatchObject({ dropped: [], stops: [], notes: [{ kind: 'by_rule', path: 'x.lock' }] });
});

test('a file whose command failed is resolved by the agent, and its lines are compared', async () => {
  await using work = await ruled({ command: 'exit 3' });
  expect(rowOf(work)).toMatchObject({ phase: 'asked', ruled: [] });
  await stages(work, 'x.lock', 'worker\n');
  await turnEnds(work);
  expect(proofOf(work).dropped).toContainEqual(expect.objectContaining({ side: 'main', text: 'The sea is deep' }));
  expect(rowOf(work)).toMatchObject({ phase: 'asked', sent_back: 1 });
});

test('a file that the command left as it was is compared: main’s version lacks the work', async () => {
  await using work = await ruled({ command: 'true' });
  expect(proofOf(work).stops).toContainEqual({ kind: 'empty_change' });
  expect(rowOf(work)).toMatchObject({ phase: 'asked', sent_back: 1, ruled: [] });
});

test('a command that needs another file runs when the agent has staged that one', async () => {
  await using work = await ruled({ command: 'cp a.txt x.lock', other: true });
  expect(lastPrompt(work)).toContain('"x.lock" is made by a command. Leave it unmerged');
  expect(lastPrompt(work)).not.toContain('git add -- x.lock');
  await turnEnds(work);
  expect(lastPrompt(work)).not.toContain('x.lock');
  await stages(work, 'a.txt', `${MAIN}worker\n`);
  await turnEnds(work);
  expect(rowOf(work)).toMatchObject({ outcome: 'resolved', ruled: ['x.lock'] });
  expect(await work.repo.read('x.lock', work.worktree)).toBe(`${MAIN}worker\n`);
  expect(proofOf(work)).toMatchObject({ dropped: [], stops: [] });
});

test('a command does not read a file with markers that the agent has staged', async () => {
  await using work = await ruled({ command: 'cp a.txt x.lock', other: true });
  await work.repo.run(['add', 'a.txt'], work.worktree);
  await turnEnds(work);
  expect(rowOf(work)).toMatchObject({ phase: 'asked', ruled: [] });
});

test('a file of a rule that the agent has resolved itself is compared', async () => {
  await using work = await ruled({ command: 'cp a.txt x.lock', other: true });
  await stages(work, 'x.lock', 'worker\n');
  await stages(work, 'a.txt', `${MAIN}worker\n`);
  await turnEnds(work);
  expect(proofOf(work).dropped).toContainEqual(expect.objectContaining({ path: 'x.lock', text: 'The sea is deep' }));
});

test('a file that a rule has resolved is not named as one that conflicts, and does not count as unstaged', async () => {
  await using work = await scratchWork({
    repo: '[[repo.conflicts]]\nfiles = "x.lock"\nrule = "main"\n',
    context: { supervised: true },
  });
  const { repo, worktree, context } = work;
  const head = await repo.commit('Worker', { 'x.lock': 'worker\n', 'a.txt': 'worker\n' }, worktree);
  await repo.commit('Main', { 'x.lock': MAIN, 'a.txt': MAIN });
  const change = { status: 'needs_review', commit_sha: head, current_prompt: 'Write' } as const;
  context.store.changeWorker('adam', { kind: 'test', summary: 'finished', change: (worker) => Object.assign(worker, change) });
  await rebaseWork(context, { worker: 'adam' });
  expect(context.store.worker('adam').conflicted_files).toEqual(['a.txt']);
  expect(rowOf(work)).toMatchObject({ ruled: ['x.lock'], files: expect.arrayContaining(['a.txt']) });
  await stages(work, 'a.txt', `${MAIN}worker\n`);
  await turnEnds(work);
  expect(rowOf(work)).toMatchObject({ outcome: 'resolved', attempts: 1 });
});

test('a staged file that was written again with the same text is staged', async () => {
  await using work = await ruled({ command: 'cp a.txt x.lock', other: true });
  await stages(work, 'a.txt', `${MAIN}worker\n`);
  await utimes(join(work.worktree, 'a.txt'), 1, 1);
  await turnEnds(work);
  expect(rowOf(work)).toMatchObject({ outcome: 'resolved', attempts: 1 });
});
