import { expect, test } from 'vitest';
import { type ScratchWork, scratchWork } from '../../../test/support/scratch-work.ts';
import { recentDeliveries } from '../../store/tables/deliveries.ts';
import { openResolution } from '../../store/tables/resolutions.ts';
import { refreshReviews } from '../landing/refresh-pending-reviews.ts';
import { resolver } from './resolve-conflict.ts';

/** The patrol meets adam's conflict in a lock file that a command makes again. */
async function meetConflict(signals: 'asker gone' | 'llmc ends'): Promise<ScratchWork> {
  const gone = AbortSignal.abort();
  const repo = `[[repo.conflicts]]\nfiles = "x.lock"\nrule = "regenerate"\ncommand = "printf 'made\\\\n' >> x.lock"\n`;
  const work = await scratchWork({ repo, context: { supervised: true, signal: gone, ...(signals === 'llmc ends' && { lasting: gone }) } });
  const { repo: source, worktree, context } = work;
  const commit = await source.commit('Worker', { 'x.lock': 'worker\n' }, worktree);
  await source.commit('Main', { 'x.lock': 'main\n' });
  const change = { status: 'needs_review', commit_sha: commit, current_prompt: 'Write' } as const;
  context.store.changeWorker('adam', { kind: 'test', summary: 'finished', change: (worker) => Object.assign(worker, change) });
  await refreshReviews(context, { onConflict: resolver(context, 'patrol') });
  return work;
}

test('the command of a rule is not stopped when the accept that led to the conflict has ended', async () => {
  await using work = await meetConflict('asker gone');
  expect(await work.repo.read('x.lock', work.worktree)).toBe('main\nmade\n');
  expect(recentDeliveries(work.context.store.database, 'adam', 9)).toEqual([]);
  expect(work.context.store.worker('adam')).toMatchObject({ status: 'needs_review', attention: { kind: 'resolved' } });
});

test('a rule whose command llmc stopped because it ends is left for the next supervisor, and the agent is not asked', async () => {
  await using work = await meetConflict('llmc ends');
  expect(recentDeliveries(work.context.store.database, 'adam', 9)).toEqual([]);
  expect(openResolution(work.context.store.database, 'adam')).toMatchObject({ attempts: 0 });
});
