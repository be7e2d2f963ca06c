import { expect, test } from 'vitest';
import { openDatabase } from '../../store/database.ts';
import type { What } from '../model/event.ts';
import { next } from '../next/next.ts';
import { newRun, POLICY, result, sectionsPlan } from '../next/samples.ts';
import { SqliteRuns } from '../store/sqlite-runs.ts';
import { cachedRuns } from './cached-runs.ts';

const NOON = 1_800_000_000_000;

test('a kept run is the one that is stored, after every decision, and is read again after a refused commit', async () => {
  const stored = new SqliteRuns(openDatabase(':memory:'));
  let reads = 0;
  const bound = {
    create: stored.create.bind(stored),
    list: stored.list.bind(stored),
    post: stored.post.bind(stored),
    undecided: stored.undecided.bind(stored),
    commit: stored.commit.bind(stored),
    note: stored.note.bind(stored),

    due: stored.due.bind(stored),
    nextDue: stored.nextDue.bind(stored),
    providers: stored.providers.bind(stored),
    retried: stored.retried.bind(stored),
    load: async (id: string) => {
      reads += 1;
      return await stored.load(id);
    },
  };
  const runs = cachedRuns(bound);
  await runs.create(newRun(sectionsPlan(), NOON), { key: 'e0', at: NOON, dice: 0, what: { kind: 'begin' } });
  let events = 0;
  const decide = async (what: What) => {
    const key = `e${events}`;
    events += 1;
    await runs.post('swarm-1', { key, at: NOON + events, dice: 0, what });
    const run = await runs.load('swarm-1');
    if (run === undefined) throw new Error('the run is gone');
    const decision = next(run, { key, at: NOON + events, dice: 0, what }, POLICY);
    expect(await runs.commit({ version: run.version, event: key, decision, wakeAt: null, at: NOON + events })).toBe(true);
    expect(await runs.load('swarm-1')).toEqual(await stored.load('swarm-1'));
  };
  const action = async (step: string) => {
    const state = (await runs.load('swarm-1'))?.steps[step]?.state;
    return state?.kind === 'acting' || state?.kind === 'working' ? state.action : '';
  };
  await decide({ kind: 'begin' });
  const value = { sections: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] };
  for (const step of ['outline', 'write/a', 'write/b']) {
    await decide({ kind: 'started', action: await action(step) });
    await decide({ kind: 'finished', action: await action(step) });
    const artifacts = { 'outline.yaml': { path: 'p', sha256: 'h', value } };
    await decide({ kind: 'collected', action: await action(step), result: result({ artifacts }) });
  }
  expect(reads).toBe(1);
  const stale = (await runs.load('swarm-1')) ?? newRun(sectionsPlan(), NOON);
  const decision = next(stale, { key: 'none', at: NOON, dice: 0, what: { kind: 'tick' } }, POLICY);
  expect(await runs.commit({ version: stale.version, event: 'none', decision, wakeAt: null, at: NOON })).toBe(false);
  await runs.load('swarm-1');
  expect(reads).toBe(2);
});
