import { describe, expect, test } from 'vitest';
import { REVIEWED, undo } from '../../../test/support/accepted-work.ts';
import { type ScratchWork, scratchWork } from '../../../test/support/scratch-work.ts';
import { stageOfRun as stage } from '../../../test/support/stage-of-run.ts';
import { acceptWork } from '../accept-work.ts';
import { rebaseWork } from '../rebase/rebase-work.ts';
import { diffWork } from '../review/diff-work.ts';
import { reviewLines } from '../review/text/review-lines.ts';
import { reviewWork } from '../review-work.ts';
import { branchOfCommit } from './run-base.ts';

const BRANCH = 'run/swarm-1';
const FIRST = 'swarm-1-one';
const SECOND = 'swarm-1-two';
const OPTIONS = { repo: 'landing = "branch"', worker: REVIEWED } as const;

const land = async ({ context }: ScratchWork, worker: string, place: { readonly main?: boolean } = {}) => {
  await reviewWork(context, { worker });
  return await acceptWork(context, { worker, requireReview: true, ...place });
};
const on = ({ repo }: ScratchWork, branch = BRANCH) => repo.run(['log', '--format=%s', branch]);
const paths = ({ files }: { readonly files: readonly { readonly path: string }[] }) => files.map(({ path }) => path);

test('the review of a later stage shows its own work, and not what its run has landed on the branch before', async () => {
  await using work = await scratchWork(OPTIONS);
  const { context } = work;
  await stage(work, FIRST, { 'one.txt': 'one\n' });
  await land(work, FIRST);
  await stage(work, SECOND, { 'two.txt': 'two\n' });
  expect(paths(await diffWork(context, { worker: SECOND }))).toEqual(['two.txt']);
  const shown = await reviewWork(context, { worker: SECOND });
  expect(paths(shown)).toEqual(['two.txt']);
  expect(shown).toMatchObject({ message: `Work of ${SECOND}`, conflicts: [] });
  expect(await acceptWork(context, { worker: SECOND, requireReview: true })).toMatchObject({ landing: 'branch', branch: BRANCH });
  expect(await on(work)).toBe(`Work of ${SECOND}\nWork of ${FIRST}\nBegin`);
  expect(await on(work, 'main')).toBe('Begin');
  await undo(work, { worker: SECOND });
  expect(await on(work)).toBe(`Work of ${FIRST}\nBegin`);
  await land(work, SECOND);
  expect(await on(work)).toBe(`Work of ${SECOND}\nWork of ${FIRST}\nBegin`);
});

test('a main that moves, also in the same lines, does not keep the work of a later stage from its branch', async () => {
  await using work = await scratchWork(OPTIONS);
  const { context, repo } = work;
  await stage(work, FIRST, { 'one.txt': 'one\n' });
  await land(work, FIRST);
  const at = await stage(work, SECOND, { 'one.txt': 'one\ntwo\n' });
  const head = await repo.run(['rev-parse', 'HEAD'], at);
  await repo.commit('Mine', { 'one.txt': 'mine\n' }, repo.path);
  expect(await rebaseWork(context, { worker: SECOND })).toMatchObject({ outcome: 'up_to_date', branch: BRANCH });
  await land(work, SECOND);
  expect(await repo.run(['rev-parse', `${BRANCH}^{tree}`])).toBe(await repo.run(['rev-parse', `${head}^{tree}`]));
  expect(await on(work)).toBe(`Work of ${SECOND}\nWork of ${FIRST}\nBegin`);
  // The worker goes on from main, and what it does next for another place begins there.
  expect(await repo.run(['rev-parse', 'HEAD'], at)).toBe(await repo.run(['rev-parse', 'main']));
});

test('work that was made beside the first landing is put on the branch before it is reviewed', async () => {
  await using work = await scratchWork(OPTIONS);
  const { repo } = work;
  const at = await stage(work, SECOND, { 'two.txt': 'two\n' });
  await stage(work, FIRST, { 'one.txt': 'one\n' });
  await land(work, FIRST);
  await reviewWork(work.context, { worker: SECOND });
  expect(await repo.run(['log', '--format=%s'], at)).toBe(`Work of ${SECOND}\nWork of ${FIRST}\nBegin`);
  await land(work, SECOND);
  expect(await on(work)).toBe(`Work of ${SECOND}\nWork of ${FIRST}\nBegin`);
});

test('work that its agent put on a newer main itself is compared with main, so that no commit of main counts as its own', async () => {
  await using work = await scratchWork(OPTIONS);
  const { context, repo } = work;
  await stage(work, FIRST, { 'one.txt': 'one\n' });
  await land(work, FIRST);
  const at = await stage(work, SECOND, { 'two.txt': 'two\n' });
  await repo.commit('Mine', { 'mine.txt': 'mine\n' }, repo.path);
  await repo.run(['fetch', '-q', 'origin'], at);
  await repo.run(['rebase', '-q', 'origin/main'], at);
  const shown = await reviewWork(context, { worker: SECOND });
  expect(paths(shown)).toEqual(['one.txt', 'two.txt']);
  await expect(acceptWork(context, { worker: SECOND, requireReview: true })).rejects.toMatchObject({
    code: 'PATCH_CHANGED',
    hint: expect.stringContaining('--branch'),
  });
  expect(await on(work)).toBe(`Work of ${FIRST}\nBegin`);
});

