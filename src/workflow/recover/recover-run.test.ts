import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { type ScratchStore, scratchStore } from '../../../test/support/scratch-store.ts';
import type { Store } from '../../store/store.ts';
import { NOON, StoredStory } from '../checkpoint/samples.ts';
import { abortRun } from '../control/control-run.ts';
import type { RunContext } from '../control/post-event.ts';
import { CHECKPOINT_TYPES } from '../model/action.ts';
import { SqliteQueue } from '../store/sqlite-queue.ts';
import { dryRecovery, type RecoverRequest, type Recovery, recoverRun } from './recover-run.ts';

const REQUEST: RecoverRequest = { run: 'swarm-1', retryFailedStage: true, keepAgents: false, dropMessages: false };

let scratch: ScratchStore;
let store: Store;
let story: StoredStory;

beforeEach(async () => {
  scratch = scratchStore();
  store = scratch.open();
  story = await StoredStory.begin({}, store.database);
  return () => scratch[Symbol.dispose]();
});

/** With a supervisor, the engine decides on what is posted. */
function context(supervised = true): RunContext {
  const clock = { now: () => story.at + 60_000, sleep: () => story.decideAll() };
  return { store, clock, random: { next: () => 0, id: () => 'id' }, supervised, signal: new AbortController().signal };
}

async function fail(): Promise<void> {
  await story.work('research');
  await story.lose('develop');
}

async function recover(changes: Partial<RecoverRequest> = {}, supervised = true): Promise<Recovery> {
  const recovery = await recoverRun(context(supervised), { ...REQUEST, ...changes });
  story.at += 60_000;
  return recovery;
}

/** Everything that the database holds. */
function hashOf({ database }: Store): string {
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const rows = tables.map(({ name }) => database.prepare(`SELECT * FROM "${String(name)}"`).all());
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex');
}

async function tasks(): Promise<readonly string[]> {
  return (await story.records.openTasks('swarm-1')).map(({ step, kind }) => `${step}: ${kind}`);
}

describe('a recovery', () => {
  test('goes on with the failed stage, keeps what was done, and ends old sessions first', async () => {
    await fail();
    const before = await story.run();
    const recovery = await recover();
    const run = await story.run();
    expect(run).toMatchObject({ status: 'running', error: null, recoveries: 0, level: 'full' });
    expect(run.version).toBe(before.version + 1);
    expect(run.counter).toBeGreaterThan(before.counter);
    expect(await story.states()).toEqual({ research: 'done', develop: 'acting', review: 'waiting', land: 'waiting' });
    const open = await tasks();
    expect(open.slice(-3)).toEqual(['research: rest', 'develop: rest', 'develop: attempt']);
    expect(recovery.steps.map(({ step }) => step)).toEqual([
      ...['1. find the recovery point', '2. clean up', '3. restore the state', '4. start the agents', '5. go on', '6. verify'],
    ]);
    expect(recovery.steps[5]?.lines[0]).toBe('swarm-1 is running: research: done, develop: acting, review: waiting, land: waiting');
    expect((await story.checkpoints.list('swarm-1'))[0]).toMatchObject({
      type: 'error_recovery',
      note: `recovered from ${recovery.checkpoint}`,
    });
  });

  test('gives the run its whole time again', async () => {
    await story.tell({ kind: 'tick' }, 9 * 3_600_000);
    expect((await story.run()).error?.code).toBe('WORKFLOW_TIMEOUT');
    await recover();
    await story.tell({ kind: 'tick' }, 7 * 3_600_000);
    expect((await story.run()).status).toBe('running');
    expect((await story.run()).clock.startedMs).toBe(NOON);
  });

  test('comes once, however often it is asked for', async () => {
    await fail();
    await recover();
    await expect(recover()).rejects.toThrow('only a run that failed or was aborted');
    expect((await tasks()).filter((task) => task === 'develop: attempt')).toHaveLength(1);
  });

  test('without a supervisor is recorded, once, and takes effect when one runs', async () => {
    await fail();
    expect(await recover({}, false)).toMatchObject({ outcome: 'recorded' });
    expect((await story.run()).status).toBe('failed');
    await expect(recover({}, false)).rejects.toThrow('a recovery of swarm-1 is recorded already');
    await story.decideAll();
    expect(await story.states()).toMatchObject({ research: 'done', develop: 'acting' });
    expect((await tasks()).filter((task) => task === 'develop: attempt')).toHaveLength(1);
  });

  test('can be followed by an abort, also of a run that was aborted before', async () => {
    await abortRun(context(), { run: 'swarm-1', why: 'enough' });
    await recover();
    expect(await abortRun(context(), { run: 'swarm-1', why: 'enough again' })).toMatchObject({ taken: true });
    expect(await story.run()).toMatchObject({ status: 'aborted', error: { message: 'enough again' } });
  });

  test('can be followed by another one', async () => {
    await fail();
    await recover();
    await story.lose('develop');
    await recover();
    expect((await story.run()).status).toBe('running');
  });

  test('with drop-messages takes out what is about to be delivered', async () => {
    await fail();
    await recover();
    await story.tell({ kind: 'message', from: 'person', to: 'developer', text: 'hello' });
    expect(await tasks()).toContain('develop: deliver');
    await story.tell({ kind: 'abort', why: 'enough' });
    await recover({ dropMessages: true });
    expect(await tasks()).not.toContain('develop: deliver');
  });

  test('closes open questions', async () => {
    await story.tell({ kind: 'asked', action: await story.action('research'), question: 'which?' });
    await story.tell({ kind: 'abort', why: 'enough' });
    await recover();
    expect((await story.run()).escalations).toMatchObject([{ answer: { option: 'recovered' } }]);
  });
});

