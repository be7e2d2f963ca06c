import { describe, expect, test } from 'vitest';
import { decideEnd, decideParking } from './decide-limit.ts';
import { LIMIT_POLICY } from './limit-policy.ts';
import { aLimit, aLimitHit, NOON } from './samples.ts';
import type { LimitHit, UsageLimit } from './usage-limit.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** As a CLI names the time, without seconds. */
const WHOLE = NOON - (NOON % MINUTE);
const GUESS = NOON + 5 * MINUTE;
const BY_SCREEN = { event: null };
/** A limit named as a minute, which ended when that minute had passed. */
const YESTERDAY = { named: true, until_ms: WHOLE + HOUR - DAY + MINUTE, ended_ms: WHOLE + HOUR - DAY + MINUTE, ended_event: 8 };
const TODAY = { until: WHOLE + HOUR + MINUTE, named: true };

describe('an agent at its limit, with an account that is not parked', () => {
  test.each<[string, Partial<LimitHit>, Partial<UsageLimit> | undefined, { until: number; named: boolean } | undefined]>([
    ['names the time', { resetsAt: NOON + HOUR }, undefined, { until: NOON + HOUR, named: true }],
    ['names a minute: the end of it', { resetsAt: WHOLE + HOUR }, undefined, { until: WHOLE + HOUR + MINUTE, named: true }],
    ['names the minute that has begun', { resetsAt: WHOLE }, undefined, { until: WHOLE + MINUTE, named: true }],
    ['names no time: five minutes', {}, undefined, { until: GUESS, named: false }],
    ['names a time in the past: treated as no time', { resetsAt: NOON - MINUTE }, undefined, { until: GUESS, named: false }],
    ['names a time that is too far away: treated as no time', { resetsAt: NOON + 9 * DAY }, undefined, { until: GUESS, named: false }],
    ['names next week', { resetsAt: NOON + 7 * DAY }, undefined, { until: NOON + 7 * DAY, named: true }],
    ['shows it on the screen only', { ...BY_SCREEN, resetsAt: NOON + HOUR }, undefined, { until: NOON + HOUR, named: true }],
    ['shows it on the screen only, without a time', BY_SCREEN, undefined, { until: GUESS, named: false }],
    ['shows a limit that is over, on an unchanged screen', { ...BY_SCREEN, resetsAt: NOON - MINUTE }, undefined, undefined],
    ['reported it long ago, and it is over', { at: NOON - DAY, resetsAt: NOON - HOUR }, undefined, undefined],
    ['reported it long ago, without a time', { at: NOON - HOUR }, undefined, undefined],
    ['reported it before the last limit ended', { event: 8 }, { ended_ms: NOON - 1, ended_event: 8 }, undefined],
    ['reported it after the last limit ended', { event: 9 }, { ended_ms: NOON - 1, ended_event: 8 }, { until: GUESS, named: false }],
    ['has shown it since before the last limit ended', { ...BY_SCREEN, at: NOON - 2 }, { ended_ms: NOON - 1 }, undefined],
    ['has shown it since the last limit ended', BY_SCREEN, { ended_ms: NOON - 1 }, { until: GUESS, named: false }],
    ['shows the limit of yesterday, after a restart', { ...BY_SCREEN, resetsAt: WHOLE + HOUR }, YESTERDAY, undefined],
    [
      'shows the limit of last week, which an agent named to the second',
      { ...BY_SCREEN, resetsAt: WHOLE + HOUR },
      { ...YESTERDAY, until_ms: WHOLE + HOUR - 7 * DAY + 20_000 },
      undefined,
    ],
    ['shows that time of day again, after a new prompt', { ...BY_SCREEN, resetsAt: WHOLE + HOUR, prompt: 9 }, YESTERDAY, TODAY],
    ['reports that time of day again', { event: 9, resetsAt: WHOLE + HOUR }, YESTERDAY, TODAY],
    [
      'shows another time of day',
      { ...BY_SCREEN, resetsAt: WHOLE + 2 * HOUR },
      YESTERDAY,
      { until: WHOLE + 2 * HOUR + MINUTE, named: true },
    ],
    ['shows the same time as a guess', { ...BY_SCREEN, resetsAt: WHOLE + HOUR }, { ...YESTERDAY, named: false }, TODAY],
    [
      'shows the same time that a person lifted',
      { ...BY_SCREEN, resetsAt: WHOLE + HOUR },
      { ...YESTERDAY, until_ms: TODAY.until, ended_ms: NOON - HOUR },
      TODAY,
    ],
    ['reported it in the future, because the clock was set back', { at: NOON + DAY }, undefined, { until: GUESS, named: false }],
  ])('%s', (_, hit, known, expected) => {
    const step = decideParking(aLimitHit(hit), known && aLimit(known), LIMIT_POLICY, NOON);
    expect(step).toMatchObject(expected === undefined ? { kind: 'nothing' } : { kind: 'park', ...expected });
    expect(step.why).not.toBe('');
  });
});

