import { describe, expect, test, vi } from 'vitest';
import { noonClock, type ScratchWork, scratchWork } from '../../test/support/scratch-work.ts';
import { localDay } from '../base/local-day.ts';
import { parseConfig } from '../config/parse.ts';
import { holdWaiting, markGiven } from '../store/tables/queue.ts';
import { countUsage } from '../store/tables/spending.ts';
import { nukeWorker } from '../workers/nuke-worker.ts';
import { awaitTask } from '../workers/queue/await-task.ts';
import { cancelTask, editTask, moveTask } from '../workers/queue/change-queue.ts';
import { queueTasks } from '../workers/queue/queue-tasks.ts';
import { listTasks, showTask } from '../workers/queue/show-queue.ts';
import { startTask } from '../workers/start-task.ts';
import { commitMove } from '../workers/status/commit-move.ts';
import { QueueLoop } from './queue-loop.ts';

const PATIENCE_MS = 60_000;

/** A root with the loop running. */
async function queueWorld(options: Parameters<typeof scratchWork>[0] = {}) {
  const work: ScratchWork = await scratchWork(options);
  const stop = new AbortController();
  const running = new QueueLoop(work.context).run(stop.signal);
  return {
    work,
    context: work.context,
    prompts: async () => (await listTasks(work.context, { all: false, limit: 9 })).map(({ prompt }) => prompt),
    has: (prompt: string | null) => vi.waitFor(() => expect(work.context.store.worker('adam').current_prompt).toBe(prompt), PATIENCE_MS),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
      await work[Symbol.asyncDispose]();
    },
  };
}

const ended = (context: ScratchWork['context'], event: 'accepted' | 'reset') => {
  if (event === 'accepted') commitMove(context, 'adam', 'committed', { why: 'its turn ended' });
  commitMove(context, 'adam', event, { why: 'a person' });
};

test('tasks are given in their order, each once, and are done when their work has landed', async () => {
  await using world = await queueWorld();
  const { context } = world;
  expect(await queueTasks(context, { prompts: ['one', 'two'] })).toEqual({ numbers: [1, 2] });
  await world.has('one');
  expect(await showTask(context, { number: 1 })).toMatchObject({ state: 'given', given_to: 'adam', position: null, waits: null });
  expect(await showTask(context, { number: 2 })).toMatchObject({ state: 'waiting', position: 1, waits: 'waits for an idle worker' });
  ended(context, 'accepted');
  await world.has('two');
  expect(await showTask(context, { number: 1 })).toMatchObject({ state: 'done' });
  ended(context, 'reset');
  expect(await showTask(context, { number: 2 })).toMatchObject({ state: 'dropped', given_to: 'adam' });
});

