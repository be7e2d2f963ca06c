import { describe, expect, test } from 'vitest';
import { admit, afterFailure, afterSuccess, type Breaker, CLOSED } from './decide-breaker.ts';

const NOON = 1_800_000_000_000;
const MINUTE = 60_000;
const POLICY = { failures: 3, retryAfterMs: 30 * MINUTE };
const closed = (failures: number): Breaker => ({ kind: 'closed', failures });
const open = (failures = 3, until = NOON + 30 * MINUTE): Breaker => ({ kind: 'open', failures, until });
const trial = (who: string, failures = 3): Breaker => ({ kind: 'half_open', failures, trial: who });

describe('a failure', () => {
  test.each<[string, Breaker, Breaker]>([
    ['is counted', closed(0), closed(1)],
    ['below the threshold leaves it closed', closed(1), closed(2)],
    ['at the threshold opens it', closed(2), open()],
    ['of a step that began before it opened does not prolong the wait', open(3, NOON + 5), open(4, NOON + 5)],
    ['of the one try opens it again, for the whole wait', trial('s1'), open(4)],
    ['of another one leaves the one try', trial('s2'), trial('s2', 4)],
  ])('%s', (_, before, after) => {
    expect(afterFailure(before, 's1', POLICY, NOON)).toEqual(after);
  });

  test('alone opens it with a threshold of one', () => {
    expect(afterFailure(CLOSED, 's1', { ...POLICY, failures: 1 }, NOON)).toEqual(open(1));
  });
});

describe('a success', () => {
  test.each<[string, Breaker, Breaker]>([
    ['ends a row of failures', closed(2), CLOSED],
    ['of a step that began before it opened leaves it open', open(), open()],
    ['of the one try closes it', trial('s1'), CLOSED],
    ['of another one leaves the one try', trial('s2'), trial('s2')],
  ])('%s', (_, before, after) => {
    expect(afterSuccess(before, 's1')).toEqual(after);
  });
});

describe('a try', () => {
  const never = () => false;
  test.each<[string, Breaker, number, boolean, Breaker]>([
    ['passes a closed one', closed(2), NOON, true, closed(2)],
    ['does not pass an open one', open(), NOON + 30 * MINUTE - 1, false, open()],
    ['is the one after the wait', open(), NOON + 30 * MINUTE, true, trial('s1')],
    ['may go on as the one', trial('s1'), NOON, true, trial('s1')],
    ['waits for the one of another', trial('s2'), NOON, false, trial('s2')],
  ])('%s', (_, before, now, admitted, breaker) => {
    expect(admit(before, 's1', now, never)).toEqual({ admitted, breaker });
  });

  test('takes the place of one that is gone', () => {
    expect(admit(trial('s2'), 's1', NOON, (who) => who === 's2')).toEqual({ admitted: true, breaker: trial('s1') });
  });

  test('is let through once, whichever step asks', () => {
    let breaker = open();
    const admitted = ['a', 'b', 'c', 'a', 'b'].filter((who) => {
      const answer = admit(breaker, who, NOON + 31 * MINUTE, never);
      breaker = answer.breaker;
      return answer.admitted;
    });
    expect(new Set(admitted)).toEqual(new Set(['a']));
  });
});
