import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { type ScratchStore, scratchStore } from '../../../test/support/scratch-store.ts';
import type { Store } from '../../store/store.ts';
import { NOON, StoredStory } from '../checkpoint/samples.ts';
import { abortRun } from '../control/control-run.ts';
import type { RunContext } from '../control/post-event.ts';
import { CHECKPOINT_TYPES } from '../model/action.ts';
import { result } from '../next/samples.ts';
import { SqliteQueue } from '../store/sqlite-queue.ts';
import { dryRecovery, type RecoverRequest, type Recovery, recoverRun } from './recover-run.ts';
import type { RecoveryProbes } from './recovery-facts.ts';

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
  const recovery = await recoverRun(context(supervised), { ...REQUEST, ...changes }, probes);
  story.at += 60_000;
  return recovery;
}

const probes: RecoveryProbes = { workers: () => Promise.resolve(new Map()), hasArtifact: () => true };

/** Everything that the database holds. */
function hashOf({ database }: Store): string {
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const rows = tables.map(({ name }) => database.prepare(`SELECT * FROM "${String(name)}"`).all());
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex');
}

async function tasks(): Promise<readonly string[]> {
  return (await story.records.openTasks('swarm-1')).map(({ step, kind }) => `${step}: ${kind}`);
}

/** Every stage of the swarm ends well, and its work lands as this commit. */
async function finish(): Promise<void> {
  await story.work('research');
  await story.work('develop', 'c1');
  await approve();
  await story.tell({ kind: 'started', action: await story.action('land') });
  await story.tell({ kind: 'landed', action: await story.action('land'), commit: 'main-1' });
}

async function approve(): Promise<void> {
  for (const kind of ['started', 'finished'] as const) await story.tell({ kind, action: await story.action('review') });
  const verdict = { verdict: 'approved', issues: [] } as const;
  await story.tell({ kind: 'collected', action: await story.action('review'), result: result({ verdict }) });
}

describe('a recovery from a stage', () => {
  const FROM: Partial<RecoverRequest> = { retryFailedStage: false, from: 'develop' };

  test('begins it again with everything after it, keeps what is before it, and archives its results', async () => {
    await story.work('research');
    await story.work('develop', 'c1');
    await story.tell({ kind: 'abort', why: 'enough' });
    const planned = await dryRecovery(story, { now: () => story.at }, { ...REQUEST, ...FROM });
    expect(planned.steps[2]?.lines.slice(0, 4)).toEqual([
      'research: stays as it ended',
      'develop: begins again; its results go to the archive',
      'review: begins again',
      'land: begins again',
    ]);
    expect(planned.steps[4]?.lines).toEqual(['with develop, review, land']);
    const recovery = await recover(FROM);
    expect(recovery.steps.slice(2, 5)).toEqual(planned.steps.slice(2, 5));
    const run = await story.run();
    expect(await story.states()).toEqual({ research: 'done', develop: 'acting', review: 'waiting', land: 'waiting' });
    expect(run.compensations).toMatchObject([{ stage: 'develop', steps: ['develop'], reason: 'a person recovered the run from develop' }]);
    expect(run.steps.develop).toMatchObject({ result: null, marks: [], round: 1 });
    await story.work('develop', 'c2');
    await approve();
    expect(await story.states()).toMatchObject({ develop: 'done', review: 'done', land: 'acting' });
  });

  test('of a run that is done takes its landing back from main first', async () => {
    await finish();
    expect((await story.run()).status).toBe('done');
    await expect(recover()).rejects.toMatchObject({
      message: 'swarm-1 is done: there is nothing to recover',
      hint: 'llmc recover swarm-1 --from land --dry-run',
    });
    const planned = await dryRecovery(story, { now: () => story.at }, { ...REQUEST, ...FROM });
    expect(planned.steps[2]?.lines).toContain('land: begins again; what it has landed is taken back from main');
    await recover(FROM);
    expect(await tasks()).toContain('develop: undo');
    expect((await tasks()).filter((task) => task === 'develop: undo')).toHaveLength(1);
    await story.tell({ kind: 'undone', action: await story.action('develop'), revert: 'r1' });
    await story.work('develop', 'c2');
    await approve();
    await story.tell({ kind: 'started', action: await story.action('land') });
    await story.tell({ kind: 'landed', action: await story.action('land'), commit: 'main-2' });
    expect(await story.run()).toMatchObject({ status: 'done', steps: { land: { result: { commit: 'main-2' } } } });
  });

  test('that is a review checks the work again, which keeps its marks', async () => {
    await finish();
    await recover({ ...FROM, from: 'review' });
    expect((await story.run()).steps.develop).toMatchObject({ state: { kind: 'done' }, marks: [] });
  });

  test('comes once: a second one at the same end is refused', async () => {
    await finish();
    expect(await recover(FROM, false)).toMatchObject({ outcome: 'recorded' });
    await expect(recover(FROM, false)).rejects.toThrow('a recovery of swarm-1 is recorded already');
    await story.decideAll();
    await expect(recover(FROM)).rejects.toThrow('swarm-1 is running: only a run that has ended can be recovered');
    expect((await story.run()).compensations).toHaveLength(1);
  });

  test.each([
    [{ from: 'develpo' }, 'swarm-1 has no stage "develpo"; did you mean "develop"? Its stages are research, develop, review, land'],
    [{ from: 'zzz' }, 'swarm-1 has no stage "zzz"; its stages are research, develop, review, land'],
    [{ from: 'constructor' }, 'swarm-1 has no stage "constructor"; its stages are research, develop, review, land'],
    [{ from: 'develop', checkpoint: 'swarm-1.v2' }, 'expected one of --checkpoint and --from'],
  ])('%j is refused', async (request, message) => {
    await finish();
    const before = hashOf(store);
    await expect(recover(request)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message });
    expect(hashOf(store)).toBe(before);
  });
});

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
      '1. find the recovery point',
      '2. clean up',
      '3. restore the state',
      '4. start the agents',
      '5. go on',
      '6. verify',
    ]);
    expect(recovery.steps[5]?.lines).toEqual([
      'nothing is wrong, and something has not begun yet',
      'swarm-1-developer has not begun develop yet',
      'the results of 1 stage are there',
    ]);
    expect(recovery.verified).toBe('open');
    expect((await story.records.history('swarm-1')).at(-1)?.text).toMatch(/^the recovery is not complete yet: swarm-1-developer/);
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
    await expect(recover()).rejects.toThrow('only a run that has ended');
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
      [`checkpoint ${dry.checkpoint} (periodic, 2m ago)`, 'the run ended with: status 1'],
      ['end the sessions of researcher, developer', 'drop tasks that nobody has begun; worktrees stay as they are'],
      [
        'research: stays as it ended',
        'develop: runs again',
        'review: waits for its turn',
        'land: waits for its turn',
        'the counters of failures begin again',
        'messages that wait are kept',
      ],
      ['each role has its own agent again, in a fresh conversation in its worktree'],
      ['with develop'],
      ['wait until the agents have their tasks, then check their sessions, worktrees, results and messages'],
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
