import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rowsOfThisRun } from '../support/full-run.ts';
import { eventNumber, expectFinishedOnce, expectLandedOnce, leftBehind, play, TASK } from './story.ts';
import { crashWorld, type Fault } from './world.ts';

describe('a supervisor killed while it brings a worker up', () => {
  const rows: readonly [Fault, number][] = [
    // The number is the incarnation that the crash leaves on record, which the next supervisor relies on.
    ['launch:before-incarnation', 0],
    ['state:before-journal', 0],
    ['state:after-journal', 0],
    ['state:before-rename', 0],
    ['launch:after-incarnation', 1],
    ['launch:after-session', 1],
    ['event:before-record', 1],
    ['event:after-record', 1],
    ['event:before-record@2', 1],
    ['event:after-record@2', 1],
  ];
  // Changes of the state are killed in state.test.ts, records of events below, and after the session in stand-in.test.ts.
  test.concurrent.for(rowsOfThisRun(rows, ([fault]) => /-incarnation$|^event:after-record$/.test(fault)))(
    'at %s: the next supervisor brings it up, and the task is done once',
    async ([fault, incarnation], { signal }) => {
      await using world = await crashWorld(['adam'], signal);
      expect(await world.up(fault)).toMatchObject({ status: 2, out: { error: { code: 'SUPERVISOR_FAILED' } } });
      await world.supervisorIsGone();
      expect(world.worker('adam').incarnation).toBe(incarnation);

      expect(await world.up()).toMatchObject({ status: 0, out: { workers: [{ worker: 'adam', ready: true }] } });
      await world.must(['start', '--prompt', TASK]);
      await world.reaches('adam', 'needs_review');
      expectFinishedOnce(world, 'adam', TASK);
      await world.must(['accept', 'adam']);
      await expectLandedOnce(world, { adam: TASK });
    },
  );
});

describe('a supervisor killed while the agent works on the task', () => {
  // The agent waits at a gate until the command has its answer. Otherwise one pass could read both begin and end,
  // and the supervisor would die before it answers.
  const scenario = (gate: string) =>
    `turns: [{ steps: [{ run: "until [ -e '${gate}' ]; do sleep 0.1; done" }, { edit: { path: sea.md, content: "Waves\\n" } }, { commit: "{{task}}" }] }]`;
  /** The gate adds one tool call, which is two events. */
  const atTheEnd = eventNumber('stop') + 2;
  const rows: readonly [Fault, boolean][] = [
    [`event:before-record@${atTheEnd}`, false],
    [`event:after-record@${atTheEnd}`, true],
  ];
  test.concurrent.for(rows)('at %s: the next supervisor still notices the end of the turn', async ([fault, recorded], { signal }) => {
    await using world = await crashWorld(['adam'], signal);
    const gate = join(world.repo.dir, 'gate');
    play(world, scenario(gate));
    expect(await world.up(fault)).toMatchObject({ status: 0 });
    await world.must(['start', '--prompt', TASK]);
    writeFileSync(gate, '');
    await world.supervisorIsGone();
    expect(leftBehind(world)).toEqual({ delivery: 'acked', landing: null });
    expect(world.worker('adam').status).toBe('working');
    // Events of one pass are recorded together or not at all, so look for this one and do not count.
    expect(world.rows("SELECT name FROM events WHERE name = 'stop'")).toHaveLength(recorded ? 1 : 0);

    expect(await world.up()).toMatchObject({ status: 0 });
    await world.reaches('adam', 'needs_review');
    expectFinishedOnce(world, 'adam', TASK);
    await world.must(['accept', 'adam']);
    await expectLandedOnce(world, { adam: TASK });
  });
});
