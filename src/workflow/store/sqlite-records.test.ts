import { expect, test } from 'vitest';
import { errorRecord } from '../../recovery/error-record.ts';
import { openDatabase } from '../../store/database.ts';
import type { What } from '../model/event.ts';
import { next } from '../next/next.ts';
import { newRun, POLICY, swarmPlan } from '../next/samples.ts';
import type { ErrorQuery } from './ports.ts';
import { SqliteRecords } from './sqlite-records.ts';
import { SqliteRuns } from './sqlite-runs.ts';

const NOW = 1_800_000_000_000;

test('what a run leaves is read again: history, errors, checkpoints, open tasks', async () => {
  const database = openDatabase(':memory:');
  const runs = new SqliteRuns(database);
  const records = new SqliteRecords(database);
  const run = newRun(swarmPlan(), NOW);
  await runs.create(run, { key: 'begin', at: NOW, dice: 0, what: { kind: 'begin' } });
  const tell = async (key: string, what: What) => {
    await runs.post(run.id, { key, at: NOW + 1, dice: 0, what });
    const [pending] = await runs.undecided();
    const loaded = await runs.load(run.id);
    if (pending === undefined || !('event' in pending) || loaded === undefined) throw new Error('nothing to decide on');
    const decision = next(loaded, pending.event, POLICY);
    await runs.commit({ version: loaded.version, event: pending.event.key, decision, wakeAt: null, at: NOW + 1 });
    return decision;
  };

  const { actions } = await tell('begin', { kind: 'begin' });
  const action = actions[0]?.id ?? '';
  expect(await records.openTasks(run.id)).toEqual([
    { id: action, step: 'research', kind: 'attempt', state: 'open', runAt: NOW + 1, attempt: 0 },
  ]);
  expect(await records.isDecided(run.id, 'begin')).toBe(true);
  expect(await records.isDecided(run.id, 'other')).toBe(false);

  const error = errorRecord({ id: 'x', code: 'AGENT_CRASHED', message: 'status 1', component: 'research', at: NOW });
  await tell('crash', { kind: 'crashed', action, error });
  expect(await records.errors(run.id)).toMatchObject([{ code: 'AGENT_CRASHED', strategy: 'restart', cause: { id: 'x' } }]);
  const line = (await records.history(run.id)).at(-1);
  expect(line).toMatchObject({ step: 'research', text: expect.stringContaining('the agent starts again'), at: NOW + 1 });
  expect(await records.history(run.id, line?.seq)).toEqual([]);
  expect(await records.checkpoints(run.id)).toMatchObject([
    { type: 'before_retry', note: 'research', completed: [], pending: ['research', 'develop', 'review', 'land'] },
    { type: 'session_start' },
  ]);
  expect(await records.history('other')).toEqual([]);
});

test('the error log is asked by run, code, severity, stage, role, time, and what is open', async () => {
  const database = openDatabase(':memory:');
  const runs = new SqliteRuns(database);
  const records = new SqliteRecords(database);
  const codes = ['AGENT_CRASHED', 'MAX_ITERATIONS', 'AGENT_CRASHED'] as const;
  for (const [index, code] of codes.entries()) {
    const run = { ...newRun(swarmPlan(), NOW), id: `swarm-${index + 1}` };
    await runs.create(run, { key: 'begin', at: NOW, dice: 0, what: { kind: 'begin' } });
    const error = errorRecord({
      id: `e${index}`,
      code,
      message: 'm',
      strategy: 'restart',
      component: `stage-${index}`,
      role: 'developer',
      at: NOW + index,
    });
    const recovered = index === 2 ? [{ kind: 'settled', step: 'stage-2', outcome: 'recovered' } as const] : [];
    const decision = {
      run: { ...run, version: 1 },
      actions: [],
      changedSteps: [],
      records: [{ kind: 'error', error } as const, ...recovered],
    };
    await runs.commit({ version: 0, event: 'begin', decision, wakeAt: null, at: NOW + index });
  }
  const ids = async (query: Partial<ErrorQuery>) => (await records.errorLog({ limit: 10, ...query })).map(({ id }) => id);
  expect(await ids({})).toEqual(['e0', 'e1', 'e2']);
  expect(await ids({ limit: 2 })).toEqual(['e1', 'e2']);
  expect(await ids({ run: 'swarm-2' })).toEqual(['e1']);
  expect(await ids({ code: 'AGENT_CRASHED' })).toEqual(['e0', 'e2']);
  expect(await ids({ code: 'AGENT_CRASHED', open: true })).toEqual(['e0']);
  expect(await ids({ severity: 'warning' })).toEqual(['e1']);
  expect(await ids({ step: 'stage-2', role: 'developer' })).toEqual(['e2']);
  expect(await ids({ role: 'cook' })).toEqual([]);
  expect(await ids({ since: NOW + 1 })).toEqual(['e1', 'e2']);
});
