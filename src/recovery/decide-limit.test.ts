import { describe, expect, test } from 'vitest';
import { decideEnd, decideParking } from './decide-limit.ts';
import { aLimit, aLimitHit, NOON } from './samples.ts';
import { LIMIT_POLICY, type LimitHit, type UsageLimit } from './usage-limit.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** As a CLI names it, without seconds. */
const WHOLE = NOON - (NOON % MINUTE);
const GUESS = NOON + 5 * MINUTE;
const BY_SCREEN = { event: null };
/** Named as a minute, waited for to its end, over when that came. */
const YESTERDAY = { named: true, until_ms: WHOLE + HOUR - DAY + MINUTE, ended_ms: WHOLE + HOUR - DAY + MINUTE, ended_event: 8 };
const TODAY = { until: WHOLE + HOUR + MINUTE, named: true };

describe('an agent at its limit, its account at work', () => {
  test.each<[string, Partial<LimitHit>, Partial<UsageLimit> | undefined, { until: number; named: boolean } | undefined]>([
    ['names the time', { resetsAt: NOON + HOUR }, undefined, { until: NOON + HOUR, named: true }],
    ['names a minute: the end of it', { resetsAt: WHOLE + HOUR }, undefined, { until: WHOLE + HOUR + MINUTE, named: true }],
    ['names the minute that has begun', { resetsAt: WHOLE }, undefined, { until: WHOLE + MINUTE, named: true }],
    ['names none: five minutes', {}, undefined, { until: GUESS, named: false }],
    ['names one that is over: as good as none', { resetsAt: NOON - MINUTE }, undefined, { until: GUESS, named: false }],
    ['names one no limit is long enough for: as good as none', { resetsAt: NOON + 9 * DAY }, undefined, { until: GUESS, named: false }],
    ['names next week', { resetsAt: NOON + 7 * DAY }, undefined, { until: NOON + 7 * DAY, named: true }],
    ['is seen on its screen only', { ...BY_SCREEN, resetsAt: NOON + HOUR }, undefined, { until: NOON + HOUR, named: true }],
    ['is seen on its screen only, without a time', BY_SCREEN, undefined, { until: GUESS, named: false }],
    ['shows one that is over, on a screen nobody has drawn since', { ...BY_SCREEN, resetsAt: NOON - MINUTE }, undefined, undefined],
    ['reported it long ago, and it is over', { at: NOON - DAY, resetsAt: NOON - HOUR }, undefined, undefined],
    ['reported it long ago, without a time', { at: NOON - HOUR }, undefined, undefined],
    ['reported it before the last one ended', { event: 8 }, { ended_ms: NOON - 1, ended_event: 8 }, undefined],
    ['reported it after the last one ended', { event: 9 }, { ended_ms: NOON - 1, ended_event: 8 }, { until: GUESS, named: false }],
    ['has shown it since before that', { ...BY_SCREEN, at: NOON - 2 }, { ended_ms: NOON - 1 }, undefined],
    ['shows it since', BY_SCREEN, { ended_ms: NOON - 1 }, { until: GUESS, named: false }],
    ['shows that of yesterday, after a restart', { ...BY_SCREEN, resetsAt: WHOLE + HOUR }, YESTERDAY, undefined],
    [
      'shows that of last week, which an agent named to the second',
      { ...BY_SCREEN, resetsAt: WHOLE + HOUR },
      { ...YESTERDAY, until_ms: WHOLE + HOUR - 7 * DAY + 20_000 },
      undefined,
    ],
    ['shows that time of day once more, given a prompt since', { ...BY_SCREEN, resetsAt: WHOLE + HOUR, prompt: 9 }, YESTERDAY, TODAY],
    ['reports that time of day once more', { event: 9, resetsAt: WHOLE + HOUR }, YESTERDAY, TODAY],
    [
      'shows another time of day',
      { ...BY_SCREEN, resetsAt: WHOLE + 2 * HOUR },
      YESTERDAY,
      { until: WHOLE + 2 * HOUR + MINUTE, named: true },
    ],
    ['shows the time of a guess', { ...BY_SCREEN, resetsAt: WHOLE + HOUR }, { ...YESTERDAY, named: false }, TODAY],
    [
      'shows the very time that a person would not wait for',
      { ...BY_SCREEN, resetsAt: WHOLE + HOUR },
      { ...YESTERDAY, until_ms: TODAY.until, ended_ms: NOON - HOUR },
      TODAY,
    ],
    ['reported it tomorrow, by a clock that was set back', { at: NOON + DAY }, undefined, { until: GUESS, named: false }],
  ])('%s', (_, hit, known, expected) => {
    const step = decideParking(aLimitHit(hit), known && aLimit(known), LIMIT_POLICY, NOON);
    expect(step).toMatchObject(expected === undefined ? { kind: 'nothing' } : { kind: 'park', ...expected });
    expect(step.why).not.toBe('');
  });
});