test('--main lands all of it on main, after a review that shows all of it', async () => {
  await using work = await scratchWork(OPTIONS);
  await stage(work, FIRST, { 'one.txt': 'one\n' });
  await land(work, FIRST);
  await stage(work, SECOND, { 'two.txt': 'two\n' });
  await expect(land(work, SECOND, { main: true })).rejects.toMatchObject({
    code: 'PATCH_CHANGED',
    message: `the work of ${SECOND} was reviewed against ${BRANCH}, and what lands on main is compared with main: that is not what was reviewed`,
    hint: `Review what would land: llmc review ${SECOND} --main`,
  });
  expect(paths(await reviewWork(work.context, { worker: SECOND }))).toEqual(['one.txt', 'two.txt']);
  expect(await acceptWork(work.context, { worker: SECOND, requireReview: true })).toMatchObject({ landing: 'main' });
});

test.each([
  ['another branch, after a review against that of the run', {}, 'other', { says: `against ${BRANCH}`, hint: '--branch other' }],
  ['the branch of the run, after a review against main', { main: true }, BRANCH, { says: 'against main', hint: `--branch ${BRANCH}` }],
])('an accept for %s says what the review was compared with, and which review helps', async (_, reviewed, branch, { says, hint }) => {
  await using work = await scratchWork(OPTIONS);
  const { context } = work;
  await stage(work, FIRST, { 'one.txt': 'one\n' });
  await land(work, FIRST);
  await stage(work, SECOND, { 'two.txt': 'two\n' });
  await reviewWork(context, { worker: SECOND, place: reviewed });
  for (const _again of [1, 2])
    await expect(acceptWork(context, { worker: SECOND, requireReview: true, branch })).rejects.toMatchObject({
      code: 'PATCH_CHANGED',
      message: expect.stringContaining(says),
      hint: `Review what would land: llmc review ${SECOND} ${hint}`,
    });
  await reviewWork(context, { worker: SECOND, place: { branch } });
  expect(await acceptWork(context, { worker: SECOND, requireReview: true })).toMatchObject({ branch });
});

test('review --main compares with main, and then accept --main lands all of it at once', async () => {
  await using work = await scratchWork(OPTIONS);
  const { context } = work;
  await stage(work, FIRST, { 'one.txt': 'one\n' });
  await land(work, FIRST);
  await stage(work, SECOND, { 'two.txt': 'two\n' });
  const shown = await reviewWork(context, { worker: SECOND, place: { main: true } });
  expect([paths(shown), shown.chosen_place]).toEqual([['one.txt', 'two.txt'], { branch: null }]);
  expect(await acceptWork(context, { worker: SECOND, requireReview: true, main: true })).toMatchObject({ landing: 'main' });
});

test('what an agent asks for with a place leaves the place as it is', async () => {
  await using work = await scratchWork(OPTIONS);
  await stage(work, FIRST, { 'one.txt': 'one\n' });
  await reviewWork(work.context, { worker: FIRST, place: { main: true }, byAgent: true });
  expect(work.context.store.worker(FIRST).chosen_place).toBe(null);
});

describe('work of a run that a person has landed on a branch of their choice', () => {
  test.each([
    ['the configuration lands on main', {}],
    ['it lands on branches of runs', { repo: 'landing = "branch"' }],
  ])('is where the next work of the run begins, is compared with and lands, also of the same worker: %s', async (_, options) => {
    await using work = await scratchWork({ ...options, worker: REVIEWED });
    const { context } = work;
    await stage(work, FIRST, { 'one.txt': 'one\n' });
    await reviewWork(context, { worker: FIRST });
    await acceptWork(context, { worker: FIRST, requireReview: true, branch: 'other' });
    for (const [name, file] of [
      [FIRST, 'more.txt'],
      [SECOND, 'two.txt'],
    ] as const) {
      await stage(work, name, { [file]: `${file}\n` });
      expect(paths(await diffWork(context, { worker: name }))).toEqual([file]);
      const shown = await reviewWork(context, { worker: name });
      expect([paths(shown), shown.run_branch, shown.conflicts]).toEqual([[file], 'other', []]);
      const place = `It lands on other, as its run did before. To land it on main: llmc accept ${name} --main`;
      expect(reviewLines(shown, 200).map(({ text }) => text)).toContain(place);
      expect(await acceptWork(context, { worker: name, requireReview: true })).toMatchObject({ landing: 'branch', branch: 'other' });
      expect(work.said).toContain(place);
    }
    expect(await on(work, 'other')).toBe(`Work of ${SECOND}\nWork of ${FIRST}\nWork of ${FIRST}\nBegin`);
    expect(await on(work, 'main')).toBe('Begin');
  });

  test('lands on main when they choose that, and what follows is compared with main', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    const { context } = work;
    await stage(work, FIRST, { 'one.txt': 'one\n' });
    await acceptWork(context, { worker: FIRST, branch: 'other' });
    await stage(work, SECOND, { 'two.txt': 'two\n' });
    await reviewWork(context, { worker: SECOND, place: { main: true } });
    expect(await acceptWork(context, { worker: SECOND, requireReview: true })).toMatchObject({ landing: 'main' });
    await stage(work, FIRST, { 'more.txt': 'more\n' });
    expect(paths(await reviewWork(context, { worker: FIRST }))).toEqual(['more.txt']);
    expect(await acceptWork(context, { worker: FIRST, requireReview: true })).toMatchObject({ landing: 'main' });
  });
});

test('a commit that a person is asked about is compared with the branch that its run has landed on before', async () => {
  await using work = await scratchWork(OPTIONS);
  const { context, repo } = work;
  await stage(work, FIRST, { 'one.txt': 'one\n' });
  await land(work, FIRST);
  const commit = await repo.run(['rev-parse', 'HEAD'], await stage(work, SECOND, { 'two.txt': 'two\n' }));
  const branch = (run: string) => context.config().then(async (config) => await branchOfCommit(context, config, commit, run));
  expect([await branch('swarm-1'), await branch('swarm-2')]).toEqual([BRANCH, 'main']);
});
