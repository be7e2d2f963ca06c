import { expect, test } from 'vitest';
import { type ScratchWork, scratchWork } from '../../../test/support/scratch-work.ts';
import { acceptWork } from '../../workers/accept-work.ts';
import { commitMove } from '../../workers/status/commit-move.ts';
import { standing } from '../../workers/status/transitions.ts';
import { undoWork } from '../../workers/undo/undo-work.ts';
import { contextWorkers } from './context-workers.ts';

const DEV = 'fix-1-developer';

interface Developed extends ScratchWork {
  readonly workers: ReturnType<typeof contextWorkers>;
  readonly commit: string;
}

/** A developer of a run has a commit that is ready to land. */
async function developed(repo = ''): Promise<Developed> {
  const work = await scratchWork({ repo });
  const workers = contextWorkers(work.context);
  await workers.make({ name: DEV, run: 'fix-1', role: 'developer', agent: 'demo', model: undefined, prompt: '' });
  return { ...work, workers, commit: await build(work, workers, 'fix-1.1', 'a\n') };
}

async function build(
  { context, repo }: ScratchWork,
  workers: Developed['workers'],
  id: string,
  content: string,
  file = 'a.txt',
): Promise<string> {
  await workers.give({
    id,
    worker: DEV,
    agent: 'demo',
    model: undefined,
    session: '',
    worktree: 'reset',
    base: null,
    conversation: 'fresh',
    expects: 'commit',
    files: [],
    prompt: 'Build it',
  });
  commitMove(context, DEV, 'came_back', { why: 'its session runs' });
  const commit = await repo.commit('Build it', { [file]: content }, context.store.worker(DEV).worktree_path);
  commitMove(context, DEV, 'finished', { why: 'the turn ended', fields: { commit_sha: commit } });
  await workers.rest(DEV);
  return commit;
}

const offer = ({ workers }: Developed, by: 'person' | 'run', commit: string, id = 'fix-1.2') =>
  workers.offer({ id, run: 'fix-1', worker: DEV, commit, task: 'Build it', by, marks: [] });
const landedBy = ({ workers }: Developed) =>
  workers.outcomes().flatMap(({ what }) => (what?.kind === 'landed' && what.commit !== null ? [what.commit] : []));
const subjects = ({ repo }: ScratchWork) => repo.run(['log', '--format=%s', 'main']);

async function land(work: Developed, by: 'person' | 'run'): Promise<string> {
  await offer(work, by, work.commit);
  if (by === 'person') await acceptWork(work.context, { worker: DEV });
  const [landed] = landedBy(work);
  if (landed === undefined) throw new Error('nothing has landed');
  return landed;
}

test.each(['run', 'person'] as const)(
  'a landing by a %s is taken back by one commit, once, and new work lands again, the same change too',
  async (by) => {
    await using work = await developed();
    const landed = await land(work, by);
    const undo = () => work.workers.undo({ worker: DEV, commit: landed, offer: null });
    const revert = await undo();
    expect(await undo()).toBe(revert);
    expect(await subjects(work)).toBe('Revert "Build it"\nBuild it\nBegin');
    expect(await work.repo.run(['rev-parse', 'main'])).toBe(revert);
    // The run keeps it under a ref; the worker can begin again.
    expect(await work.repo.run(['cat-file', '-t', work.commit], work.context.layout.root)).toBe('commit');
    const again = await build(work, work.workers, 'fix-1.3', 'a\n');
    await offer(work, 'run', again, 'fix-1.4');
    expect(await subjects(work)).toBe('Build it\nRevert "Build it"\nBuild it\nBegin');
    expect(await work.repo.read('a.txt')).toBe('a\n');
  },
);

test('where config.toml demands a wall, the work of an agent without one lands by a person, and not by a run', async () => {
  await using work = await developed('\n[sandbox]\nrequired = true\n');
  await expect(offer(work, 'run', work.commit)).rejects.toMatchObject({
    code: 'SANDBOX_FAILED',
    message: expect.stringContaining('cannot land its work by itself (by: run)'),
  });
  expect(await subjects(work)).toBe('Begin');
  await acceptWork(work.context, { worker: DEV });
  expect(await subjects(work)).toBe('Build it\nBegin');
});

