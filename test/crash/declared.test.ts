import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { declaredTwin } from '../support/declared-twin.ts';
import { rowsOfThisRun } from '../support/full-run.ts';
import { expectLandedOnce, leftBehind, NOT_TYPED, TASK } from './story.ts';
import { type CrashWorld, crashWorld, type Fault } from './world.ts';

const NEXT = 'Add a line about the wind';

/** A worker whose agent reports nothing: after a crash only the screen shows how far the delivery went. */
async function silentWorld(signal: AbortSignal): Promise<CrashWorld> {
  const world = await crashWorld(['adam'], signal);
  const { config } = world.layout;
  const text = readFileSync(config, 'utf8').replace('\n[workers.adam]\n', (table) => `${table}agent = "twin"\n`);
  writeFileSync(config, text);
  appendFileSync(config, `\n${declaredTwin('twin', [])}`);
  return world;
}

const died = { status: 2, out: { error: { code: 'SUPERVISOR_FAILED' } } };

describe('a supervisor killed while its agent reports nothing', () => {
  const rows: readonly [Fault, unknown][] = [
    ['start:after-commit', 'queued'],
    ['delivery:before-typed-row', NOT_TYPED],
    ['delivery:after-typed-row', 'typed'],
    ['delivery:after-paste', 'typed'],
    ['delivery:after-submitted-row', 'submitted'],
    ['delivery:after-enter', 'submitted'],
    ['delivery:before-acked-row', 'submitted'],
    ['delivery:after-acked-row', 'acked'],
  ];
  // Only the evidence for each state of the prompt differs from an agent that reports: each run kills once per state.
  const states = rowsOfThisRun(rows, ([fault]) => /after-(paste|enter|acked-row)$/.test(fault));
  test.concurrent.for(states)('at %s: the task is delivered once', async ([fault, delivery], { signal }) => {
    await using world = await silentWorld(signal);
    expect(await world.up(fault)).toMatchObject({ status: 0 });
    expect(await world.llmc(['start', '--prompt', TASK])).toMatchObject(died);
    await world.supervisorIsGone();
    expect(leftBehind(world)).toEqual({ delivery, landing: null });

    expect(await world.up()).toMatchObject({ status: 0 });
    await world.reaches('adam', 'needs_review');
    expect(world.promptsTaken('adam')).toEqual([expect.stringContaining(TASK)]);
    expect(world.rows('SELECT name FROM events')).toEqual([]);
    expect(world.rows('SELECT state, ack_source, purpose FROM deliveries')).toEqual([
      { state: 'done', ack_source: 'screen', purpose: 'task' },
    ]);
    await world.must(['accept', 'adam']);
    await expectLandedOnce(world, { adam: TASK });
  });

  const launches: readonly Fault[] = ['launch:before-incarnation@2', 'launch:after-incarnation@2', 'launch:after-session@2'];
  // up.test.ts kills at each point of a launch in each run.
  test.concurrent.for(rowsOfThisRun(launches, (fault) => fault === 'launch:after-incarnation@2'))(
    'at %s, while a new launch prepares a new task: the task is delivered once, in a new conversation',
    async (fault, { signal }) => {
      await using world = await silentWorld(signal);
      expect(await world.up(fault)).toMatchObject({ status: 0 });
      await world.must(['start', '--prompt', TASK]);
      await world.reaches('adam', 'needs_review');
      await world.must(['accept', 'adam']);
      const before = world.worker('adam').conversation_id;
      expect(await world.llmc(['start', '--prompt', NEXT])).toMatchObject(died);
      await world.supervisorIsGone();

      expect(await world.up()).toMatchObject({ status: 0 });
      await world.reaches('adam', 'needs_review');
      expect(world.promptsTaken('adam').toSorted()).toEqual([expect.stringContaining(TASK), expect.stringContaining(NEXT)]);
      expect(world.worker('adam').conversation_id).not.toBe(before);
      expect(world.rows('SELECT state, attempt FROM deliveries')).toEqual(Array(2).fill({ state: 'done', attempt: 1 }));
    },
  );
});
