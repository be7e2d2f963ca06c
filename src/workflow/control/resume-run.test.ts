import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type ScratchStore, scratchStore } from '../../../test/support/scratch-store.ts';
import { interpretConfig } from '../../config/load.ts';
import type { Store } from '../../store/store.ts';
import { readWorkflow } from '../definition/read-workflow.ts';
import { newRun } from '../model/new-run.ts';
import { next } from '../next/next.ts';
import { POLICY } from '../next/samples.ts';
import { SqliteRuns } from '../store/sqlite-runs.ts';
import { pauseRun } from './pause-run.ts';
import { previewResume, type ResumeContext, resumeRun } from './resume-run.ts';

const SWARM = readFileSync(join(import.meta.dirname, '../../../workflows/swarm.yaml'), 'utf8');
const run = 'swarm-1';

let scratch: ScratchStore;
let store: Store;
let runs: SqliteRuns;

/** Decides on the oldest event of each run, as the engine does. */
async function decide(): Promise<void> {
  for (const { run: id, ...one } of await runs.undecided()) {
    const loaded = await runs.load(id);
    if (loaded === undefined || !('event' in one)) throw new Error(`there is no ${id}`);
    const { event } = one;
    await runs.commit({ version: loaded.version, event: event.key, decision: next(loaded, event, POLICY), wakeAt: null, at: event.at });
  }
}

const context = (): ResumeContext => ({
  store,
  supervised: true,
  signal: new AbortController().signal,
  random: { next: () => 0.5, id: randomUUID },
  clock: { now: scratch.clock.now, sleep: decide },
  config: () => Promise.resolve(interpretConfig('[repo]\nsource = "/source"\n', '/root')),
});

beforeEach(async () => {
  scratch = scratchStore();
  store = scratch.open();
  runs = new SqliteRuns(store.database);
  const reading = readWorkflow(SWARM);
  if (reading.kind === 'invalid') throw new Error('swarm.yaml is not valid');
  const at = scratch.clock.now();
  await runs.create(newRun(run, reading.plan, { task: 'a clock' }, at), { key: 'begin', at, dice: 0, what: { kind: 'begin' } });
  await decide();
  await pauseRun(context(), { run, now: true });
  return () => scratch[Symbol.dispose]();
});

const changed = (text: string) => ({ run, workflow: { file: './swarm.yaml', text } });

test('a run goes on with a changed workflow: the plan, its steps and the plan before it are stored in one commit', async () => {
  const text = SWARM.replace('stages:', 'stages:\n  - { id: first, role: researcher, output: answer, prompt: Look around. }');
  const loaded = await runs.load(run);
  if (loaded === undefined) throw new Error('there is no run');
  const preview = await previewResume(loaded, changed(text), {
    agents: () => Promise.resolve(undefined),
    continueWithout: () => Promise.resolve([]),
  });
  expect(preview).toMatchObject({ taken: false, change: { added: ['first'], removed: [] } });
  expect(await resumeRun(context(), changed(text))).toEqual({ ...preview, taken: true });
  const after = await runs.load(run);
  expect(after).toMatchObject({
    status: 'running',
    steps: { first: { state: { kind: 'acting' } }, research: { state: { kind: 'waiting' } } },
  });
  const rows = store.database.prepare('SELECT runs.digest, run_plans.digest AS before FROM runs JOIN run_plans ON run = id').all();
  expect(rows).toEqual([{ digest: after?.plan.digest, before: loaded.plan.digest }]);
});

test('a file with problems is refused with their places, and the run stays paused', async () => {
  await expect(resumeRun(context(), changed(SWARM.replace('land: develop', 'land: developp')))).rejects.toMatchObject({
    code: 'WORKFLOW_INVALID',
    message: './swarm.yaml has a problem, so nothing was changed',
    details: expect.stringContaining('did you mean "develop"?'),
  });
  expect((await runs.load(run))?.status).toBe('paused');
});

test('a file that the run cannot go on with is refused, with everything that stands against it', async () => {
  await expect(resumeRun(context(), changed(SWARM.replace('name: swarm', 'name: other')))).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: expect.stringContaining('the file is the workflow "other", and swarm-1 is a run of "swarm"'),
  });
  await expect(resumeRun(context(), { ...changed(SWARM), from: 'research' })).rejects.toMatchObject({
    message: 'expected one of --from, --restart, --skip-to and --workflow',
  });
});

test('two resumptions at once: one of them goes on, the other says so', async () => {
  const both = await Promise.allSettled([resumeRun(context(), { run }), resumeRun(context(), { run })]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(both.find((one) => one.status === 'rejected')).toMatchObject({
    reason: { code: 'ILLEGAL_TRANSITION', message: 'another command resumes swarm-1 at this moment' },
  });
});
