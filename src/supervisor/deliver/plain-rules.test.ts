import { describe, expect, test } from 'vitest';
import type { Activity } from '../../agents/activity.ts';
import type { Delivery } from '../../store/tables/deliveries.ts';
import { aDelivery, aDeliveryView, anAssessment, aReading, BUSY, DELIVERY_POLICY, QUESTION, READY } from '../samples.ts';
import { decideDelivery } from './decide-delivery.ts';
import type { DeliveryView, PlainView } from './delivery-step.ts';

const NOW = 1_000_000;
const TYPING = { delivery: 'd-1', attempt: 1, before: ['> '], foreground: 'mine' };
const AT_ENTER = { lines: ['> Fix the typo'], cursor: { x: 14, y: 0 } };
const ENTERED = { ...TYPING, atEnter: AT_ENTER, wasSeen: true };

const typed = (secondsAgo: number, changes: Partial<Delivery> = {}) =>
  aDelivery({ state: 'typed', attempt: 1, incarnation: 1, typed_ms: NOW - secondsAgo * 1_000, ...changes });
const sent = (secondsAgo: number) => typed(secondsAgo + 1, { state: 'submitted', submitted_ms: NOW - secondsAgo * 1_000 });

function decide(row: Delivery, plain: Partial<PlainView>, activity: Activity = READY, changes: Partial<DeliveryView> = {}) {
  const view = aDeliveryView({
    assessment: anAssessment(activity, { source: 'timing' }),
    screen: { reading: aReading(activity), since: 0 },
    clearsByLaunch: true,
    plain: {
      seen: 'nothing',
      beforeCursor: false,
      typing: TYPING,
      changedSinceEnter: false,
      isWiped: true,
      quietMs: 60_000,
      ...plain,
    },
    ...changes,
  });
  const { kind, rule, ...rest } = decideDelivery(row, view, DELIVERY_POLICY, NOW);
  return { kind, rule, ...('source' in rest && { source: rest.source }), ...('reason' in rest && { reason: rest.reason.kind }) };
}

describe('a prompt for an agent without patterns', () => {
  test.each<[string, Partial<Delivery>, Partial<PlainView>, Activity, object]>([
    ['is typed once the agent is quiet', {}, {}, READY, { kind: 'type', rule: 'ready to type' }],
    ['waits while it writes', {}, { quietMs: 400 }, READY, { kind: 'wait', rule: 'still writing' }],
    ['waits while it works', {}, {}, BUSY, { kind: 'hold', rule: 'agent not ready', reason: 'busy' }],
    ['never answers its question', {}, {}, QUESTION, { kind: 'hold', rule: 'agent not ready', reason: 'dialog_open' }],
    [
      'is typed again once what was left of it is gone',
      { attempt: 1, incarnation: 1, reason: { kind: 'partly_typed' } },
      {},
      READY,
      { kind: 'type', rule: 'ready to type' },
    ],
    [
      'is not typed behind what is left of it',
      { attempt: 1, incarnation: 1, reason: { kind: 'partly_typed' } },
      { isWiped: false },
      READY,
      { kind: 'fail', rule: 'input not empty', reason: 'cannot_empty' },
    ],
    [
      'is not typed behind what is left of it after a hold either',
      { state: 'held', attempt: 1, incarnation: 1, reason: { kind: 'person_typing' } },
      { isWiped: false },
      READY,
      { kind: 'fail', rule: 'input not empty', reason: 'cannot_empty' },
    ],
  ])('%s', (_, row, plain, activity, step) => {
    expect(decide(aDelivery(row), plain, activity)).toEqual(step);
  });

  test.each<[string, Partial<DeliveryView>, object]>([
    ['the program may still read the keys', { wipedAt: NOW - 17 }, { kind: 'wait', rule: 'input not empty' }],
    ['the program could not run since', { wipedAt: NOW - 60_000, pausedAt: NOW - 17 }, { kind: 'wait', rule: 'input not empty' }],
    ['the program has had its time', { wipedAt: NOW - 5_000 }, { kind: 'fail', rule: 'input not empty', reason: 'cannot_empty' }],
  ])('after its input was to be emptied, %s', (_, changes, step) => {
    const row = aDelivery({ attempt: 1, incarnation: 1, reason: { kind: 'partly_typed' } });
    expect(decide(row, { isWiped: false }, READY, changes)).toEqual(step);
  });

  test('starts the agent again for a new task in a used conversation', () => {
    expect(decide(aDelivery({ fresh_conversation: 1 }), {}, READY, { conversationUsed: true })).toMatchObject({ kind: 'relaunch' });
  });
});

describe('a typed prompt of an agent without patterns', () => {
  test.each<[string, Delivery, Partial<PlainView>, object]>([
    ['gets its Enter when the screen shows it', typed(1), { seen: 'whole' }, { kind: 'enter', rule: 'text on the screen' }],
    ['waits while it may still arrive', typed(1), { seen: 'start' }, { kind: 'wait', rule: 'still arriving' }],
    [
      'is erased when its first keys were lost',
      typed(6),
      { seen: 'end' },
      { kind: 'wipe', rule: 'part of the text on the screen', reason: 'partly_typed' },
    ],
    [
      'is sent when the second attempt shows its end again: the program scrolls',
      typed(6, { attempt: 2 }),
      { seen: 'end', typing: { ...TYPING, attempt: 2 } },
      { kind: 'enter', rule: 'part of the text on the screen' },
    ],
    [
      'is given up when its end never arrives',
      typed(6, { attempt: 2 }),
      { seen: 'start' },
      { kind: 'fail', rule: 'part of the text on the screen', reason: 'not_accepted' },
    ],
    ['gets its Enter when the program shows nothing', typed(6), {}, { kind: 'enter', rule: 'nothing on the screen' }],
    [
      'of a supervisor that was killed gets its Enter where the screen shows it',
      typed(1),
      { typing: undefined, beforeCursor: true },
      { kind: 'enter', rule: 'typed by an earlier supervisor' },
    ],
    [
      'of a supervisor that was killed is never typed again',
      typed(60),
      { typing: undefined },
      { kind: 'fail', rule: 'typed by an earlier supervisor', reason: 'unproven' },
    ],
  ])('%s', (_, row, plain, step) => {
    expect(decide(row, plain)).toEqual(step);
  });

  test('waits while the agent asks something', () => {
    expect(decide(typed(6), { seen: 'whole' }, QUESTION)).toMatchObject({ kind: 'wait', rule: 'dialog open' });
  });
});

describe('after Enter, an agent without patterns', () => {
  test.each<[string, Delivery, Partial<PlainView>, object]>([
    [
      'has the prompt when its screen showed it and changes',
      sent(1),
      { typing: ENTERED, changedSinceEnter: true },
      { kind: 'ack', source: 'screen' },
    ],
    [
      'may have it when its screen changes and never showed it',
      sent(1),
      { typing: { ...ENTERED, wasSeen: false }, changedSinceEnter: true },
      { kind: 'ack', source: 'unverified' },
    ],
    ['may still react', sent(3), { typing: ENTERED }, { kind: 'wait' }],
    ['may have it when nothing changes', sent(4), { typing: ENTERED }, { kind: 'ack', source: 'unverified' }],
    ['may have it when the supervisor was killed', sent(1), { typing: undefined }, { kind: 'ack', source: 'unverified' }],
    [
      'does not have it when the supervisor was killed before the key',
      sent(1),
      { typing: undefined, beforeCursor: true },
      { kind: 'enter' },
    ],
  ])('%s', (_, row, plain, step) => {
    expect(decide(row, plain)).toMatchObject({ rule: 'sent', ...step });
  });
});
