import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ScratchWorkOptions, scratchWork } from '../../../test/support/scratch-work.ts';
import { addWorktree } from '../../git/worktree/worktree.ts';
import type { Worker } from '../../store/state.ts';
import { putDraft } from '../../store/tables/drafts.ts';
import { insertMaking, workersInMaking } from '../../store/tables/pool-making.ts';
import { addWorker } from '../add-worker.ts';
import { prepareDelivery } from '../prompt/enqueue.ts';
import { listSaved } from '../rescue-work.ts';
import { makePoolWorker, removeHalfMade, removePoolWorker } from './pool-worker.ts';

const LIKE = { task: 7, agent: 'demo', model: null } as const;

/** A root with a worker of the pool that is idle. */
async function poolWork(options: ScratchWorkOptions = {}) {
  const work = await scratchWork(options);
  const { context } = work;
  const name = await makePoolWorker(context, LIKE);
  const change = (changes: Partial<Worker>) =>
    context.store.changeWorker(name, { kind: 'test', summary: 'changed', change: (worker) => void Object.assign(worker, changes) });
  change({ status: 'idle', status_before_offline: null });
  return {
    context,
    name,
    change,
    isThere: () => Object.hasOwn(context.store.state.workers, name),
    config: () => readFileSync(context.layout.config, 'utf8'),
    [Symbol.asyncDispose]: () => work[Symbol.asyncDispose](),
  };
}

test('a worker of the pool has a worktree and a record, and no table in config.toml; its name is not given again', async () => {
  await using work = await poolWork();
  const { context, name } = work;
  expect(context.store.worker(name)).toMatchObject({ pool: { agent: 'demo', model: null }, run: null, branch: `llmc/${name}` });
  expect(work.config()).not.toContain(name);
  expect(workersInMaking(context.store.database)).toEqual([]);
  expect(await removePoolWorker(context, name, 'no task waits for it')).toBeUndefined();
  expect(existsSync(context.layout.worktree(name))).toBe(false);
  // Also not at the same time.
  const others = await Promise.all([makePoolWorker(context, LIKE), makePoolWorker(context, { ...LIKE, task: 8 })]);
  expect(new Set([name, ...others]).size).toBe(3);
});

test('what a removed worker had in its worktree is saved', async () => {
  await using work = await poolWork();
  const { context, name } = work;
  writeFileSync(join(context.layout.worktree(name), 'left.txt'), 'left\n');
  expect(await removePoolWorker(context, name, 'no task waits for it')).toBeUndefined();
  expect(await listSaved(context, { worker: name })).toMatchObject([{ worker: name, files: 1 }]);
});

const KEPT: readonly [string, Partial<Worker>, string][] = [
  ['it works', { status: 'working' }, 'it is working'],
  ['its work waits for a review', { status: 'needs_review' }, 'it is needs_review'],
  ['it has failed', { status: 'error' }, 'it is error'],
  ['it is offline', { status: 'offline', status_before_offline: 'idle' }, 'it is offline'],
  ['it calls a person', { attention: { kind: 'no_session' } }, 'it calls a person'],
  ['its answer was not read', { answer: 'a1' }, 'its answer is not dismissed'],
];

test.each(KEPT)('a worker stays while %s', async (_, changes, why) => {
  await using work = await poolWork();
  work.change(changes);
  expect(await removePoolWorker(work.context, work.name, 'x')).toBe(why);
  expect(work.isThere()).toBe(true);
});

test('a worker stays with a prompt that waits, while a start names it, and while a person is there', async () => {
  await using work = await poolWork({ agents: { whyNotAlone: async () => 'a person is attached to it' } });
  const { context, name } = work;
  expect(await removePoolWorker(context, name, 'x')).toBe('a person is attached to it');
  {
    using _named = context.namedWorkers.name(name);
    expect(await removePoolWorker(context, name, 'x')).toBe('a task names it');
  }
  const delivery = prepareDelivery(context, { worker: name, purpose: 'message', text: 'Wait', freshConversation: false });
  context.store.commit({ worker: name, kind: 'test', summary: 'a prompt', rows: delivery.write });
  expect(await removePoolWorker(context, name, 'x')).toBe('a prompt waits for it');
});

test('a worker stays with comments that a person has not sent', async () => {
  await using work = await poolWork();
  const { context, name } = work;
  const draft = { kind: 'comment', path: 'a.txt', side: 'new', from: 1, to: 1, quoted: 'a', text: 'Why a?' } as const;
  putDraft(context.store.database, { id: 'one', worker: name, draft }, 1);
  expect(await removePoolWorker(context, name, 'x')).toBe('a person has written about its work');
  expect(work.isThere()).toBe(true);
});

test('a worker that a person adds is theirs: it gets its table, and stays', async () => {
  await using work = await poolWork();
  const { context, name } = work;
  await addWorker(context, { name, overrides: { role_prompt: 'Be brief.' } });
  expect(work.config()).toContain(`[workers.${name}]\nagent = "demo"\nrole_prompt = "Be brief."`);
  expect(context.store.worker(name).pool).toBeNull();
  expect(await removePoolWorker(context, name, 'x')).toBe('a person has added it to config.toml');
});

test('a worker that cannot be made leaves nothing, and the next one has another name or the same', async () => {
  await using work = await scratchWork({ repo: 'setup = ["exit 3"]' });
  const { context } = work;
  await expect(makePoolWorker(context, LIKE)).rejects.toMatchObject({ message: expect.stringContaining('exit 3') });
  await expect(makePoolWorker(context, { ...LIKE, agent: 'nobody' })).rejects.toMatchObject({ code: 'AGENT_NOT_FOUND' });
  expect(workersInMaking(context.store.database)).toEqual([]);
  expect(Object.keys(context.store.state.workers)).toEqual(['adam']);
  expect(existsSync(context.layout.worktree('bea'))).toBe(false);
});

test('what was being made when llmc was killed is removed, and saved if it holds something; a worktree of a person stays', async () => {
  await using work = await scratchWork();
  const { context } = work;
  const { git, layout, store } = context;
  for (const name of ['bea', 'mine'])
    await addWorktree(git, layout.root, name, layout.worktree(name), store.worker('adam').base_commit ?? '');
  mkdirSync(join(layout.worktree('bea'), 'made'));
  writeFileSync(join(layout.worktree('bea'), 'made', 'by-setup.txt'), 'x\n');
  for (const [task, worker] of [
    [1, 'bea'],
    [2, 'carl'],
  ] as const)
    insertMaking(store.database, { ...LIKE, worker, task });
  await removeHalfMade(context, (task) => task === 2);
  expect(workersInMaking(store.database)).toMatchObject([{ worker: 'carl' }]);
  expect([existsSync(layout.worktree('bea')), existsSync(layout.worktree('mine'))]).toEqual([false, true]);
  expect(await listSaved(context, { worker: 'bea' })).toMatchObject([{ files: 1 }]);
  await removeHalfMade(context, () => false);
  expect(workersInMaking(store.database)).toEqual([]);
});
