import { expect, test } from 'vitest';
import { rowsOfThisRun } from '../support/full-run.ts';
import { eventNumber, leftBehind, NOT_TYPED, TASK } from './story.ts';
import { crashWorld, type Fault } from './world.ts';

/** The old conversation ends, then the new one begins. */
const CLEARED = eventNumber('stop') + 1;
const SECOND = 'Add a line about the wind';

/** llmc clears the conversation of the first task before a second one: one more delivery to be killed in. */
const ROWS: readonly [Fault, unknown][] = [
  ['delivery:after-clear-paste', NOT_TYPED],
  ['delivery:after-clear-enter', NOT_TYPED],
  ['delivery:before-typed-row@2', NOT_TYPED],
  ['delivery:after-typed-row@2', 'typed'],
  ['delivery:after-enter@2', 'submitted'],
  [`event:before-record@${CLEARED}`, NOT_TYPED],
  [`event:after-record@${CLEARED}`, NOT_TYPED],
  [`event:before-record@${CLEARED + 1}`, NOT_TYPED],
  [`event:after-record@${CLEARED + 1}`, NOT_TYPED],
];
// After the conversation is cleared, the steps are those of a first task, where start.test.ts kills in each run. Before that, each run
// kills after the Enter and around the two reports; the others leave the same record.
const IN_EACH_RUN: readonly Fault[] = ['delivery:after-clear-enter', `event:before-record@${CLEARED}`, `event:after-record@${CLEARED + 1}`];
const clearing = rowsOfThisRun(ROWS, ([fault]) => IN_EACH_RUN.includes(fault));

test.concurrent.for(clearing)(
  'a supervisor killed at %s of a second task: both tasks are done once',
  async ([fault, delivery], { signal }) => {
    await using world = await crashWorld(['adam'], signal);
    expect(await world.up(fault)).toMatchObject({ status: 0 });
    await world.must(['start', '--prompt', TASK]);
    await world.reaches('adam', 'needs_review');
    await world.must(['accept', 'adam']);
    expect(await world.llmc(['start', '--prompt', SECOND])).toMatchObject({ status: 2 });
    await world.supervisorIsGone();
    expect(leftBehind(world)).toMatchObject({ delivery });

    expect(await world.up()).toMatchObject({ status: 0 });
    await world.reaches('adam', 'needs_review');
    await world.must(['accept', 'adam']);
    expect(world.promptsTaken('adam').toSorted()).toEqual([expect.stringContaining(TASK), expect.stringContaining(SECOND)]);
    expect((await world.repo.run(['log', '--format=%s', 'main'])).split('\n')).toEqual([SECOND, TASK, 'Begin']);
    expect(world.rows("SELECT id FROM deliveries WHERE state <> 'done'")).toEqual([]);
  },
);
