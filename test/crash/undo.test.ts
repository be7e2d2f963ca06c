import { describe, expect, test } from 'vitest';
import { rowsOfThisRun } from '../support/full-run.ts';
import { TASK } from './story.ts';
import { type CrashWorld, crashWorld, type Fault } from './world.ts';

/** The recorded phase of the undo when the process died. */
type Row = readonly [Fault, string | null];

const TAKE_BACK: readonly Row[] = [
  ['undo:before-intent', null],
  ['undo:after-intent', 'intended'],
  ['undo:after-branch', 'intended'],
  ['undo:after-main', 'intended'],
  ['fetch:after-former-main', 'moved'],
  ['undo:before-reset', 'moved'],
  ['undo:after-reset', 'moved'],
  ['undo:after-settle', 'settled'],
];
const REVERT: readonly Row[] = [
  ['undo:after-revert', 'prepared'],
  ['undo:before-land', 'prepared'],
  ['undo:after-land', 'prepared'],
];

/** A supervisor, one accepted task, and an edit of the user in the checkout. */
async function acceptedWork(world: CrashWorld): Promise<{ readonly before: string; readonly conversation: unknown }> {
  expect(await world.up()).toMatchObject({ status: 0 });
  const before = await world.repo.run(['rev-parse', 'main']);
  await world.must(['start', '--prompt', TASK]);
  await world.reaches('adam', 'needs_review');
  await world.must(['accept', 'adam']);
  await world.reaches('adam', 'idle');
  await world.repo.write('README.md', 'an edit of the user\n');
  return { before, conversation: world.worker('adam').conversation_id };
}

const phase = (world: CrashWorld): unknown => world.rows('SELECT phase FROM undos ORDER BY created_ms DESC LIMIT 1')[0]?.phase ?? null;
const subjects = (world: CrashWorld): Promise<string> => world.repo.run(['log', '--format=%s', 'main']);

async function expectTakenBackOnce(world: CrashWorld, { before, conversation }: Awaited<ReturnType<typeof acceptedWork>>): Promise<void> {
  await world.reaches('adam', 'needs_review');
  expect(await world.repo.run(['rev-parse', 'main'])).toBe(before);
  expect(await world.repo.run(['status', '--porcelain'])).toBe('M README.md');
  expect(await world.repo.read('README.md')).toBe('an edit of the user\n');
  const worker = world.worker('adam');
  expect(worker).toMatchObject({ current_prompt: TASK, conversation_id: conversation });
  expect(await world.repo.run(['rev-list', '--count', 'origin/main..HEAD'], worker.worktree_path)).toBe('1');
  expect(world.rows('SELECT phase, outcome FROM undos')).toEqual([{ phase: 'settled', outcome: 'done' }]);
  expect(await world.llmc(['undo'])).toMatchObject({ status: 0, out: { outcome: 'already_undone' } });
}

describe('a supervisor killed while it takes an accept back', () => {
  // src/workers/undo/finish-open-undos.test.ts and src/git/landing/take-back.test.ts finish what is left between these.
  const rows = rowsOfThisRun(TAKE_BACK, ([fault]) => /after-(main|reset)$/.test(fault));
  test.concurrent.for(rows)('at %s: the next one finishes it once', async ([fault, left], { signal }) => {
    await using world = await crashWorld(['adam'], signal);
    const accepted = await acceptedWork(world);
    await world.must(['down']);
    expect(await world.up(fault)).toMatchObject({ status: 0 });
    expect(await world.llmc(['undo'])).toMatchObject({ status: 2, out: { error: { code: 'SUPERVISOR_FAILED' } } });
    await world.supervisorIsGone();
    expect(phase(world)).toBe(left);
    expect(await world.up()).toMatchObject({ status: 0 });
    if (left === null) await world.must(['undo']);
    await expectTakenBackOnce(world, accepted);
    await world.must(['accept', 'adam']);
    await world.reaches('adam', 'idle');
    expect(await subjects(world)).toBe(`${TASK}\nBegin`);
  });
});

describe('an undo without a supervisor, killed', () => {
  const rows = rowsOfThisRun(TAKE_BACK, ([fault]) => fault === 'undo:after-main');
  test.concurrent.for(rows)('at %s: a second undo finishes it once', async ([fault, left], { signal }) => {
    await using world = await crashWorld(['adam'], signal);
    const accepted = await acceptedWork(world);
    await world.must(['down']);
    expect(await world.llmc(['undo'], fault)).toMatchObject({ status: null, signal: 'SIGKILL' });
    expect(phase(world)).toBe(left);
    await world.must(['undo']);
    expect(world.worker('adam')).toMatchObject({ status: 'offline', status_before_offline: 'needs_review' });
    expect(await world.up()).toMatchObject({ status: 0 });
    await expectTakenBackOnce(world, accepted);
  });
});

describe('a supervisor killed while it reverts an accept', () => {
  test.concurrent.for(rowsOfThisRun(REVERT, ([fault]) => fault === 'undo:after-land'))(
    'at %s: the revert lands once',
    async ([fault, left], { signal }) => {
      await using world = await crashWorld(['adam'], signal);
      await acceptedWork(world);
      await world.must(['down']);
      expect(await world.up(fault)).toMatchObject({ status: 0 });
      expect(await world.llmc(['undo', '--revert'])).toMatchObject({ status: 2, out: { error: { code: 'SUPERVISOR_FAILED' } } });
      await world.supervisorIsGone();
      expect(phase(world)).toBe(left);
      expect(await world.up()).toMatchObject({ status: 0 });
      expect(await world.llmc(['undo', '--revert'])).toMatchObject({ status: 0, out: { worker: 'adam', kind: 'revert' } });
      expect(await subjects(world)).toBe(`Revert "${TASK}"\n${TASK}\nBegin`);
      expect(world.rows('SELECT phase, outcome FROM undos')).toEqual([{ phase: 'settled', outcome: 'done' }]);
      expect(world.worker('adam').status).toBe('idle');
    },
  );
});
