import { expect, test } from 'vitest';
import { expectFinishedOnce, expectLandedOnce, TASK } from './story.ts';
import { type CrashWorld, crashWorld } from './world.ts';

const replace = (world: CrashWorld, fault?: 'handover:after-asked') => world.llmc(['up', '--replace', '--detach'], fault);

test.concurrent('a supervisor killed at handover:before-answer: the next one comes up by itself, and the task is done once', async ({
  signal,
}) => {
  await using world = await crashWorld(['adam'], signal);
  expect(await world.up('handover:before-answer')).toMatchObject({ status: 0 });
  await world.must(['start', '--prompt', TASK]);
  expect(await replace(world)).toMatchObject({ status: 0, out: { workers: [{ worker: 'adam', ready: true }] } });
  await world.reaches('adam', 'needs_review');
  expectFinishedOnce(world, 'adam', TASK);
  expect(world.worker('adam').incarnation).toBe(1);
});

test.concurrent('a successor killed at handover:after-asked: the next up works, and the task is done once', async ({ signal }) => {
  await using world = await crashWorld(['adam'], signal);
  expect(await world.up()).toMatchObject({ status: 0 });
  await world.must(['start', '--prompt', TASK]);
  expect(await replace(world, 'handover:after-asked')).toMatchObject({ status: 2, out: { error: { code: 'SUPERVISOR_FAILED' } } });
  expect(await world.up()).toMatchObject({ status: 0, out: { workers: [{ worker: 'adam', ready: true }] } });
  await world.reaches('adam', 'needs_review');
  expectFinishedOnce(world, 'adam', TASK);
  expect(world.worker('adam').incarnation).toBe(1);
  await world.must(['accept', 'adam']);
  await expectLandedOnce(world, { adam: TASK });
});
