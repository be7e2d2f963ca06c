import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rowsOfThisRun } from '../support/full-run.ts';
import { until } from '../support/scratch-tmux.ts';
import { expectFinishedOnce, expectLandedOnce, leftBehind, TASK } from './story.ts';
import { type CrashWorld, crashWorld, type Fault } from './world.ts';

/** The recorded phase of the landing when the process died. */
const ROWS: readonly [Fault, string | null][] = [
  ['accept:before-intent', null],
  ['accept:after-intent', 'intended'],
  ['accept:after-rebase', 'intended'],
  ['accept:after-squash', 'prepared'],
  ['accept:before-land', 'prepared'],
  ['accept:after-land', 'prepared'],
  ['accept:before-reset', 'landed'],
  ['accept:after-reset', 'landed'],
];

async function workForReview(world: CrashWorld, fault?: Fault): Promise<void> {
  expect(await world.up(fault)).toMatchObject({ status: 0 });
  await world.must(['start', '--prompt', TASK]);
  await world.reaches('adam', 'needs_review');
  expectFinishedOnce(world, 'adam', TASK);
}

describe('a supervisor killed while it lands a commit', () => {
  // A kill between two of these leaves the same record, and the rows of an accept without a supervisor below have the rest.
  const rows = rowsOfThisRun(ROWS, ([fault]) => /after-(rebase|squash|land)$|before-(intent|reset)$/.test(fault));
  test.concurrent.for(rows)('at %s: the commit lands once', async ([fault, landing], { signal }) => {
    await using world = await crashWorld(['adam'], signal);
    await workForReview(world, fault);
    const { incarnation } = world.worker('adam');
    expect(await world.llmc(['accept', 'adam'])).toMatchObject({ status: 2, out: { error: { code: 'SUPERVISOR_FAILED' } } });
    await world.supervisorIsGone();
    expect(leftBehind(world)).toEqual({ delivery: 'done', landing });

    expect(await world.up()).toMatchObject({ status: 0 });
    if (landing === null) await world.must(['accept', 'adam']);
    await world.reaches('adam', 'idle');
    await expectLandedOnce(world, { adam: TASK });
    expect(world.worker('adam').incarnation).toBe(incarnation);
  });
});

describe('an accept without a supervisor, killed', () => {
  // The steps are the same as under a supervisor, above, so each run kills at one per phase.
  const phases = rowsOfThisRun(ROWS, ([fault]) => /after-(intent|land|reset)$/.test(fault));
  test.concurrent.for(phases)('at %s: up finishes the landing once', async ([fault, landing], { signal }) => {
    await using world = await crashWorld(['adam'], signal);
    await workForReview(world);
    await world.must(['down']);
    expect(await world.llmc(['accept', 'adam'], fault)).toMatchObject({ status: null, signal: 'SIGKILL' });
    expect(leftBehind(world)).toEqual({ delivery: 'done', landing });

    expect(await world.up()).toMatchObject({ status: 0 });
    if (landing === null) await world.must(['accept', 'adam']);
    await world.reaches('adam', 'idle');
    await expectLandedOnce(world, { adam: TASK });
  });

  test.concurrent('at accept:after-intent, when it cannot be finished: work that came back unchanged after feedback is still known as such', async ({
    signal,
  }) => {
    await using world = await crashWorld(['adam'], signal);
    const ready = join(world.repo.dir, 'ready');
    const config = readFileSync(world.layout.config, 'utf8');
    writeFileSync(
      world.layout.config,
      config.replace('[repo]\n', (heading) => `${heading}validate = [${JSON.stringify(`test -f '${ready}'`)}]\n`),
    );
    await workForReview(world);
    await world.must(['review', 'adam']);
    await world.must(['reject', 'Change no files and commit nothing', '--worker', 'adam']);
    await until('the same work to come back', async () => world.worker('adam').came_back_unchanged, 120_000);
    await world.must(['down']);
    expect(await world.llmc(['accept', 'adam'], 'accept:after-intent')).toMatchObject({ status: null, signal: 'SIGKILL' });

    expect(await world.up()).toMatchObject({ status: 0 });
    await until('the end of the landing', async () => world.worker('adam').attention?.kind === 'not_landed', 120_000);
    writeFileSync(ready, '');
    const left = [{ worker: 'adam', code: 'WORK_NOT_REVIEWED', message: 'adam left its commit unchanged after your feedback' }];
    expect(await world.llmc(['accept', '--all-clean'])).toMatchObject({ status: 2, out: { accepted: [], left } });
    await world.must(['accept', 'adam']);
    await world.reaches('adam', 'idle');
    expect(world.worker('adam').came_back_unchanged).toBe(false);
  });

  const far = rowsOfThisRun(
    ROWS.filter(([fault]) => /after-(intent|squash|land|reset)$/.test(fault)),
    ([fault]) => /after-squash$/.test(fault),
  );
  test.concurrent.for(far)('at %s: a second accept finishes the landing once', async ([fault, landing], { signal }) => {
    await using world = await crashWorld(['adam'], signal);
    await workForReview(world);
    await world.must(['down']);
    expect(await world.llmc(['accept', 'adam'], fault)).toMatchObject({ status: null, signal: 'SIGKILL' });
    expect(leftBehind(world)).toEqual({ delivery: 'done', landing });

    expect(await world.llmc(['accept', 'adam'])).toMatchObject({ status: 0, out: { worker: 'adam', subject: TASK } });
    expect(world.worker('adam')).toMatchObject({ status: 'offline', status_before_offline: 'idle' });
    await expectLandedOnce(world, { adam: TASK });
  });
});
