import { beforeEach, describe, expect, test } from 'vitest';
import type { Checkpoints } from '../checkpoint/checkpoints.ts';
import type { RunEvent, What } from '../model/event.ts';
import type { Run } from '../model/run.ts';
import { next } from '../next/next.ts';
import { forEach, newRun, POLICY, swarmPlan, work } from '../next/samples.ts';
import type { RunStore, TaskQueue } from './ports.ts';

const NOW = 1_800_000_000_000;
const LEASE_MS = 10_000;
const wanted = { host: 'one', now: NOW, leaseMs: LEASE_MS, limit: 10 };

const event = (key: string, what: What, at = NOW): RunEvent => ({ key, at, dice: 0.5, what });
const begin = event('begin', { kind: 'begin' });

/** What every database under the engine has to do. `open` gives an empty one. */
export function portsConformance(
  open: () => { readonly runs: RunStore; readonly queue: TaskQueue; readonly checkpoints: Checkpoints },
): void {
  let runs: RunStore;
  let queue: TaskQueue;
  let checkpoints: Checkpoints;
  let run: Run;

  beforeEach(async () => {
    ({ runs, queue, checkpoints } = open());
    run = newRun(swarmPlan(), NOW);
    await runs.create(run, begin);
  });

  /** Decides on the oldest event, as the engine does. */
  async function decide(id = run.id): Promise<boolean> {
    const pending = (await runs.undecided()).find((one) => one.run === id);
    const loaded = await runs.load(id);
    if (pending === undefined || !('event' in pending) || loaded === undefined) throw new Error('nothing to decide on');
    const decision = next(loaded, pending.event, POLICY);
    return await runs.commit({ version: loaded.version, event: pending.event.key, decision, wakeAt: null, at: NOW });
  }

  describe('a run', () => {
    test('is read as it was stored', async () => {
      expect(await runs.load(run.id)).toEqual(run);
      await decide();
      const { steps, ...rest } = (await runs.load(run.id)) ?? run;
      expect(rest).toMatchObject({ version: 1, status: 'running', inputs: run.inputs });
      expect(rest.plan).toEqual(run.plan);
      expect(steps.research?.state).toMatchObject({ kind: 'acting', doing: 'attempt' });
    });

    test('is created once under its name', async () => {
      expect(await runs.create(run, begin)).toBe(false);
      expect(await runs.list()).toMatchObject([{ id: run.id, workflow: 'swarm', status: 'running' }]);
    });

    test('that nobody made has no events', async () => {
      expect(await runs.load('other')).toBeUndefined();
      expect(await runs.post('other', begin)).toBe(false);
    });
  });

  describe('the steps of items', () => {
    const list = (count: number) => Array.from({ length: count }, (_, index) => `item ${index + 1}`);

    beforeEach(async () => {
      const plan = { ...swarmPlan(), stages: [forEach('each', [work('do', 'developer')])] };
      run = { ...newRun(plan, NOW), id: 'each-1', inputs: { list: list(12) } };
      await runs.create(run, begin);
      await decide();
    });

    test('are read as they were stored, in the order of the list', async () => {
      const steps = Object.values((await runs.load(run.id))?.steps ?? {});
      expect(steps.flatMap(({ item }) => item?.value ?? [])).toEqual(list(12));
      expect(steps.find(({ address }) => address === 'do/2')?.state.kind).toBe('acting');
      expect(steps.some(({ address }) => address === 'do/3')).toBe(false);
    });

    test('are written only where a decision changes them', async () => {
      const loaded = (await runs.load(run.id)) ?? run;
      const action = (await queue.claim({ ...wanted, limit: 99 })).find((claim) => claim.action.step === 'do/2')?.action.id ?? '';
      const decision = next(loaded, event('e', { kind: 'started', action }), POLICY);
      expect(decision.changedSteps).toEqual(['do/2']);
      await runs.post(run.id, event('e', { kind: 'started', action }));
      // A change that the decision does not name is not written.
      const steps = { ...decision.run.steps };
      for (const address of ['do/1', 'each/7']) delete steps[address];
      await runs.commit({
        version: loaded.version,
        event: 'e',
        decision: { ...decision, run: { ...decision.run, steps } },
        wakeAt: null,
        at: NOW,
      });
      const after = (await runs.load(run.id))?.steps ?? {};
      expect([after['do/1']?.state.kind, after['do/2']?.state.kind, after['each/7']?.state.kind]).toEqual(['acting', 'working', 'waiting']);
    });

    test('are gone after a decision that removes them', async () => {
      const loaded = (await runs.load(run.id)) ?? run;
      await runs.post(run.id, event('e', { kind: 'tick' }));
      const decision = { ...next(loaded, event('e', { kind: 'tick' }), POLICY), changedSteps: ['do/1'] };
      const { 'do/1': _gone, ...steps } = decision.run.steps;
      await runs.commit({
        version: loaded.version,
        event: 'e',
        decision: { ...decision, run: { ...decision.run, steps } },
        wakeAt: null,
        at: NOW,
      });
      expect(Object.keys((await runs.load(run.id))?.steps ?? {})).not.toContain('do/1');
    });

    test('are in a checkpoint', async () => {
      await runs.post(run.id, event('c', { kind: 'checkpoint', note: 'now' }));
      await decide();
      expect(Object.keys((await checkpoints.list(run.id))[0]?.state?.steps ?? {})).toContain('do/2');
    });
  });

  test('the breaker of a service counts over all runs, lets one try through, and is forgotten when the service answers', async () => {
    const policy = { failures: 2, retryAfterMs: 1_000 };
    let events = 0;
    const told = async (outcome: 'failed' | 'succeeded' | 'tried', id = run.id) => {
      events += 1;
      const key = `p${events}`;
      await runs.post(id, event(key, { kind: 'tick' }));
      const loaded = (await runs.load(id)) ?? run;
      const decision = next(loaded, event(key, { kind: 'tick' }), POLICY);
      const records = [...decision.records, { kind: 'provider', account: 'claude', by: id, outcome, policy } as const];
      await runs.commit({ version: loaded.version, event: key, decision: { ...decision, records }, wakeAt: null, at: NOW + events });
      return (await runs.providers()).claude;
    };
    expect(await runs.providers()).toEqual({});
    await runs.create({ ...run, id: 'swarm-2' }, begin);
    expect(await told('failed')).toEqual({ kind: 'closed', failures: 1 });
    expect(await told('failed', 'swarm-2')).toEqual({ kind: 'open', failures: 2, until: NOW + 1_002 });
    expect(await told('tried')).toEqual({ kind: 'open', failures: 2, until: NOW + 1_003 });
    expect(await told('succeeded', 'swarm-2')).toBeUndefined();
  });

  describe('an event', () => {
    test('is stored once under its key, and decided on in the order of arrival', async () => {
      expect(await runs.post(run.id, event('one', { kind: 'tick' }))).toBe(true);
      expect(await runs.post(run.id, event('one', { kind: 'abort', why: 'other' }))).toBe(false);
      await decide();
      expect(await runs.undecided()).toEqual([{ run: run.id, event: event('one', { kind: 'tick' }) }]);
    });

    test('is decided on once', async () => {
      const loaded = (await runs.load(run.id)) ?? run;
      const commit = { version: 0, event: 'begin', decision: next(loaded, begin, POLICY), wakeAt: null, at: NOW };
      expect(await runs.commit(commit)).toBe(true);
      expect(await runs.commit(commit)).toBe(false);
      expect(await runs.commit({ ...commit, version: 1 })).toBe(false);
      expect(await queue.claim(wanted)).toHaveLength(1);
    });

    test('of each run is offered, one run beside the other', async () => {
      await runs.create({ ...run, id: 'swarm-2' }, begin);
      expect((await runs.undecided()).map((one) => one.run)).toEqual(['swarm-1', 'swarm-2']);
    });
  });

  test('a decision on an older version is refused whole: no state, no task, the event stays', async () => {
    const stale = (await runs.load(run.id)) ?? run;
    await runs.post(run.id, event('tick', { kind: 'tick' }));
    await decide();
    const decision = next(stale, event('tick', { kind: 'abort', why: 'late' }), POLICY);
    expect(await runs.commit({ version: stale.version, event: 'tick', decision, wakeAt: null, at: NOW })).toBe(false);
    expect((await runs.load(run.id))?.status).toBe('running');
    expect(await runs.undecided()).toHaveLength(1);
  });

  test('a run is due from its time on, and not after it was moved', async () => {
    const loaded = (await runs.load(run.id)) ?? run;
    await runs.commit({ version: 0, event: 'begin', decision: next(loaded, begin, POLICY), wakeAt: NOW + 5, at: NOW });
    expect(await runs.due(NOW + 4)).toEqual([]);
    expect(await runs.due(NOW + 5)).toEqual([run.id]);
    expect(await runs.nextDue()).toBe(NOW + 5);
    await runs.post(run.id, event('tick', { kind: 'tick' }));
    // An event that waits makes a tick pointless.
    expect(await runs.due(NOW + 5)).toEqual([]);
    await decide();
    expect(await runs.due(NOW + 5)).toEqual([]);
    expect(await runs.nextDue()).toBeNull();
  });

  describe('a checkpoint', () => {
    test('comes with its decision, holds the run at that moment, and is read by its run only', async () => {
      await decide();
      const [only, ...others] = await checkpoints.list(run.id);
      expect([only?.id, only?.type, only?.version, others]).toEqual(['swarm-1.v1', 'session_start', 1, []]);
      expect(only?.state?.steps.research?.state).toEqual({ kind: 'waiting' });
      expect(await checkpoints.list('other')).toEqual([]);
    });

    test('is one of the newest, which come first; the others are gone', async () => {
      await decide();
      for (const note of ['a', 'b', 'c']) {
        await runs.post(run.id, event(note, { kind: 'checkpoint', note }));
        const loaded = (await runs.load(run.id)) ?? run;
        const decision = next(loaded, event(note, { kind: 'checkpoint', note }), POLICY);
        await runs.commit({ version: loaded.version, event: note, decision, wakeAt: null, at: NOW, keepCheckpoints: 2 });
      }
      // Those that a person saved count for themselves.
      expect((await checkpoints.list(run.id)).map(({ type, note }) => `${type} ${note}`)).toEqual([
        'manual c',
        'manual b',
        'session_start ',
      ]);
    });

    test('does not come with a decision that is refused', async () => {
      const stale = (await runs.load(run.id)) ?? run;
      await decide();
      const decision = next(stale, begin, POLICY);
      expect(await runs.commit({ version: stale.version, event: 'begin', decision, wakeAt: null, at: NOW })).toBe(false);
      expect(await checkpoints.list(run.id)).toHaveLength(1);
    });
  });

  describe('a task', () => {
    beforeEach(async () => {
      await decide();
    });

    test('is claimed by one of two', async () => {
      expect(await queue.claim(wanted)).toMatchObject([
        { run: run.id, attempt: 1, action: { step: 'research', task: { kind: 'attempt' } } },
      ]);
      expect(await queue.claim({ ...wanted, host: 'two' })).toEqual([]);
    });

    test('whose lease ran out is taken over, and who had it before cannot settle it', async () => {
      const [first] = await queue.claim(wanted);
      const [second] = await queue.claim({ ...wanted, host: 'two', now: NOW + LEASE_MS });
      if (first === undefined || second === undefined) throw new Error('not claimed');
      expect(second).toMatchObject({ attempt: 2, host: 'two', action: { id: first.action.id } });
      expect(await queue.heartbeat(first, NOW + 99_000)).toBe(false);
      expect(await queue.settle(first)).toBe(false);
      expect(await queue.settle(second)).toBe(true);
      expect(await queue.settle(second)).toBe(false);
      expect(await queue.claim({ ...wanted, now: NOW + 99_000 })).toEqual([]);
    });

    test('that is kept alive is not taken over', async () => {
      const [claim] = await queue.claim(wanted);
      if (claim === undefined) throw new Error('not claimed');
      expect(await queue.heartbeat(claim, NOW + 2 * LEASE_MS)).toBe(true);
      expect(await queue.claim({ ...wanted, now: NOW + LEASE_MS })).toEqual([]);
    });

    test('that nobody has claimed is due, also when the clock went back since', async () => {
      expect(await queue.claim({ ...wanted, now: NOW - 3_600_000 })).toHaveLength(1);
    });

    test('that was released is due at its time', async () => {
      const [claim] = await queue.claim(wanted);
      if (claim === undefined) throw new Error('not claimed');
      expect(await queue.release(claim, NOW + 500)).toBe(true);
      expect(await queue.claim({ ...wanted, now: NOW + 499 })).toEqual([]);
      expect(await queue.claim({ ...wanted, now: NOW + 500 })).toMatchObject([{ attempt: 2 }]);
    });

    test('without a place stays, and others are claimed in its stead', async () => {
      const [open] = await queue.claimable(NOW);
      expect(open).toMatchObject({ run: run.id, since: NOW, action: { step: 'research', task: { kind: 'attempt' } } });
      expect(await queue.claim({ ...wanted, except: [open?.action.id ?? ''] })).toEqual([]);
      expect(await queue.claim(wanted)).toHaveLength(1);
      expect(await queue.claimable(NOW)).toEqual([]);
    });

    test('that no step waits for any more is not performed', async () => {
      await runs.post(run.id, event('abort', { kind: 'abort', why: 'enough' }));
      await decide();
      expect(await queue.claim(wanted)).toMatchObject([{ action: { task: { kind: 'halt' } } }]);
    });

    test('that starts an agent waits while its run is paused, and does not hold up the end of a session', async () => {
      await runs.post(run.id, event('pause', { kind: 'pause', now: true }));
      await decide();
      const [rest] = await queue.claim(wanted);
      expect(rest).toMatchObject({ action: { task: { kind: 'rest' } } });
      expect(await queue.claimable(NOW)).toEqual([]);
      if (rest !== undefined) await queue.settle(rest);
      await runs.post(run.id, event('resume', { kind: 'resume', how: { kind: 'go_on' } }));
      await decide();
      expect(await queue.claim(wanted)).toMatchObject([{ attempt: 1, action: { step: 'research', task: { kind: 'attempt' } } }]);
    });

    test('waits for the one before it with the same key, also while that one is delayed', async () => {
      const [attempt] = await queue.claim(wanted);
      if (attempt === undefined) throw new Error('not claimed');
      await runs.post(run.id, event('abort', { kind: 'abort', why: 'enough' }));
      await decide();
      expect(await queue.claim(wanted)).toEqual([]);
      await queue.release(attempt, NOW + 500);
      expect(await queue.claim({ ...wanted, now: NOW + 100 })).toEqual([]);
      const [again] = await queue.claim({ ...wanted, now: NOW + 500 });
      if (again === undefined) throw new Error('not claimed');
      await queue.settle(again);
      expect(await queue.claim({ ...wanted, now: NOW + 500 })).toMatchObject([{ action: { task: { kind: 'halt' } } }]);
    });

    test('of a process that ended is claimed by its successor at once, and by no other host', async () => {
      const [first] = await queue.claim(wanted);
      await queue.takeBack('two');
      expect(await queue.claim({ ...wanted, host: 'two' })).toEqual([]);
      await queue.takeBack('one');
      expect(await queue.claim(wanted)).toMatchObject([{ attempt: 2, action: { id: first?.action.id } }]);
      expect(first && (await queue.settle(first))).toBe(false);
    });

    test('says when it is due again: at its time, or when its lease runs out', async () => {
      expect(await queue.nextAt(NOW)).toBeNull();
      const [claim] = await queue.claim(wanted);
      if (claim === undefined) throw new Error('not claimed');
      expect(await queue.nextAt(NOW)).toBe(NOW + LEASE_MS);
      await queue.release(claim, NOW + 500);
      expect(await queue.nextAt(NOW)).toBe(NOW + 500);
      expect(await queue.nextAt(NOW + 500)).toBeNull();
    });

    test('of one run does not hold up another', async () => {
      await runs.create({ ...run, id: 'swarm-2' }, begin);
      await decide('swarm-2');
      expect((await queue.claim(wanted)).map((one) => one.run)).toEqual(['swarm-1', 'swarm-2']);
      expect(await queue.claim({ ...wanted, limit: 0 })).toEqual([]);
    });
  });
}