test('a task of an agent does not go before those of a person', async () => {
  await using work = await scratchWork();
  const byAgent = { prompts: ['mine first'], byAgent: true };
  await expect(queueTasks(work.context, { ...byAgent, priority: 1 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  expect(await queueTasks(work.context, { ...byAgent, priority: 0 })).toEqual({ numbers: [1] });
});

test('a task that waits when the supervisor ends is given by the next one', async () => {
  await using work = await scratchWork();
  await queueTasks(work.context, { prompts: ['later'] });
  const stop = new AbortController();
  const running = new QueueLoop(work.context).run(stop.signal);
  await vi.waitFor(() => expect(work.context.store.worker('adam').current_prompt).toBe('later'), PATIENCE_MS);
  stop.abort();
  await running;
});

test('a direct start has a number too, so that others can wait for it', async () => {
  await using world = await queueWorld();
  const { context } = world;
  await startTask(context, { prompt: 'now', worker: 'adam', timeoutMs: 0 }).catch(() => undefined);
  expect(await showTask(context, { number: 1 })).toMatchObject({ prompt: 'now', state: 'given', worker: 'adam' });
  await queueTasks(context, { prompts: ['then'], after: [1] });
  expect(await showTask(context, { number: 2 })).toMatchObject({ waits: 'waits until task 1 is done' });
  await nukeWorker(context, 'adam');
  expect(await showTask(context, { number: 1 })).toMatchObject({ state: 'dropped' });
  expect(await showTask(context, { number: 2 })).toMatchObject({ waits: 'waits for you: task 1 will not be done' });
});

test('work that is taken back from main opens its task again', async () => {
  await using world = await queueWorld();
  const { context } = world;
  await queueTasks(context, { prompts: ['one'] });
  await world.has('one');
  ended(context, 'accepted');
  commitMove(context, 'adam', 'taken_back', { why: 'undo' });
  expect(await showTask(context, { number: 1 })).toMatchObject({ state: 'given', ended_ms: null });
});

test('a task that is changed while its worker is made ready is given in its new words, and a canceled one is not given', async () => {
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await using world = await queueWorld({
    agents: {
      keepWorktree: async () => {
        reached.resolve();
        await gate.promise;
      },
    },
  });
  const { context } = world;
  await queueTasks(context, { prompts: ['old words', 'not wanted'] });
  await reached.promise;
  await editTask(context, { number: 1, prompt: 'new words' });
  await cancelTask(context, { number: 2 });
  gate.resolve();
  await world.has('new words');
  expect(await showTask(context, { number: 1 })).toMatchObject({ state: 'given', prompt: 'new words' });
  ended(context, 'accepted');
  expect(await listTasks(context, { all: true, limit: 9 })).toMatchObject([{ state: 'done' }, { state: 'canceled' }]);
});

test('a row that cannot be read ends nothing: the supervisor says so once, and goes on when it can be read', async () => {
  const said: string[] = [];
  await using world = await queueWorld({ context: { say: (line) => void said.push(line) } });
  const { context } = world;
  const { database } = context.store;
  context.store.commit({
    worker: null,
    kind: 'queue',
    summary: 'a task of a later version',
    rows: () =>
      void database
        .prepare(
          "INSERT INTO queue (place, priority, prompt, expects, after, state, created_ms) VALUES (1, 0, 'x', 'commit', '?', 'waiting', 0)",
        )
        .run(),
  });
  await vi.waitFor(() => expect(said).toEqual([expect.stringContaining('No task of the queue can be given')]), PATIENCE_MS);
  database.exec("UPDATE queue SET after = '[]'");
  context.store.commit({ worker: null, kind: 'patrol', summary: 'time passes' });
  await world.has('x');
});

test('a task of a worker that has nothing to do is not its task any more', async () => {
  await using work = await scratchWork();
  const { context } = work;
  await queueTasks(context, { prompts: ['one'] });
  markGiven(context.store.database, 1, 'adam', 'd1', 1);
  await new QueueLoop(context).run(AbortSignal.abort());
  expect(await showTask(context, { number: 1 })).toMatchObject({ state: 'dropped', given_to: 'adam' });
});

test('after a restore from a copy, each task that waits is released or canceled by a person', async () => {
  await using world = await queueWorld();
  const { context } = world;
  await queueTasks(context, { prompts: ['one'], worker: 'adam' });
  await world.has('one');
  await queueTasks(context, { prompts: ['two', 'three'] });
  holdWaiting(context.store.database);
  ended(context, 'accepted');
  expect((await showTask(context, { number: 2 })).waits).toContain('waits for you: llmc.db was restored');
  await cancelTask(context, { number: 2 });
  await editTask(context, { number: 3, after: [] });
  await world.has('three');
});

describe('a wait for a task', () => {
  test('ends when it needs a person, when it is done, and when it is canceled', async () => {
    await using world = await queueWorld();
    const { context } = world;
    await queueTasks(context, { prompts: ['one', 'two', 'three'] });
    const waits = [1, 2, 3].map((number) => awaitTask(context, { number, timeoutMs: PATIENCE_MS }));
    await world.has('one');
    commitMove(context, 'adam', 'committed', { why: 'its turn ended' });
    expect(await waits[0]).toMatchObject({ task: { state: 'given' }, reached: { name: 'adam', status: 'needs_review' } });
    commitMove(context, 'adam', 'accepted', { why: 'a person' });
    await world.has('two');
    // What the worker does next does not count.
    expect(await awaitTask(context, { number: 1, timeoutMs: PATIENCE_MS })).toMatchObject({ reached: { status: 'idle' } });
    await cancelTask(context, { number: 3 });
    expect(await waits[2]).toMatchObject({ task: { state: 'canceled' }, reached: null });
    await expect(awaitTask(context, { number: 2, timeoutMs: 0 })).rejects.toMatchObject({
      code: 'WAIT_TIMEOUT',
      message: 'task 2 is not done yet; adam has it',
    });
    ended(context, 'reset');
    expect(await waits[1]).toMatchObject({ task: { state: 'dropped' }, reached: null });
  });
});

describe('a task that waits', () => {
  const busy = { worker: { status: 'working' } } as const;

  test('can be changed, moved and canceled; one that a worker has cannot', async () => {
    await using world = await queueWorld(busy);
    const { context } = world;
    await queueTasks(context, { prompts: ['one', 'two', 'three'] });
    await queueTasks(context, { prompts: ['urgent'], priority: 5 });
    expect(await world.prompts()).toEqual(['urgent', 'one', 'two', 'three']);
    await moveTask(context, { number: 3, before: 'first' });
    await moveTask(context, { number: 1, before: 'last' });
    expect(await world.prompts()).toEqual(['three', 'urgent', 'two', 'one']);
    await moveTask(context, { number: 1, before: 2 });
    await cancelTask(context, { number: 4 });
    await editTask(context, { number: 2, prompt: 'two, but better' });
    expect(await world.prompts()).toEqual(['three', 'one', 'two, but better']);
    await expect(cancelTask(context, { number: 4 })).rejects.toMatchObject({ code: 'ILLEGAL_TRANSITION' });
    ended(context, 'reset');
    await world.has('three');
    await expect(editTask(context, { number: 3, prompt: 'too late' })).rejects.toMatchObject({
      code: 'ILLEGAL_TRANSITION',
      message: 'adam has task 3 already',
    });
  });

  test('cannot wait for itself, nor name what is not there', async () => {
    await using world = await queueWorld(busy);
    const { context } = world;
    await queueTasks(context, { prompts: ['one', 'two'] });
    await editTask(context, { number: 2, after: [1] });
    await expect(editTask(context, { number: 1, after: [2] })).rejects.toMatchObject({ message: 'task 1 would wait for itself' });
    await expect(moveTask(context, { number: 1, before: 1 })).rejects.toMatchObject({ message: 'task 1 cannot go before itself' });
    await queueTasks(context, { prompts: ['x'] });
    await cancelTask(context, { number: 3 });
    await expect(queueTasks(context, { prompts: ['x'], after: [3] })).rejects.toMatchObject({
      message: 'task 3 will not be done: it was canceled',
    });
    await expect(queueTasks(context, { prompts: ['x'], after: [9] })).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    await expect(queueTasks(context, { prompts: ['x'], worker: 'zoe' })).rejects.toMatchObject({ code: 'WORKER_NOT_FOUND' });
    await expect(queueTasks(context, { prompts: ['x'], agent: 'codex' })).rejects.toMatchObject({
      message: 'no worker of the pool has the agent codex',
    });
    expect(await world.prompts()).toEqual(['one', 'two']);
  });

  test('says why a worker could not be given it', async () => {
    await using world = await queueWorld({
      ...busy,
      agents: { keepWorktree: () => Promise.reject(new Error('its worktree is gone')) },
    });
    const { context } = world;
    await queueTasks(context, { prompts: ['one'] });
    ended(context, 'reset');
    await vi.waitFor(
      async () => expect((await showTask(context, { number: 1 })).waits).toBe('adam could not be given it: its worktree is gone'),
      PATIENCE_MS,
    );
  });
});

test('a budget that is used up keeps a task in the queue until there is more of it', async () => {
  const current = { tokens: 100 };
  await using world = await queueWorld({
    context: {
      clock: noonClock,
      config: async () =>
        parseConfig(
          `[repo]\nsource = ${JSON.stringify(world.work.repo.path)}\nbranch = "main"\n[budget]\ntokens_per_day = ${current.tokens}\n[workers.adam]\nagent = "demo"\n`,
          'config.toml',
        ),
    },
  });
  const { context } = world;
  countUsage(context.store.database, localDay(noonClock.now()), [{ conversation: 'c', tokens: 120, costUsd: 0 }]);
  await queueTasks(context, { prompts: ['later'] });
  expect((await showTask(context, { number: 1 })).waits).toContain('120 tokens today');
  current.tokens = 1_000;
  context.store.commit({ worker: null, kind: 'patrol', summary: 'time passes' });
  await world.has('later');
});
