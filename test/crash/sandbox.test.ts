import { appendFileSync } from 'node:fs';
import { expect } from 'vitest';
import { walledTest } from '../support/walled-test.ts';
import { expectFinishedOnce, expectLandedOnce, TASK } from './story.ts';
import { crashWorld, type Fault } from './world.ts';

const FAULT: Fault = 'exchange:before-refs@2';

walledTest(
  'a supervisor killed while it takes a commit out of a sandbox: the agent lives on, and its commit lands once',
  async ({ signal }) => {
    await using world = await crashWorld(['adam'], signal);
    appendFileSync(world.layout.config, '\n[sandbox]\nkind = "bubblewrap"\n');
    // The first exchange belongs to the start of the task, the second to the end of the turn.
    expect(await world.up(FAULT)).toMatchObject({ status: 0 });
    await world.must(['start', '--prompt', TASK]);
    await world.supervisorIsGone();
    const { incarnation } = world.worker('adam');

    expect(await world.up()).toMatchObject({ status: 0 });
    await world.reaches('adam', 'needs_review');
    expectFinishedOnce(world, 'adam', TASK);
    expect(world.worker('adam').incarnation).toBe(incarnation);
    await world.must(['review', 'adam']);
    await world.must(['accept', 'adam']);
    await world.reaches('adam', 'idle');
    await expectLandedOnce(world, { adam: TASK });
  },
);