describe('an agent at its limit, its account at rest', () => {
  const known = (changes: Partial<UsageLimit>) => aLimit({ until_ms: GUESS, ...changes });

  test.each<[string, Partial<LimitHit>, Partial<UsageLimit>, Partial<UsageLimit> | undefined]>([
    ['is the one it rests for', { event: 7 }, {}, undefined],
    ['is one more', { event: 8, at: NOON - MINUTE }, {}, { event: 8 }],
    ['reaches it later: the guess begins anew', { event: 8, at: NOON }, { until_ms: GUESS - 1 }, { until_ms: GUESS, named: false }],
    ['knows the time, which was guessed', { resetsAt: NOON + MINUTE }, {}, { until_ms: NOON + MINUTE, named: true }],
    ['knows none, which is known', {}, { named: true, until_ms: NOON + MINUTE }, { event: 8 }],
    ['names a later one', { resetsAt: NOON + DAY }, { named: true, until_ms: NOON + HOUR }, { until_ms: NOON + DAY }],
    ['names an earlier one', { resetsAt: NOON + HOUR }, { named: true, until_ms: NOON + DAY }, { event: 8 }],
    ['only shows it', BY_SCREEN, {}, undefined],
    ['shows a later one', { ...BY_SCREEN, resetsAt: NOON + HOUR }, {}, { until_ms: NOON + HOUR, named: true, event: 7 }],
    ['turns out to go on by itself', { event: 7, continuesByItself: true }, {}, { continues_by_itself: true }],
    ['is known to do so', { event: 7, continuesByItself: true }, { continues_by_itself: true }, undefined],
  ])('%s', (_, hit, limit, fields) => {
    const step = decideParking(aLimitHit(hit), known(limit), LIMIT_POLICY, NOON);
    expect(step).toMatchObject(fields === undefined ? { kind: 'nothing' } : { kind: 'change', fields });
  });

  test('is counted once, however often it is looked at', () => {
    for (const hit of [aLimitHit(), aLimitHit({ resetsAt: NOON + HOUR }), aLimitHit({ at: NOON + DAY }), aLimitHit(BY_SCREEN)]) {
      const first = decideParking(hit, known({ event: 0 }), LIMIT_POLICY, NOON);
      const after = known({ event: 0, ...(first.kind === 'change' && first.fields) });
      expect(decideParking(hit, after, LIMIT_POLICY, NOON + MINUTE)).toMatchObject({ kind: 'nothing' });
    }
  });
});

describe('an account at rest', () => {
  test.each<[string, Partial<UsageLimit>, object]>([
    ['waits', { until_ms: NOON + 1 }, { kind: 'nothing' }],
    ['goes on when the time has come', { until_ms: NOON }, { kind: 'end' }],
    ['goes on when the machine slept through it', { until_ms: NOON - DAY }, { kind: 'end' }],
    ['has gone on', { until_ms: NOON - DAY, ended_ms: NOON - HOUR }, { kind: 'nothing' }],
    ['waits a week for a time that was named', { until_ms: NOON + 7 * DAY, named: true }, { kind: 'nothing' }],
    ['waits no years because a clock was set back', { until_ms: NOON + 900 * DAY, named: true }, { kind: 'shorten', until: GUESS }],
    ['nor hours for a guess', { until_ms: NOON + HOUR }, { kind: 'shorten', until: GUESS }],
  ])('%s', (_, limit, step) => {
    expect(decideEnd(aLimit(limit), LIMIT_POLICY, NOON)).toMatchObject(step);
  });
});
