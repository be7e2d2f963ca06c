import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { walledTest } from '../support/walled-test.ts';
import { expectFinishedOnce, expectLandedOnce, TASK } from './story.ts';
import { crashWorld, type Fault } from './world.ts';

/** The first work to take in is that of the end of the turn: a start has nothing new. */
const FAULT: Fault = 'exchange:before-refs';
const NAME = 'a supervisor killed while it takes a commit in: the agent lives on, and its commit lands once';

async function killed(config: string, signal: AbortSignal): Promise<void> {
  await using world = await crashWorld(['adam'], signal);
  appendFileSync(world.layout.config, config);
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
}

test(NAME, ({ signal }) => killed('', signal));
walledTest(`${NAME}, from a sandbox`, ({ signal }) => killed('\n[sandbox]\nkind = "bubblewrap"\n', signal));
