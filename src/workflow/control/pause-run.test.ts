import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { type ScratchStore, scratchStore } from '../../../test/support/scratch-store.ts';
import { parseConfig } from '../../config/parse.ts';
import type { Store } from '../../store/store.ts';
import { newRun } from '../model/new-run.ts';
import { next } from '../next/next.ts';
import { POLICY, swarmPlan } from '../next/samples.ts';
import { SqliteRuns } from '../store/sqlite-runs.ts';
import { pauseRun } from './pause-run.ts';
import { type ResumeContext, resumeRun } from './resume-run.ts';

let scratch: ScratchStore;
let store: Store;
let runs: SqliteRuns;

/** Decides on the oldest event of each run, as the engine does. */
async function decide(): Promise<void> {
  for (const { run: id, ...one } of await runs.undecided()) {
    const run = await runs.load(id);
    if (run === undefined || !('event' in one)) throw new Error(`there is no ${id}`);
    const { event } = one;
    await runs.commit({ version: run.version, event: event.key, decision: next(run, event, POLICY), wakeAt: null, at: event.at });
  }
}

const context = (supervised = true): ResumeContext => ({
  config: () => Promise.resolve(parseConfig('[repo]\nsource = "/s"\n', 'config.toml')),
  store,
  supervised,
  signal: new AbortController().signal,
  random: { next: () => 0.5, id: randomUUID },
  clock: { now: scratch.clock.now, sleep: decide },
});

beforeEach(async () => {
  scratch = scratchStore();
  store = scratch.open();
  runs = new SqliteRuns(store.database);
  const at = scratch.clock.now();
  await runs.create(newRun('swarm-1', swarmPlan(), { task: 'a clock' }, at), { key: 'begin', at, dice: 0, what: { kind: 'begin' } });
  await decide();
  return () => scratch[Symbol.dispose]();
});

const status = async () => (await runs.load('swarm-1'))?.status;
const run = 'swarm-1';

test('a run is paused and resumed, as often as a person likes', async () => {
  for (let times = 0; times < 3; times += 1) {
    expect(await pauseRun(context(), { run, now: false })).toEqual({ run, taken: true });
    expect(await status()).toBe('paused');
    // Safe to repeat.
    expect(await pauseRun(context(), { run, now: true })).toEqual({ run, taken: true });
    expect(await resumeRun(context(), { run })).toEqual({
      run,
      taken: true,
      again: [],
      skipped: [],
      unverified: [],
      asks: [],
      change: null,
    });
    expect(await status()).toBe('running');
  }
});

test('a second pause ends the time of the first one with now, and changes nothing without', async () => {
  const loaded = await runs.load(run);
  const state = loaded?.steps.research?.state;
  const action = state?.kind === 'acting' ? state.action : '';
  await runs.post(run, { key: 'started', at: scratch.clock.now(), dice: 0, what: { kind: 'started', action } });
  await decide();
  await pauseRun(context(), { run, now: false });
  expect(await pauseRun(context(), { run, now: false })).toEqual({ run, taken: true });
  expect(await status()).toBe('pausing');
  await pauseRun(context(), { run, now: true });
  expect(await status()).toBe('paused');
});

test('without a supervisor both are recorded, in their order', async () => {
  expect(await pauseRun(context(false), { run, now: false })).toEqual({ run, taken: false });
  await decide();
  expect(await resumeRun(context(false), { run })).toMatchObject({ taken: false });
  await expect(resumeRun(context(false), { run })).rejects.toMatchObject({ code: 'ILLEGAL_TRANSITION', hint: 'llmc up --detach' });
  await decide();
  expect(await status()).toBe('running');
});

test('a run that moves is not resumed', async () => {
  await expect(resumeRun(context(), { run })).rejects.toMatchObject({
    code: 'ILLEGAL_TRANSITION',
    message: 'swarm-1 is not paused: it goes on by itself',
    hint: 'llmc show swarm-1',
  });
});

test.each([
  ['was aborted', 'aborted', 'llmc recover swarm-1'],
  ['has failed', 'failed', 'llmc recover swarm-1'],
  ['is done', 'done', 'llmc recover swarm-1 --from land --dry-run'],
])('a run that %s is not resumed: the hint names recover', async (words, ended, hint) => {
  store.database.prepare('UPDATE runs SET status = ?').run(ended);
  const message = `swarm-1 ${words}: nothing more happens in it`;
  await expect(resumeRun(context(), { run })).rejects.toMatchObject({ code: 'ILLEGAL_TRANSITION', message, hint });
  // Another command has nothing to do with it.
  await expect(pauseRun(context(), { run, now: true })).rejects.toMatchObject({ message, hint: 'llmc show swarm-1' });
});

describe('of a paused run', () => {
  beforeEach(async () => {
    await pauseRun(context(), { run, now: true });
  });

  test.each<[object, string]>([
    [{ from: 'research', skipTo: 'develop' }, 'expected one of --from, --restart, --skip-to and --workflow'],
    [{ from: 'reserch' }, 'swarm-1 has no stage "reserch"; did you mean "research"? Its stages are research, develop, review, land'],
    [{ restart: 'zzz/s3' }, 'swarm-1 has no stage "zzz/s3"; its stages are research, develop, review, land'],
    [{ restart: 'develop' }, 'develop has not begun, so it cannot begin again'],
  ])('%j is refused', async (request, message) => {
    await expect(resumeRun(context(), { run, ...request })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message });
    expect(await status()).toBe('paused');
  });

  test('a stage that has begun begins again', async () => {
    expect(await resumeRun(context(), { run, from: 'research' })).toMatchObject({ again: ['research'] });
    expect(await status()).toBe('running');
  });

  test('what has not ended is left out, and a stage that has ended is not skipped to', async () => {
    expect(await resumeRun(context(), { run, skipTo: 'develop' })).toMatchObject({ skipped: ['research'] });
    await pauseRun(context(), { run, now: true });
    await expect(resumeRun(context(), { run, skipTo: 'research' })).rejects.toMatchObject({
      message: 'research has ended, so the run cannot skip to it',
      hint: 'llmc resume swarm-1 --from research',
    });
  });
});
