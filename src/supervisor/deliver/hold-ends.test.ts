import { describe, expect, test } from 'vitest';
import type { HoldReason } from '../../store/tables/delivery-reason.ts';
import { aConfig } from '../../workers/samples.ts';
import type { WaitingTime } from '../observe/watch.ts';
import { addWaiting, ENDS, findObstacle, isOverdue as isOver } from './hold-ends.ts';

const MINUTE_MS = 60_000;
const TIMES = aConfig().recovery;
const MENU: HoldReason = { kind: 'something_open', what: 'menu', title: 'Settings', key: 'Esc' };
const TYPING: HoldReason = { kind: 'person_typing' };
const HELD = Object.entries(ENDS).flatMap(([kind, end]) =>
  typeof end === 'string' ? [] : [{ kind, ...end, tellAfterMs: TIMES[end.time] * 1_000 }],
);

const isOverdue = (time: WaitingTime, reason: HoldReason, extraMs: number) => isOver(time, reason, TIMES, extraMs);

describe('the time of a hold', () => {
  /** Passes every half second, each with the reason of its time. */
  const waited = (forMs: number, reasonAt: (at: number) => HoldReason, progressAt: (at: number) => number = () => 0) => {
    let time: WaitingTime | undefined;
    for (let at = 0; at <= forMs; at += 500) time = addWaiting(time, 'd-1', reasonAt(at), progressAt(at), at);
    return time ?? { delivery: 'd-1', at: 0, spentMs: {} };
  };

  test.each(HELD)('$kind is owned by the $owner and ends within $tellAfterMs ms', ({ tellAfterMs }) => {
    expect(tellAfterMs).toBeGreaterThanOrEqual(MINUTE_MS);
    expect(tellAfterMs).toBeLessThanOrEqual(60 * MINUTE_MS);
  });

  test('is over after its time, and not before', () => {
    expect(
      isOverdue(
        waited(59_500, () => MENU),
        MENU,
        0,
      ),
    ).toBe(false);
    expect(
      isOverdue(
        waited(60_000, () => MENU),
        MENU,
        0,
      ),
    ).toBe(true);
  });

  test('goes on where it was when reasons take turns', () => {
    const turns = waited(120_500, (at) => (at % 1_000 === 0 ? MENU : TYPING));
    expect(isOverdue(turns, MENU, 0)).toBe(true);
    expect(isOverdue(turns, TYPING, 0)).toBe(false);
  });

  test('begins again with the next prompt', () => {
    const next = addWaiting(
      waited(60_000, () => MENU),
      'd-2',
      MENU,
      0,
      60_500,
    );
    expect(isOverdue(next, MENU, 0)).toBe(false);
  });

  test('does not run while the agent makes progress, or before a limit resets', () => {
    const busy: HoldReason = { kind: 'busy' };
    expect(
      isOverdue(
        waited(
          3 * 60 * MINUTE_MS,
          () => busy,
          (at) => at - MINUTE_MS,
        ),
        busy,
        0,
      ),
    ).toBe(false);
    expect(
      isOverdue(
        waited(61 * MINUTE_MS, () => busy),
        busy,
        0,
      ),
    ).toBe(true);
    const limit: HoldReason = { kind: 'usage_limit', account: 'a', wait: { phase: 'until_reset', until_ms: 60 * MINUTE_MS } };
    expect(
      isOverdue(
        waited(89 * MINUTE_MS, () => limit),
        limit,
        0,
      ),
    ).toBe(false);
    expect(
      isOverdue(
        waited(91 * MINUTE_MS, () => limit),
        limit,
        0,
      ),
    ).toBe(true);
  });

  test('does not run before a failed turn is to be continued', () => {
    const failed: HoldReason = { kind: 'behind_failed_turn', until_ms: 30 * MINUTE_MS };
    const overdueAfter = (minutes: number) =>
      isOverdue(
        waited(minutes * MINUTE_MS, () => failed),
        failed,
        0,
      );
    expect([34, 36].map(overdueAfter)).toEqual([false, true]);
  });

  test('does not run while the machine is suspended', () => {
    const before = addWaiting(undefined, 'd-1', MENU, 0, 0);
    expect(isOverdue(addWaiting(before, 'd-1', MENU, 0, 8 * 60 * MINUTE_MS), MENU, 0)).toBe(false);
  });

  test('is longer for an agent that may be slow to react', () => {
    const none: HoldReason = { kind: 'no_reaction' };
    expect(
      isOverdue(
        waited(60_000, () => none),
        none,
        1,
      ),
    ).toBe(false);
    expect(
      isOverdue(
        waited(60_500, () => none),
        none,
        500,
      ),
    ).toBe(true);
  });
});

test.each<[Parameters<typeof findObstacle>[0], HoldReason | undefined]>([
  [{ kind: 'hold', reason: TYPING, why: 'a person types' }, TYPING],
  [{ kind: 'wait', why: 'a menu is open', holds: MENU }, MENU],
  [{ kind: 'wait', why: 'waiting for the acknowledgement' }, { kind: 'no_reaction' }],
  [{ kind: 'ack', event: null, source: 'transcript', why: 'its transcript holds it' }, undefined],
  [{ kind: 'fail', reason: { kind: 'not_accepted', attempts: 3 }, why: 'it never took it' }, undefined],
  [{ kind: 'type' }, { kind: 'no_reaction' }],
])('after the step %j the prompt is kept by %j', (step, obstacle) => {
  expect(findObstacle(step)).toEqual(obstacle);
});
