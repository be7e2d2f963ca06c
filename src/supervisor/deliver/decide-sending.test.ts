import { describe, expect, test } from 'vitest';
import type { Delivery } from '../../store/tables/deliveries.ts';
import { ACTIVITIES, aDelivery, anAssessment, BUSY, PERMISSION } from '../samples.ts';
import { decideSending, type SendingView } from './decide-sending.ts';

const POLICY = { ackTimeoutMs: 2_000, maxAttempts: 3 };
const NOW = 1_000_000;

const aView = (changes: Partial<SendingView> = {}): SendingView => ({
  assessment: anAssessment(),
  open: true,
  openedAt: 1_000,
  conversationUsed: false,
  ack: undefined,
  fate: 'unknown',
  recordsTaken: 0,
  asked: undefined,
  ...changes,
});
const sent = (changes: Partial<Delivery> = {}) =>
  aDelivery({ state: 'submitted', attempt: 1, incarnation: 1, typed_ms: NOW - 100, submitted_ms: NOW - 100, ...changes });

describe('a prompt that waits', () => {
  test.each<[string, Partial<Delivery>, Partial<SendingView>, string]>([
    ['is sent to a ready agent', {}, {}, 'send'],
    ['is held while the agent is busy', {}, { assessment: anAssessment(BUSY) }, 'hold'],
    ['is held while a dialog is open', {}, { assessment: anAssessment(PERMISSION) }, 'hold'],
    [
      'is held while the account waits for a usage limit',
      {},
      { parked: { kind: 'usage_limit', account: 'demo', wait: { phase: 'in_turn' } } },
      'hold',
    ],
    ['waits for the conversation', {}, { open: false }, 'wait'],
    ['of a new task starts with an empty conversation', { fresh_conversation: 1 }, { conversationUsed: true }, 'start_over'],
    ['of a new task needs no new conversation when it is empty', { fresh_conversation: 1 }, {}, 'send'],
    ['is given up after the last attempt', { attempt: 3 }, {}, 'fail'],
  ])('%s', (_, row, view, kind) => {
    expect(decideSending(aDelivery(row), aView(view), POLICY, NOW).kind).toBe(kind);
  });

  test('is sent only to a ready agent', () => {
    for (const activity of ACTIVITIES) {
      const { kind } = decideSending(aDelivery(), aView({ assessment: anAssessment(activity) }), POLICY, NOW);
      expect([activity.kind, kind]).toEqual([activity.kind, ['ready', 'error', 'waiting_limit'].includes(activity.kind) ? 'send' : 'hold']);
    }
  });
});

describe('a prompt that was sent', () => {
  const late = { submitted_ms: NOW - 5_000, typed_ms: NOW - 5_000 };
  test.each<[string, Partial<Delivery>, Partial<SendingView>, string]>([
    ['is acknowledged by its id', {}, { ack: { seq: 7 } }, 'ack'],
    ['is acknowledged also when the agent is busy with it', {}, { ack: { seq: 7 }, assessment: anAssessment(BUSY) }, 'ack'],
    ['is waited for at first', {}, {}, 'wait'],
    ['is searched for in the record when no report comes', late, {}, 'read_again'],
    ['is searched for at once after a new connection', {}, { openedAt: NOW - 50 }, 'read_again'],
    ['waits for the record', late, { asked: { at: NOW - 100, recordsBefore: 0 } }, 'wait'],
    ['makes llmc request the record again when it does not come', late, { asked: { at: NOW - 2_500, recordsBefore: 0 } }, 'read_again'],
    ['is sent again when the record does not hold it', late, { asked: { at: NOW - 100, recordsBefore: 0 }, recordsTaken: 1 }, 'requeue'],
    ['is not sent again on a record read before it', late, { recordsTaken: 1 }, 'read_again'],
    ['is sent again when the agent refused it', {}, { fate: { refused: 'no such thread' } }, 'requeue'],
    ['fails when the agent refused it for the last time', { attempt: 3 }, { fate: { refused: 'no' } }, 'fail'],
    ['waits while the conversation is closed', late, { open: false }, 'wait'],
    [
      'is never sent again once the agent accepted it',
      late,
      { fate: 'accepted', asked: { at: NOW - 100, recordsBefore: 0 }, recordsTaken: 1 },
      'wait',
    ],
    [
      'is waited for while a running turn proves nothing',
      { submitted_ms: NOW - 61_000 },
      { fate: 'accepted', asked: { at: NOW - 100, recordsBefore: 0 } },
      'wait',
    ],
    [
      'is not waited for without end',
      { submitted_ms: NOW - 301_000 },
      { fate: 'accepted', asked: { at: NOW - 100, recordsBefore: 0 } },
      'fail',
    ],
    [
      'is left to a person when the agent accepted it and never shows it',
      { submitted_ms: NOW - 61_000 },
      { fate: 'accepted', asked: { at: NOW - 100, recordsBefore: 0 }, recordsTaken: 1 },
      'fail',
    ],
  ])('%s', (_, row, view, kind) => {
    expect(decideSending(sent(row), aView(view), POLICY, NOW).kind).toBe(kind);
  });
});
