import { expect, test } from 'vitest';
import { rowsOfThisRun } from '../support/full-run.ts';
import { until } from '../support/scratch-tmux.ts';
import { expectFinishedOnce, expectLandedOnce, TASK } from './story.ts';
import { crashWorld, type Fault } from './world.ts';

/*
 * Every change of a worker goes through the same three points. Counted from the launch, the
 * first two belong to bringing it up (see up.test.ts); the next ones record the task, its prompt typed,
 * sent and acknowledged, the work found, its size, and the four steps of its landing.
 */
const FIRST = 3;
const LAST = 13;
const each = Array.from({ length: LAST - FIRST + 1 }, (_, index) => FIRST + index);
const FAULTS: readonly Fault[] = [
  // start.test.ts and accept.test.ts kill at each of these steps by name, so each run takes every other one.
  ...rowsOfThisRun(each, (nth) => nth % 2 === 1).map((nth): Fault => `state:after-journal@${nth}`),
  ...[7, 9].map((nth): Fault => `state:before-journal@${nth}`),
  // Not every change writes the file.
  ...[4, 6].map((nth): Fault => `state:before-rename@${nth}`),
];

test.concurrent.for(FAULTS)(
  'a supervisor killed at %s: the next one reconciles state and journal, and the task is done once',
  async (fault, { signal }) => {
    await using world = await crashWorld(['adam'], signal);
    // Any of these commands may be the one during which the supervisor dies; that one reports it.
    const steps = [
      ['start', '--prompt', TASK, '--wait'],
      ['accept', 'adam'],
    ];
    let ended = await world.up(fault);
    for (let step = steps.shift(); ended.status === 0 && step !== undefined; step = steps.shift()) ended = await world.llmc(step);
    // The size of the work is recorded after the first command has returned: killed there, the supervisor is gone for the second one, which
    // then does without.
    if (ended.status !== 0) expect(ended).toMatchObject({ status: 2, out: { error: { code: expect.stringMatching(/^SUPERVISOR_/) } } });
    await world.supervisorIsGone();

    expect(await world.up()).toMatchObject({ status: 0 });
    // The new supervisor is already working, and writes the journal a moment before the file.
    await until(
      'one revision in both',
      async () => world.rows('SELECT revision FROM state_journal')[0]?.revision === world.state().revision,
    );
    expect(world.rows('SELECT revision FROM state_journal')).toHaveLength(1);
    // Repeat a command that left no record; the new supervisor finishes every other one.
    if (world.rows('SELECT id FROM deliveries').length === 0) await world.must(['start', '--prompt', TASK]);
    if (world.rows('SELECT id FROM landings').length === 0) {
      await world.reaches('adam', 'needs_review');
      await world.must(['accept', 'adam']);
    }
    await world.reaches('adam', 'idle');
    expectFinishedOnce(world, 'adam', TASK);
    await expectLandedOnce(world, { adam: TASK });
  },
);
