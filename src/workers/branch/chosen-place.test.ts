import { describe, expect, test } from 'vitest';
import { REVIEWED, subjects } from '../../../test/support/accepted-work.ts';
import { type ScratchWork, type ScratchWorkOptions, scratchWork } from '../../../test/support/scratch-work.ts';
import { type AcceptRequest, acceptWork } from '../accept-work.ts';
import { rejectWork } from '../reject-work.ts';
import { resetWorker } from '../reset-worker.ts';
import { reviewLines } from '../review/text/review-lines.ts';
import { reviewWork } from '../review-work.ts';

const BRANCH = 'team/a';
const CHOSEN = `It lands on ${BRANCH}, as you chose. To land it on main: llmc accept adam --main`;

const accept = ({ context }: ScratchWork, request: AcceptRequest = {}) => acceptWork(context, { worker: 'adam', ...request });
const place = ({ context }: ScratchWork) => context.store.worker('adam').chosen_place;

/** Work whose accept for the branch met a conflict with main, which was resolved afterwards. */
async function stopped(options: ScratchWorkOptions = {}, request: AcceptRequest = { branch: BRANCH }): Promise<ScratchWork> {
  const work = await scratchWork({ worker: REVIEWED, ...options });
  const { repo, worktree } = work;
  await repo.commit('Add a', { 'a.txt': 'worker\n' }, worktree);
  await repo.commit('Mine', { 'a.txt': 'person\n' }, repo.path);
  await expect(accept(work, request)).rejects.toMatchObject({ code: 'REBASE_CONFLICT' });
  await repo.run(['fetch', '-q', 'origin'], worktree);
  await repo.run(['reset', '-q', '--hard', 'origin/main'], worktree);
  await repo.commit('Add a', { 'a.txt': 'person\nworker\n' }, worktree);
  return work;
}

describe('the branch of an accept that stopped', () => {
  test('is where the next accept lands, which says so and how to choose main', async () => {
    await using work = await stopped();
    expect(place(work)).toEqual({ branch: BRANCH });
    const shown = await reviewWork(work.context, { worker: 'adam' });
    expect(reviewLines(shown, 80).map(({ text }) => text)).toContain(CHOSEN);
    expect(await accept(work)).toMatchObject({ landing: 'branch', branch: BRANCH, subject: 'Add a' });
    expect(work.said).toContain(CHOSEN);
    expect([await subjects(work), place(work)]).toEqual(['Mine\nBegin', null]);
  });

  test('gives way to --main, and to another branch', async () => {
    await using work = await stopped();
    await expect(accept(work, { branch: 'team/b', message: 'x', requireReview: true })).rejects.toMatchObject({
      code: 'WORK_NOT_REVIEWED',
    });
    expect(place(work)).toEqual({ branch: BRANCH });
    expect(await accept(work, { main: true })).toMatchObject({ landing: 'main' });
    expect(place(work)).toBe(null);
  });

  test('is forgotten by a reject', async () => {
    await using work = await stopped();
    const rejected = rejectWork(work.context, { worker: 'adam', feedback: 'No', notes: [], timeoutMs: 0 });
    await expect(rejected).rejects.toMatchObject({ code: 'WAIT_TIMEOUT' });
    expect(place(work)).toBe(null);
  });

  test('is forgotten by a reset, after which there is another task', async () => {
    await using work = await stopped();
    await resetWorker(work.context, 'adam');
    expect(place(work)).toBe(null);
  });
});

test('main, chosen where [repo] landing is a branch, counts for the next accept too', async () => {
  await using work = await stopped({ repo: 'landing = "branch"' }, { main: true });
  expect(await accept(work)).toMatchObject({ landing: 'main' });
  expect(work.said.join('\n')).toContain('It lands on main, as you chose. To land it on a branch: llmc accept adam --branch');
});

test('an accept that named no place leaves none behind', async () => {
  await using work = await stopped({}, {});
  expect(place(work)).toBe(null);
  expect(await accept(work)).toMatchObject({ landing: 'main' });
});