describe('an agent at its limit, with a parked account', () => {
  const known = (changes: Partial<UsageLimit>) => aLimit({ until_ms: GUESS, ...changes });

  test.each<[string, Partial<LimitHit>, Partial<UsageLimit>, Partial<UsageLimit> | undefined]>([
    ['is the limit the account is parked for', { event: 7 }, {}, undefined],
    ['is one more report', { event: 8, at: NOON - MINUTE }, {}, { event: 8 }],
    ['reaches it later: the guess begins again', { event: 8, at: NOON }, { until_ms: GUESS - 1 }, { until_ms: GUESS, named: false }],
    ['names the time, which was a guess before', { resetsAt: NOON + MINUTE }, {}, { until_ms: NOON + MINUTE, named: true }],
    ['names no time, which is known already', {}, { named: true, until_ms: NOON + MINUTE }, { event: 8 }],
    ['names a later time', { resetsAt: NOON + DAY }, { named: true, until_ms: NOON + HOUR }, { until_ms: NOON + DAY }],
    ['names an earlier time', { resetsAt: NOON + HOUR }, { named: true, until_ms: NOON + DAY }, { event: 8 }],
    ['only shows it on the screen', BY_SCREEN, {}, undefined],
    ['shows a later time', { ...BY_SCREEN, resetsAt: NOON + HOUR }, {}, { until_ms: NOON + HOUR, named: true, event: 7 }],
    ['turns out to continue by itself', { event: 7, continuesByItself: true }, {}, { continues_by_itself: true }],
    ['is known to continue by itself', { event: 7, continuesByItself: true }, { continues_by_itself: true }, undefined],
  ])('%s', (_, hit, limit, fields) => {
    const step = decideParking(aLimitHit(hit), known(limit), LIMIT_POLICY, NOON);
    expect(step).toMatchObject(fields === undefined ? { kind: 'nothing' } : { kind: 'change', fields });
  });

  test('is counted once, however often it is observed', () => {
    for (const hit of [aLimitHit(), aLimitHit({ resetsAt: NOON + HOUR }), aLimitHit({ at: NOON + DAY }), aLimitHit(BY_SCREEN)]) {
      const first = decideParking(hit, known({ event: 0 }), LIMIT_POLICY, NOON);
      const after = known({ event: 0, ...(first.kind === 'change' && first.fields) });
      expect(decideParking(hit, after, LIMIT_POLICY, NOON + MINUTE)).toMatchObject({ kind: 'nothing' });
    }
  });
});

describe('a parked account', () => {
  test.each<[string, Partial<UsageLimit>, object]>([
    ['waits', { until_ms: NOON + 1 }, { kind: 'nothing' }],
    ['continues when the time has come', { until_ms: NOON }, { kind: 'end' }],
    ['continues when the machine slept past the time', { until_ms: NOON - DAY }, { kind: 'end' }],
    ['has continued already', { until_ms: NOON - DAY, ended_ms: NOON - HOUR }, { kind: 'nothing' }],
    ['waits a week for a time that was named', { until_ms: NOON + 7 * DAY, named: true }, { kind: 'nothing' }],
    [
      'does not wait for years after the clock was set back',
      { until_ms: NOON + 900 * DAY, named: true },
      { kind: 'shorten', until: GUESS },
    ],
    ['does not wait for hours for a guess', { until_ms: NOON + HOUR }, { kind: 'shorten', until: GUESS }],
  ])('%s', (_, limit, step) => {
    expect(decideEnd(aLimit(limit), LIMIT_POLICY, NOON)).toMatchObject(step);
  });
});
