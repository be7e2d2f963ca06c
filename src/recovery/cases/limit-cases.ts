import type { EndStep, ParkStep } from '../decide-limit.ts';
import type { LimitedView, ResumeStep } from '../decide-resume.ts';
import type { LimitPolicy } from '../policies/limit-policy.ts';
import type { LimitHit, UsageLimit } from '../usage-limit.ts';
import type { Case } from './case.ts';
import { aLimit, aLimitHit, NOON } from './samples.ts';

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

interface ParkView {
  readonly hit: LimitHit;
  readonly known: UsageLimit | undefined;
}

type ParkRow = readonly [
  when: string,
  hit: Partial<LimitHit>,
  known: Partial<UsageLimit> | undefined,
  park: { until: number; named: boolean } | undefined,
];

const NOT_PARKED: readonly ParkRow[] = [
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
  ['shows another time of day', { ...BY_SCREEN, resetsAt: WHOLE + 2 * HOUR }, YESTERDAY, { until: WHOLE + 2 * HOUR + MINUTE, named: true }],
  ['shows the same time as a guess', { ...BY_SCREEN, resetsAt: WHOLE + HOUR }, { ...YESTERDAY, named: false }, TODAY],
  [
    'shows the same time that a person lifted',
    { ...BY_SCREEN, resetsAt: WHOLE + HOUR },
    { ...YESTERDAY, until_ms: TODAY.until, ended_ms: NOON - HOUR },
    TODAY,
  ],
  ['reported it in the future, because the clock was set back', { at: NOON + DAY }, undefined, { until: GUESS, named: false }],
];

type ChangeRow = readonly [when: string, hit: Partial<LimitHit>, known: Partial<UsageLimit>, fields: Partial<UsageLimit> | undefined];

const PARKED: readonly ChangeRow[] = [
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
];

/** Completes "an agent at its limit …". */
export const PARK_CASES: readonly Case<ParkView, LimitPolicy, ParkStep>[] = [
  ...NOT_PARKED.map(([when, hit, known, park]) => ({
    when,
    view: { hit: aLimitHit(hit), known: known && aLimit(known) },
    step: park === undefined ? ({ kind: 'nothing' } as const) : ({ kind: 'park', ...park } as const),
  })),
  ...PARKED.map(([when, hit, known, fields]) => ({
    when: `${when}, while its account is parked`,
    view: { hit: aLimitHit(hit), known: aLimit({ until_ms: GUESS, ...known }) },
    step: fields === undefined ? ({ kind: 'nothing' } as const) : ({ kind: 'change', fields } as const),
  })),
];

type EndRow = readonly [when: string, limit: Partial<UsageLimit>, step: Case<UsageLimit, LimitPolicy, EndStep>['step']];

const ENDS: readonly EndRow[] = [
  ['waits', { until_ms: NOON + 1 }, { kind: 'nothing' }],
  ['continues when the time has come', { until_ms: NOON }, { kind: 'end' }],
  ['continues when the machine slept past the time', { until_ms: NOON - DAY }, { kind: 'end' }],
  ['has continued already', { until_ms: NOON - DAY, ended_ms: NOON - HOUR }, { kind: 'nothing' }],
  ['waits a week for a time that was named', { until_ms: NOON + 7 * DAY, named: true }, { kind: 'nothing' }],
  ['does not wait for years after the clock was set back', { until_ms: NOON + 900 * DAY, named: true }, { kind: 'shorten', until: GUESS }],
  ['does not wait for hours for a guess', { until_ms: NOON + HOUR }, { kind: 'shorten', until: GUESS }],
];

/** Completes "a parked account …". */
export const END_CASES: readonly Case<UsageLimit, LimitPolicy, EndStep>[] = ENDS.map(([when, limit, step]) => ({
  when,
  view: aLimit(limit),
  step,
}));

const STOPPED: LimitedView = { hasTask: true, hit: aLimitHit(), answered: false, goesOnAt: NOON - 1, stands: true };

type ResumeRow = readonly [when: string, changes: Partial<LimitedView>, kind: ResumeStep['kind']];

const RESUMES: readonly ResumeRow[] = [
  ['no limit stopped it', { hit: undefined }, 'nothing'],
  ['its time has come', {}, 'go_on'],
  ['its account was never parked', { goesOnAt: undefined }, 'go_on'],
  ['its time has not come yet', { goesOnAt: NOON + 1 }, 'wait'],
  ['it was sent a prompt since', { answered: true }, 'settled'],
  ['it was sent a prompt since, and its account is still parked', { answered: true, goesOnAt: NOON + 1 }, 'settled'],
  ['a person used it without a task', { hasTask: false }, 'settled'],
  ['no fresh capture shows it at its prompt', { stands: false }, 'wait'],
  ['no capture has shown it at its prompt for a minute', { stands: false, goesOnAt: NOON - MINUTE }, 'go_on'],
  ['the same, and its account was never parked', { stands: false, goesOnAt: undefined, hit: aLimitHit({ at: NOON - MINUTE }) }, 'go_on'],
  ['the same, and the clock was set back since', { stands: false, goesOnAt: undefined, hit: aLimitHit({ at: NOON + MINUTE }) }, 'go_on'],
];

/** Completes "a worker that a usage limit stopped: …". */
export const RESUME_CASES: readonly Case<LimitedView, object, ResumeStep>[] = RESUMES.map(([when, changes, kind]) => ({
  when,
  view: { ...STOPPED, ...changes },
  step: { kind },
}));
