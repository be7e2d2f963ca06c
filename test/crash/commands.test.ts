import { describe, expect, test } from 'vitest';
import { rowsOfThisRun } from '../support/full-run.ts';
import { until } from '../support/scratch-tmux.ts';
import { expectLandedOnce, TASK } from './story.ts';
import { type CrashWorld, crashWorld, type Fault } from './world.ts';

const FEEDBACK = 'Mention the waves too';
/** The number of changes that a supervisor makes until the first task waits for review; see state.test.ts. */
const NEXT_CHANGE = 10;

const killed = { status: null, signal: 'SIGKILL' };
const supervisorDied = { status: 2, out: { error: { code: 'SUPERVISOR_FAILED' } } };

async function workForReview(world: CrashWorld, fault?: Fault): Promise<void> {
  expect(await world.up(fault)).toMatchObject({ status: 0 });
  await world.must(['start', '--prompt', TASK, '--wait']);
  // The last change before the next command.
  await until('the size of the work to be measured', async () => world.worker('adam').work_size != null);
}

describe('a command without a supervisor, killed at a change,', () => {
  const adds: readonly [Fault, boolean][] = [
    ['state:before-journal', false],
    ['state:after-journal', true],
    ['state:before-rename', true],
  ];
  // Each change is killed before and after its journal in state.test.ts; here, the later one of each command in each run.
  test.concurrent.for(rowsOfThisRun(adds, ([fault]) => fault === 'state:after-journal'))(
    'add at %s: the worker exists once and does a task',
    async ([fault, done], { signal }) => {
      await using world = await crashWorld([], signal);
      expect(await world.llmc(['add', 'adam'], fault)).toMatchObject(killed);
      const again = await world.llmc(['add', 'adam']);
      if (done) expect(again).toMatchObject({ status: 2, out: { error: { code: 'WORKER_EXISTS' } } });
      else expect(again).toMatchObject({ status: 0 });
      await workForReview(world);
      await world.must(['accept', 'adam']);
      await expectLandedOnce(world, { adam: TASK });
    },
  );

  const nukes: readonly [Fault, boolean][] = [
    ['state:before-journal', false],
    ['state:after-journal', false],
    // The first change records where the work was saved.
    ['state:before-journal@2', false],
    ['state:after-journal@2', true],
  ];
  test.concurrent.for(rowsOfThisRun(nukes, ([fault]) => fault.endsWith('@2')))(
    'nuke at %s: the worker is gone, its work is saved, its name is free',
    async ([fault, done], { signal }) => {
      await using world = await crashWorld(['adam'], signal);
      await workForReview(world);
      await world.must(['down']);
      expect(await world.llmc(['nuke', 'adam'], fault)).toMatchObject(killed);
      const again = await world.llmc(['nuke', 'adam']);
      if (done) expect(again).toMatchObject({ status: 2, out: { error: { code: 'WORKER_NOT_FOUND' } } });
      else expect(again).toMatchObject({ status: 0 });
      // The file may be one change behind until a command opens the root to write.
      expect(await world.llmc(['status'])).toMatchObject({ status: 0, out: { workers: [] } });
      expect(await world.repo.run(['for-each-ref', '--format=%(refname)', 'refs/llmc/rescue/'], world.layout.root)).not.toBe('');
      await world.must(['add', 'adam']);
      expect(await world.up()).toMatchObject({ status: 0, out: { workers: [{ worker: 'adam', ready: true }] } });
    },
  );

  test.concurrent.for(rowsOfThisRun<Fault>(['state:before-journal', 'state:after-journal'], (fault) => fault === 'state:after-journal'))(
    'reset at %s: a second reset leaves the worker idle, with its work saved once',
    async (fault, { signal }) => {
      await using world = await crashWorld(['adam'], signal);
      await workForReview(world);
      await world.must(['down']);
      expect(await world.llmc(['reset', 'adam'], fault)).toMatchObject(killed);
      await world.must(['reset', 'adam']);
      expect(world.worker('adam')).toMatchObject({ status: 'offline', status_before_offline: 'idle', current_prompt: null });
      const saved = await world.repo.run(['for-each-ref', '--format=%(refname)', 'refs/llmc/rescue/'], world.layout.root);
      expect(saved.split('\n')).toHaveLength(1);
    },
  );
});

describe('a supervisor killed', () => {
  const rejects: readonly [Fault, 'goes on' | 'asked again'][] = [
    [`state:before-journal@${NEXT_CHANGE}`, 'asked again'],
    [`state:after-journal@${NEXT_CHANGE}`, 'goes on'],
    ['delivery:after-paste@2', 'goes on'],
    ['delivery:after-enter@2', 'goes on'],
    ['delivery:after-acked-row@2', 'goes on'],
  ];
  // A delivery is killed in each of its states in start.test.ts.
  test.concurrent.for(rowsOfThisRun(rejects, ([fault]) => /^state:before|after-enter/.test(fault)))(
    'while work is rejected, at %s: the feedback arrives once and changes the commit',
    async ([fault, then], { signal }) => {
      await using world = await crashWorld(['adam'], signal);
      await workForReview(world, fault);
      const before = world.worker('adam').commit_sha;
      const reject = ['reject', FEEDBACK, '--worker', 'adam'];
      expect(await world.llmc(reject)).toMatchObject(supervisorDied);
      await world.supervisorIsGone();

      expect(await world.up()).toMatchObject({ status: 0 });
      // The person does not know whether the feedback was stored, and repeats the command.
      const earlier_ms = then === 'asked again' ? null : expect.any(Number);
      expect(await world.llmc(reject)).toMatchObject({ status: 0, out: { earlier_ms } });
      await world.commitChanges('adam', before);
      expect(world.promptsTaken('adam')).toEqual([expect.stringContaining(TASK), expect.stringContaining(FEEDBACK)]);
      expect(world.rows('SELECT purpose, state FROM deliveries ORDER BY seq')).toEqual([
        { purpose: 'task', state: 'done' },
        { purpose: 'feedback', state: 'done' },
      ]);
    },
  );

  const downs: readonly Fault[] = [`state:before-journal@${NEXT_CHANGE}`, `state:after-journal@${NEXT_CHANGE}`];
  test.concurrent.for(rowsOfThisRun(downs, (fault) => fault.startsWith('state:after')))(
    'while it goes down, at %s: the next one finds the work where it was',
    async (fault, { signal }) => {
      await using world = await crashWorld(['adam'], signal);
      await workForReview(world, fault);
      expect(await world.llmc(['down'])).toMatchObject(supervisorDied);
      await world.supervisorIsGone();
      await world.must(['down']);
      expect(world.worker('adam')).toMatchObject({ status: 'offline', status_before_offline: 'needs_review' });
      expect(await world.up()).toMatchObject({ status: 0 });
      await world.must(['accept', 'adam']);
      await expectLandedOnce(world, { adam: TASK });
    },
  );
});
