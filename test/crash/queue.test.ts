import { describe, expect, test } from 'vitest';
import { expectFinishedOnce, expectLandedOnce, TASK } from './story.ts';
import { crashWorld, type Fault } from './world.ts';

describe('a supervisor killed while it gives a task of the queue', () => {
  const faults: readonly Fault[] = ['queue:before-give', 'start:before-commit', 'start:after-commit', 'queue:after-give'];
  test.concurrent.for(faults)('at %s: the task is given once', async (fault, { signal }) => {
    await using world = await crashWorld(['adam'], signal);
    expect(await world.up(fault)).toMatchObject({ status: 0 });
    await world.llmc(['start', '--queue', '--prompt', TASK]);
    await world.supervisorIsGone();

    expect(await world.up()).toMatchObject({ status: 0 });
    await world.reaches('adam', 'needs_review');
    expectFinishedOnce(world, 'adam', TASK);
    await world.must(['accept', 'adam']);
    await expectLandedOnce(world, { adam: TASK });
  });
});