test('later commits on main stay', async () => {
  await using work = await developed();
  const landed = await land(work, 'run');
  await work.repo.commit('Later', { 'b.txt': 'b\n' });
  await work.workers.undo({ worker: DEV, commit: landed, offer: null });
  expect(await subjects(work)).toBe('Revert "Build it"\nLater\nBuild it\nBegin');
});

test('a later commit that changed the same lines refuses it, with what to do; once a person has reverted it, nothing is left to do', async () => {
  await using work = await developed();
  const landed = await land(work, 'person');
  const main = await work.repo.commit('Later', { 'a.txt': 'a, but better\n' });
  const undo = () => work.workers.undo({ worker: DEV, commit: landed, offer: null });
  await expect(undo()).rejects.toMatchObject({ code: 'UNDO_REFUSED', details: 'a.txt', hint: expect.stringContaining('llmc start') });
  expect(await work.repo.run(['rev-parse', 'main'])).toBe(main);
  await work.repo.run(['rm', '--quiet', 'a.txt']);
  await work.repo.run(['commit', '--quiet', '--message', 'Without a']);
  expect(await undo()).toBeNull();
  expect(await subjects(work)).toBe('Without a\nLater\nBuild it\nBegin');
});

test('edits of the user in the same file refuse it, and it works after they are gone', async () => {
  await using work = await developed();
  const landed = await land(work, 'run');
  await work.repo.write('a.txt', 'an edit of the user\n');
  const undo = () => work.workers.undo({ worker: DEV, commit: landed, offer: null });
  await expect(undo()).rejects.toMatchObject({ code: 'LANDING_REFUSED' });
  expect(await work.repo.read('a.txt')).toBe('an edit of the user\n');
  await work.repo.run(['checkout', '--', 'a.txt']);
  await undo();
  expect(await subjects(work)).toBe('Revert "Build it"\nBuild it\nBegin');
});

test('what a person took back already is left alone', async () => {
  await using work = await developed();
  const landed = await land(work, 'person');
  await undoWork(work.context, { worker: DEV });
  expect(await work.workers.undo({ worker: DEV, commit: landed, offer: null })).toBeNull();
  expect(await subjects(work)).toBe('Begin');
});

test('a commit that llmc has no record of is not taken for undone', async () => {
  await using work = await developed();
  const undo = work.workers.undo({ worker: DEV, commit: work.commit, offer: null });
  await expect(undo).rejects.toMatchObject({ code: 'UNDO_REFUSED', hint: `git revert ${work.commit}` });
});

test('work that waits for a review is withdrawn: nobody can accept it any more', async () => {
  await using work = await developed();
  await offer(work, 'person', work.commit);
  const undo = () => work.workers.undo({ worker: DEV, commit: null, offer: 'fix-1.2' });
  expect([await undo(), await undo()]).toEqual([null, null]);
  expect(standing(work.context.store.worker(DEV))).toBe('idle');
  await expect(acceptWork(work.context, { worker: DEV })).rejects.toThrow();
  expect(await subjects(work)).toBe('Begin');
});

test('work that a person accepted in the same moment is taken back from main', async () => {
  await using work = await developed();
  await land(work, 'person');
  const undo = () => work.workers.undo({ worker: DEV, commit: null, offer: 'fix-1.2' });
  expect(await undo()).toBe(await undo());
  expect(await subjects(work)).toBe('Revert "Build it"\nBuild it\nBegin');
});

test('with [repo] landing = "branch", the work of a run lands on the branch of the run, and is taken back there', async () => {
  await using work = await developed('landing = "branch"');
  const landed = await land(work, 'run');
  const onBranch = () => work.repo.run(['log', '--format=%s', 'run/fix-1']);
  expect([await onBranch(), await subjects(work)]).toEqual(['Build it\nBegin', 'Begin']);
  const second = await build(work, work.workers, 'fix-1.3', 'a\nb\n', 'b.txt');
  await offer(work, 'run', second, 'fix-1.4');
  expect(await onBranch()).toBe('Build it\nBuild it\nBegin');
  const revert = await work.workers.undo({ worker: DEV, commit: landed, offer: null });
  expect([await onBranch(), await subjects(work)]).toEqual(['Revert "Build it"\nBuild it\nBuild it\nBegin', 'Begin']);
  expect(await work.repo.run(['rev-parse', 'run/fix-1'])).toBe(revert);
});
