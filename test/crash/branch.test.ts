import { expect, test } from 'vitest';
import { rowsOfThisRun } from '../support/full-run.ts';
import { leftBehind, TASK } from './story.ts';
import { type CrashWorld, crashWorld, type Fault } from './world.ts';

const BRANCH = 'team/sea';
const ROWS: readonly Fault[] = ['accept:before-branch', 'accept:after-branch'];

const branches = (world: CrashWorld): Promise<string> => world.repo.run(['branch', '--format=%(refname:short)']);

async function expectOnBranchOnce(world: CrashWorld): Promise<void> {
  await world.reaches('adam', 'idle');
  expect(await world.repo.run(['log', '--format=%s', BRANCH])).toBe(`${TASK}\nBegin`);
  expect(await world.repo.run(['log', '--format=%s', 'main'])).toBe('Begin');
  const { worktree_path: at } = world.worker('adam');
  expect(await world.repo.run(['rev-list', '--count', 'origin/main..HEAD'], at)).toBe('0');
  expect(world.rows('SELECT branch, phase, outcome FROM landings')).toEqual([{ branch: BRANCH, phase: 'settled', outcome: 'landed' }]);
  expect(await world.llmc(['rescue', 'list'])).toMatchObject({ status: 0, out: { rescues: [] } });
}

// The steps before and after these are those of a landing on main: accept.test.ts kills there.
test.concurrent.for(rowsOfThisRun(ROWS, (fault) => fault === 'accept:after-branch'))(
  'a supervisor killed at %s lands the commit on its branch once; killed again in the undo, it takes the branch back once',
  async (fault, { signal }) => {
    await using world = await crashWorld(['adam'], signal);
    expect(await world.up(fault)).toMatchObject({ status: 0 });
    await world.must(['start', '--prompt', TASK]);
    await world.reaches('adam', 'needs_review');
    expect(await world.llmc(['accept', 'adam', '--branch', BRANCH])).toMatchObject({ out: { error: { code: 'SUPERVISOR_FAILED' } } });
    await world.supervisorIsGone();
    expect(leftBehind(world)).toEqual({ delivery: 'done', landing: 'prepared' });
    // Another place is refused as long as it may have landed.
    expect(await world.llmc(['accept', 'adam', '--main'])).toMatchObject({ status: 2, out: { error: { code: 'LANDING_REFUSED' } } });

    expect(await world.up('undo:after-side-branch')).toMatchObject({ status: 0 });
    await expectOnBranchOnce(world);

    expect(await world.llmc(['undo'])).toMatchObject({ out: { error: { code: 'SUPERVISOR_FAILED' } } });
    await world.supervisorIsGone();
    expect(await branches(world)).toBe('main');
    expect(world.rows('SELECT phase FROM undos')).toEqual([{ phase: 'intended' }]);

    expect(await world.up()).toMatchObject({ status: 0 });
    await world.reaches('adam', 'needs_review');
    const { worktree_path: at } = world.worker('adam');
    expect(await world.repo.run(['log', '--format=%s', 'origin/main..HEAD'], at)).toBe(TASK);
    expect(world.rows('SELECT phase, outcome FROM undos')).toEqual([{ phase: 'settled', outcome: 'done' }]);
  },
);