describe('from each type of checkpoint', () => {
  test.each(CHECKPOINT_TYPES)('%s', async (type) => {
    await story.crash('research');
    await story.tell({ kind: 'tick' }, 10_000);
    await story.work('research');
    await story.tell({ kind: 'tick' }, 60_000);
    await story.tell({ kind: 'checkpoint', note: 'mine' });
    await story.work('develop', 'c1');
    await story.tell({ kind: 'abort', why: 'enough' });
    const found = (await story.checkpoints.list('swarm-1')).find((one) => one.type === type);
    const { checkpoint } = await recover({ checkpoint: found?.id });
    expect(checkpoint).toBe(found?.id);
    expect((await story.run()).status).toBe('running');
    expect(await new SqliteQueue(story.database).claimable(story.at + 60_000)).not.toEqual([]);
  });
});

describe('a dry run', () => {
  test('prints the plan that a recovery performs, and changes nothing', async () => {
    await fail();
    const before = hashOf(store);
    const dry = await dryRecovery(story, context().clock, REQUEST);
    expect(hashOf(store)).toBe(before);
    expect(dry).toMatchObject({ outcome: 'planned' });
    const real = await recover();
    expect(dry.steps.slice(0, 5)).toEqual(real.steps.slice(0, 5));
    expect(dry.steps.map(({ lines }) => lines)).toEqual([
      [`checkpoint ${dry.checkpoint} (before_retry, 2m ago)`, 'the run ended with: status 1'],
      ['end the sessions of researcher, developer', 'drop tasks that nobody has begun; worktrees stay as they are'],
      [
        ...['research: stays as it ended', 'develop: runs again', 'review: waits for its turn', 'land: waits for its turn'],
        ...['the counters of failures begin again', 'messages that wait are kept'],
      ],
      ['each role has its own agent again, in a fresh conversation in its worktree'],
      ['with develop'],
      ['the run is running and each of its stages has ended, waits or works: llmc show swarm-1'],
    ]);
  });

  test('names a damaged checkpoint', async () => {
    await fail();
    const [newest] = await story.checkpoints.list('swarm-1');
    story.damage(newest?.id ?? '');
    const { steps } = await dryRecovery(story, context().clock, REQUEST);
    expect(steps[0]?.lines[0]).toBe(`${newest?.id} is damaged (its hash does not match), so the one before it is used`);
  });
});

test.each<readonly [string, Partial<RecoverRequest>, string, string]>([
  ['there is no such run', { run: 'swarm-2' }, 'there is no run "swarm-2"; did you mean "swarm-1"?', 'llmc runs'],
  [
    ...(['there is no such checkpoint', { checkpoint: 'x' }] as const),
    ...(['swarm-1 has no checkpoint of this name; it has swarm-1.v', 'llmc checkpoint swarm-1 --list'] as const),
  ],
])('%s', async (_name, changes, message, hint) => {
  await fail();
  const refused = await recover(changes).catch((error: unknown) => error);
  expect(refused).toMatchObject({ message: expect.stringContaining(message), hint });
  expect((await story.run()).status).toBe('failed');
});
