import { describe, expect, test } from 'vitest';
import { rowsOfThisRun } from '../support/full-run.ts';
import { eventNumber, expectFinishedOnce, expectLandedOnce, leftBehind, NOT_TYPED, TASK } from './story.ts';
import { crashWorld, type Fault } from './world.ts';

const failed = { status: 2, out: { error: { code: 'SUPERVISOR_FAILED', hint: expect.stringContaining('llmc') } } };

describe('a supervisor killed while it delivers a task', () => {
  const rows: readonly [Fault, unknown, 'goes on' | 'asked again'][] = [
    ['start:before-commit', null, 'asked again'],
    ['start:after-commit', 'queued', 'goes on'],
    ['delivery:before-typed-row', NOT_TYPED, 'goes on'],
    ['delivery:after-typed-row', 'typed', 'goes on'],
    ['delivery:after-paste', 'typed', 'goes on'],
    ['delivery:after-submitted-row', 'submitted', 'goes on'],
    ['delivery:after-enter', 'submitted', 'goes on'],
    ['delivery:before-acked-row', 'submitted', 'goes on'],
    ['delivery:after-acked-row', 'acked', 'goes on'],
    [`event:before-record@${eventNumber('prompt_submit')}`, 'submitted', 'goes on'],
    [`event:after-record@${eventNumber('prompt_submit')}`, 'submitted', 'goes on'],
  ];
  // One of each state of the delivery in each run.
  const states = rowsOfThisRun(rows, ([fault]) => !/before-(typed|acked)-row|after-submitted-row|^event:/.test(fault));
  test.concurrent.for(states)('at %s: the task is delivered once', async ([fault, delivery, then], { signal }) => {
    await using world = await crashWorld(['adam'], signal);
    expect(await world.up(fault)).toMatchObject({ status: 0 });
    expect(await world.llmc(['start', '--prompt', TASK])).toMatchObject(failed);
    await world.supervisorIsGone();
    expect(leftBehind(world)).toEqual({ delivery, landing: null });

    expect(await world.up()).toMatchObject({ status: 0 });
    if (then === 'asked again') {
      expect(world.worker('adam')).toMatchObject({ status: 'idle', current_prompt: null });
      await world.must(['start', '--prompt', TASK]);
    }
    await world.reaches('adam', 'needs_review');
    expectFinishedOnce(world, 'adam', TASK);
    await world.must(['accept', 'adam']);
    await expectLandedOnce(world, { adam: TASK });
  });
});
