import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scratchWork } from '../../test/support/scratch-work.ts';
import type { Clock } from '../base/ports.ts';
import { OVERLOOKED_MS } from '../recovery/decide-patrol.ts';
import { findAnswer, insertAnswer } from '../store/tables/answers.ts';
import { cancelQueued, insertQueued, latestTasks } from '../store/tables/queue.ts';
import type { WorkContext } from '../workers/context.ts';
import { patrol, patrolOnce } from './patrol.ts';
import { patrolReport } from './report/patrol-report.ts';
import { aFleet, anAssessment, aPane, aTmuxWatch, aWatch, BUSY, READY } from './samples.ts';

const lines = ({ store }: WorkContext) =>
  store.database
    .prepare("SELECT summary FROM history WHERE kind = 'patrol' ORDER BY seq")
    .all()
    .map(({ summary }) => summary);

/** A clock on which each sleep takes as long as the test says; it ends the patrol after these rounds. */
function roundsClock(sleeps: readonly number[], over: AbortController): Clock & { readonly asked: number[] } {
  const asked: number[] = [];
  let now = 1_800_000_000_000;
  return {
    asked,
    now: () => now,
    sleep: async (ms) => {
      const took = sleeps[asked.length];
      asked.push(ms);
      if (took === undefined) over.abort();
      now += took ?? 0;
    },
  };
}

test('rounds come at the interval of config.toml, and equal ones in a row are one line of the log and one report with a count', async () => {
  await using work = await scratchWork();
  const over = new AbortController();
  const clock = roundsClock([60_000, 60_000, 60_000], over);
  const context = { ...work.context, clock };
  await patrol(context, aFleet(), over.signal);
  expect(clock.asked).toEqual([60_000, 60_000, 60_000, 60_000]);
  expect(lines(context)).toEqual(['nothing to do']);
  expect(patrolReport(context.store.database)).toEqual({
    since_ms: 1_800_000_060_000,
    last_ms: 1_800_000_180_000,
    rounds: 3,
    took_ms: 0,
    findings: [],
    summary: 'nothing to do',
  });
  expect(context.store.state.patrol_last_run_unix).toBe(1_800_000_180);
});

test('a suspended laptop costs one round, not one per minute', async () => {
  await using work = await scratchWork();
  const over = new AbortController();
  const eightHours = 8 * 3_600_000;
  await patrol({ ...work.context, clock: roundsClock([eightHours], over) }, aFleet(), over.signal);
  expect(patrolReport(work.context.store.database)?.rounds).toBe(1);
});

test('a round that fails is said, and the next one runs', async () => {
  await using work = await scratchWork();
  const over = new AbortController();
  const { store } = work.context;
  let failures = 1;
  const failing: WorkContext = {
    ...work.context,
    clock: roundsClock([60_000, 60_000], over),
    git: {
      ...work.context.git,
      get guard() {
        if (failures-- > 0) throw new Error('the guard is broken');
        return undefined;
      },
    },
  };
  await patrol(failing, aFleet(), over.signal);
  expect(work.said).toEqual(['Patrol: the guard is broken']);
  expect(patrolReport(store.database)?.rounds).toBe(1);
});

test('a worker that cannot be checked does not keep the others: a missing session is looked for, and both are reported', async () => {
  await using work = await scratchWork({ worker: { status: 'working' } });
  const { context } = work;
  const { store } = context;
  store.commit({
    worker: null,
    kind: 'test',
    summary: 'two more workers',
    state: (draft) => {
      const { adam } = draft.workers;
      if (adam === undefined) return;
      draft.workers.baker = { ...adam, name: 'baker' };
      draft.workers.carl = { ...adam, name: 'carl', status: 'offline', status_before_offline: 'idle' };
    },
  });
  const gone = { pane: 'gone' as const, ended: { since: context.clock.now() - OVERLOOKED_MS, passes: 9 } };
  const woken: string[] = [];
  const adopted: string[] = [];
  const fleet = aFleet({
    watchOf(name) {
      if (name === 'adam') throw new Error('its watch is broken');
      return name === 'baker' ? aWatch({ name, tmux: { ...aTmuxWatch(), ...gone } }) : aWatch({ name, tmux: aTmuxWatch(aPane()) });
    },
    wake: (name) => void woken.push(String(name)),
    adopt: (name) => void adopted.push(name),
  });
  await patrolOnce(context, fleet);
  expect(woken).toEqual(['baker']);
  expect(adopted).toEqual(['carl']);
  const summary = 'started the missing session of baker; took over the session of carl; could not check adam';
  expect(lines(context)).toEqual([summary]);
  expect(work.said).toEqual(['Patrol: adam: its watch is broken']);
  expect(readFileSync(context.layout.config, 'utf8')).toContain('adam');
});

test.each([
  ['has been ready for a minute', { assessment: anAssessment(READY, { since: 0 }) }, 'noticed that adam had finished'],
  ['is at work', { assessment: anAssessment(BUSY, { since: 0 }) }, 'nothing to do'],
  ['shows no progress', { assessment: anAssessment(BUSY), stuck: { since: 0, rungs: 1, askedAt: 0 } as const }, 'no progress of adam'],
])('a working agent that %s', async (_, changes, summary) => {
  await using work = await scratchWork({ worker: { status: 'working', current_prompt: 'x' } });
  await patrolOnce(work.context, aFleet({ watchOf: (name) => aWatch({ name, tmux: aTmuxWatch(aPane()), ...changes }) }));
  expect(lines(work.context)).toEqual([summary]);
});

test('what was done is a line each time; what is only found again is counted', async () => {
  await using work = await scratchWork({ worker: { status: 'working', current_prompt: 'x' } });
  const { context } = work;
  const stuck = aFleet({ watchOf: (name) => aWatch({ name, tmux: aTmuxWatch(aPane()), stuck: { since: 0, rungs: 1, askedAt: 0 } }) });
  const over = aFleet({ watchOf: (name) => aWatch({ name, tmux: aTmuxWatch(aPane()), assessment: anAssessment(READY, { since: 0 }) }) });
  for (const fleet of [stuck, stuck, over, over, stuck]) await patrolOnce(context, fleet);
  const finished = 'noticed that adam had finished';
  expect(lines(context)).toEqual(['no progress of adam', finished, finished, 'no progress of adam']);
});

test('a round forgets tasks that ended long ago, and the answers that people have dismissed', async () => {
  await using work = await scratchWork({ worker: { answer: 'unread' } });
  const { context } = work;
  const { database } = context.store;
  const old = insertQueued(database, { ...TASK, prompt: 'Old' });
  cancelQueued(database, old, 1);
  for (const id of ['dismissed', 'unread'])
    insertAnswer(database, { id, worker: 'adam', task: null, text: id, source: 'message', cut: 0, given_ms: 1 });
  database.exec("UPDATE sqlite_sequence SET seq = 3000 WHERE name = 'queue'");
  insertQueued(database, { ...TASK, prompt: 'New' });
  database.exec(
    "INSERT INTO answers (rowid, id, worker, text, source, cut, given_ms) VALUES (3000, 'new', 'adam', 'new', 'message', 0, 2)",
  );
  await patrolOnce(context, aFleet());
  expect(latestTasks(database, 9).map(({ prompt }) => prompt)).toEqual(['New']);
  expect(['dismissed', 'unread', 'new'].map((id) => findAnswer(database, id)?.text)).toEqual([undefined, 'unread', 'new']);
});

const TASK = { expects: 'answer', priority: 0, worker: null, agent: null, after: [], created_ms: 1 } as const;
