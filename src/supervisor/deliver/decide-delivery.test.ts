import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Activity } from '../../agents/activity.ts';
import type { InputBox } from '../../agents/agent.ts';
import type { Delivery } from '../../store/deliveries.ts';
import type { HoldReason } from '../../store/delivery-reason.ts';
import { ACTIVITIES, aDelivery, anAssessment, aReading, BUSY, EXITED, LIMIT, OVERLOADED, PERMISSION, QUESTION, READY } from '../samples.ts';
import { type DeliveryStep, decideDelivery } from './decide-delivery.ts';
import type { DeliveryPolicy, DeliveryView } from './delivery-step.ts';
import { boxHolds } from './input-box.ts';

const POLICY: DeliveryPolicy = { ackTimeoutMs: 2_000, enterRetryCount: 3, enterRetryDelayMs: 200, maxAttempts: 3, personPauseMs: 4_000 };
const NOW = 100_000;
const PARKED: HoldReason = { kind: 'usage_limit', account: 'demo', wait: { phase: 'in_turn' } };
const EMPTY: InputBox = { kind: 'empty' };
const ABSENT: InputBox = { kind: 'absent' };
const OURS: InputBox = { kind: 'text', text: 'Fix the typo' };
const PART: InputBox = { kind: 'text', text: 'Fix the' };
const DRAFT: InputBox = { kind: 'text', text: 'my own words' };

/** A ready agent with an empty box, alone and at rest, except for what the test says. */
function view(changes: Partial<DeliveryView> = {}): DeliveryView {
  return {
    assessment: anAssessment(READY),
    incarnation: 1,
    pane: { inMode: false, attached: false },
    screen: { reading: aReading(READY, EMPTY), since: 0 },
    ack: undefined,
    written: false,
    shown: false,
    tookAnother: false,
    personTypedAt: undefined,
    conversationUsed: false,
    leftover: false,
    clearTyped: false,
    worked: false,
    wipedAt: undefined,
    redraw: undefined,
    clearing: undefined,
    enters: undefined,
    ...changes,
  };
}

const seen = (activity = READY, box: InputBox = EMPTY, since = 0) => ({ reading: aReading(activity, box), since });
const doing = (activity = READY, box: InputBox = EMPTY) => ({ assessment: anAssessment(activity), screen: seen(activity, box) });

/** Typed and sent with Enter five seconds ago. */
const SENT: Partial<Delivery> = {
  state: 'submitted',
  attempt: 1,
  incarnation: 1,
  after_event: 7,
  typed_ms: NOW - 5_200,
  submitted_ms: NOW - 5_000,
};
/** Pasted, and then the supervisor died or a dialog opened before the Enter. */
const TYPED: Partial<Delivery> = { ...SENT, state: 'typed', submitted_ms: null };
const sentAgo = (ms: number): Partial<Delivery> => ({ ...SENT, typed_ms: NOW - ms, submitted_ms: NOW - ms });

type Row = readonly [string, Partial<Delivery>, Partial<DeliveryView>, DeliveryStep['kind'], RegExp];

const decide = (row: Partial<Delivery>, changes: Partial<DeliveryView>) => decideDelivery(aDelivery(row), view(changes), POLICY, NOW);

test.each<[string, Partial<Delivery>, Partial<DeliveryView>]>([
  ['account rests', {}, { parked: PARKED }],
  ['agent not ready', {}, doing(BUSY)],
  ['screen not captured', {}, { screen: undefined }],
  ['text in the box', {}, { screen: seen(READY, DRAFT) }],
  ['ready to type', {}, {}],
  ['reported', SENT, { ack: { seq: 8 } }],
  ['agent replaced', SENT, { incarnation: 2 }],
  ['dialog open', SENT, doing(QUESTION, ABSENT)],
  ['never reported', SENT, {}],
  ['attempts used up', { ...SENT, attempt: 3 }, {}],
])('a step names the rule that decided: %s', (rule, row, changes) => {
  expect(decide(row, changes).rule).toBe(rule);
});

describe('a prompt that waits', () => {
  const CLEARED = { conversationUsed: true };
  test.each<Row>([
    ['is typed into a ready agent with an empty box', {}, {}, 'type', /ready.*empty/],
    ['is typed after a turn that failed: the agent stands at its prompt', {}, doing(OVERLOADED), 'type', /ready/],
    ['goes out when the reason to hold it has ended', { state: 'held', reason: { kind: 'busy' } }, {}, 'type', /ready/],
    ['is held while the agent is busy', {}, doing(BUSY), 'hold', /busy/],
    ['is held while it starts', {}, doing({ kind: 'starting' }), 'hold', /starting/],
    ['is held while a question is open', {}, doing(QUESTION, { kind: 'absent' }), 'hold', /Go on\?/],
    ['is held while a permission is asked for', {}, doing(PERMISSION, { kind: 'absent' }), 'hold', /Run rm\?/],
    ['is held while the account rests', {}, { parked: PARKED }, 'hold', /limit/],
    ['is typed once a usage limit is over', {}, doing(LIMIT), 'type', /ready/],
    ['is held while no agent runs', {}, { assessment: anAssessment(EXITED) }, 'hold', /not running/],
    ['is held while tmux does not answer', {}, { assessment: anAssessment({ kind: 'unknown' }) }, 'hold', /unknown/],
    ['is held while a person scrolls', {}, { pane: { inMode: true, attached: true } }, 'hold', /copy mode/],
    ['leaves a copy mode without an attached client', {}, { pane: { inMode: true, attached: false } }, 'leave_mode', /copy mode/],
    ['is held while a person types', {}, { personTypedAt: NOW - 3_999 }, 'hold', /person is typing/],
    ['goes out when the person has rested', {}, { personTypedAt: NOW - 4_000 }, 'type', /ready/],
    ['is held while a draft stands in the box', {}, { screen: seen(READY, DRAFT) }, 'hold', /draft/],
    ['is held while something pasted stands in the box', {}, { screen: seen(READY, { kind: 'folded', text: '[…]' }) }, 'hold', /draft/],
    ['waits for a look at the screen', {}, { screen: undefined }, 'wait', /captured/],
    ['waits while the screen does not agree that the agent is ready', {}, { screen: seen(BUSY) }, 'wait', /screen/],
    ['waits while the screen shows a dialog nobody has reported yet', {}, { screen: seen(PERMISSION, EMPTY) }, 'wait', /screen/],
    ['waits while there is no box', {}, { screen: seen(READY, { kind: 'absent' }) }, 'wait', /box/],
    [
      'empties the box of an earlier prompt that an interrupt put back',
      {},
      { screen: seen(READY, DRAFT), leftover: true },
      'wipe',
      /earlier/,
    ],
    [
      'leaves an earlier prompt alone that the screen has not yet taken out of the box',
      {},
      { screen: seen(READY, DRAFT, NOW - 1_999), leftover: true },
      'wait',
      /still holds/,
    ],
    ['does not press Ctrl-C twice in a row', {}, { leftover: true, wipedAt: NOW - 2_999 }, 'wait', /moment ago/],
    ['is given up when it was typed often enough', { attempt: 3 }, {}, 'fail', /3 attempts/],
    ['has one attempt left', { attempt: 2 }, {}, 'type', /ready/],

    ['starts a task with an empty conversation', { fresh_conversation: 1 }, CLEARED, 'clear', /empty conversation/],
    ['needs no clearing in a conversation that is empty', { fresh_conversation: 1 }, {}, 'type', /ready/],
    [
      'starts a task with a new launch where nothing else clears',
      { fresh_conversation: 1 },
      { ...CLEARED, clearsByLaunch: true },
      'relaunch',
      /empty/,
    ],
    ['needs no new launch in an empty conversation', { fresh_conversation: 1 }, { clearsByLaunch: true }, 'type', /ready/],
    ['goes into the conversation it belongs to', {}, CLEARED, 'type', /ready/],
    [
      'waits while the conversation is being cleared',
      { fresh_conversation: 1 },
      { ...CLEARED, clearing: { at: NOW - 2_999, times: 1 } },
      'wait',
      /being cleared/,
    ],
    [
      'clears again when nobody confirms',
      { fresh_conversation: 1 },
      { ...CLEARED, clearing: { at: NOW - 3_000, times: 2 } },
      'clear',
      /not confirmed/,
    ],
    [
      'goes on without after three times',
      { fresh_conversation: 1 },
      { ...CLEARED, clearing: { at: NOW - 3_000, times: 3 } },
      'type',
      /never confirmed/,
    ],
    [
      'sends a clear command that sits in the box',
      {},
      { screen: seen(READY, DRAFT), clearTyped: true, clearing: { at: NOW - 201, times: 1 } },
      'enter',
      /clear command/,
    ],
    [
      'gives the clear command a moment',
      {},
      { screen: seen(READY, DRAFT), clearTyped: true, clearing: { at: NOW - 200, times: 1 } },
      'wait',
      /being cleared/,
    ],
    [
      'never sends a draft begun while the conversation was being cleared',
      {},
      { screen: seen(READY, DRAFT), clearing: { at: NOW - 900, times: 1 } },
      'hold',
      /draft/,
    ],
    ['never sends a clear command that a person typed', {}, { screen: seen(READY, DRAFT), clearTyped: true }, 'hold', /draft/],
  ])('%s', (_, row, changes, kind, why) => {
    expect(decide(row, changes)).toMatchObject({ kind, why: expect.stringMatching(why) });
  });
});

describe('a prompt that was typed', () => {
  const asked = (forMs: number) => ({ screen: seen(PERMISSION, ABSENT, NOW - forMs), boxIsWitness: true });
  const idle = (ms: number) => ({ screen: seen(READY, EMPTY, NOW - ms) });
  test.each<Row>([
    ['is acknowledged by the agent’s own report', SENT, { ack: { seq: 8 } }, 'ack', /reported/],
    ['is acknowledged by it even when the Enter was never recorded', TYPED, { ack: { seq: 8 } }, 'ack', /reported/],
    ['is acknowledged by it even when that agent is gone', { ...SENT, incarnation: 0 }, { ack: { seq: 8 } }, 'ack', /reported/],
    ['is acknowledged by the agent’s own record of the conversation', SENT, { written: true }, 'ack', /transcript/],
    ['is queued again when its agent was replaced', SENT, { incarnation: 2 }, 'requeue', /gone/],
    ['waits while the agent is gone', SENT, { assessment: anAssessment(EXITED) }, 'wait', /exited/],
    ['waits while tmux does not answer', SENT, { assessment: anAssessment({ kind: 'unknown' }) }, 'wait', /unknown/],
    ['waits for a look at the screen', SENT, { screen: undefined }, 'wait', /captured/],

    ['waits for the report of an agent that went to work', sentAgo(999), doing(BUSY), 'wait', /went to work/],
    ['is acknowledged by an agent at work when the report does not come', sentAgo(1_000), doing(BUSY), 'ack', /did not arrive/],
    ['is not acknowledged by an agent at work while it still stands in the box', SENT, doing(BUSY, OURS), 'enter', /not sent/],

    ['gets another Enter when it sits in the box', sentAgo(1_000), { screen: seen(READY, OURS) }, 'enter', /not sent/],
    ['gets its first Enter when there was none', TYPED, { screen: seen(READY, OURS) }, 'enter', /not sent/],
    ['gets no Enter so soon after the last', sentAgo(999), { screen: seen(READY, OURS) }, 'wait', /moment ago/],
    ['gets none sooner from a slow agent', sentAgo(2_399), { screen: seen(READY, OURS), readTookMs: 600 }, 'wait', /moment ago/],
    ['gets one from a slow agent in the end', sentAgo(2_400), { screen: seen(READY, OURS), readTookMs: 600 }, 'enter', /not sent/],
    [
      'gets its third further Enter after a longer wait',
      SENT,
      { screen: seen(READY, OURS), enters: { at: NOW - 3_000, times: 2 } },
      'enter',
      /not sent/,
    ],
    ['waits longer before each', SENT, { screen: seen(READY, OURS), enters: { at: NOW - 2_999, times: 2 } }, 'wait', /moment ago/],
    [
      'is not given up while the last Enter may still be read',
      SENT,
      { screen: seen(READY, OURS), enters: { at: NOW - 7_999, times: 3 } },
      'wait',
      /any effect/,
    ],
    [
      'fails when three further ones did nothing',
      SENT,
      { screen: seen(READY, OURS), enters: { at: NOW - 9_000, times: 3 } },
      'fail',
      /4 presses/,
    ],
    [
      'is acknowledged when it led to a dialog below it',
      SENT,
      { screen: seen(PERMISSION, ABSENT), shown: true },
      'ack',
      /above the dialog/,
    ],
    ['is not when the dialog has only just opened', SENT, { screen: seen(PERMISSION, ABSENT, NOW - 999), shown: true }, 'wait', /dialog/],
    ['is not when the dialog alone shows', SENT, { screen: seen(PERMISSION, ABSENT) }, 'wait', /dialog/],
    ['is not when its Enter is still to come', TYPED, { screen: seen(PERMISSION, ABSENT), shown: true }, 'wait', /dialog/],
    ['gets no Enter while a dialog shows', SENT, { screen: seen(PERMISSION, OURS) }, 'wait', /dialog/],
    ['gets no Enter while a dialog is reported', SENT, { assessment: anAssessment(QUESTION), screen: seen(READY, OURS) }, 'wait', /dialog/],
    ['gets no Enter in copy mode', SENT, { screen: seen(READY, OURS), pane: { inMode: true, attached: true } }, 'wait', /copy mode/],

    ['gets no Enter while a person types', SENT, { screen: seen(READY, OURS), personTypedAt: NOW - 3_999 }, 'wait', /person/],

    ['waits while the paste is arriving', sentAgo(100), { screen: seen(READY, PART, NOW - 199) }, 'wait', /arriving/],
    ['is wiped when only part of it arrived', TYPED, { screen: seen(READY, PART) }, 'wipe', /part/],
    ['is not wiped twice in a row', TYPED, { screen: seen(READY, PART), wipedAt: NOW - 2_999 }, 'wait', /moment ago/],
    ['is not wiped while its Enter may still be read', sentAgo(7_999), { screen: seen(READY, PART) }, 'wait', /may still be read/],
    ['nor while that of an earlier attempt may', TYPED, { screen: seen(READY, PART), entered: true }, 'wait', /may still be read/],
    ['is wiped in the end', sentAgo(8_000), { screen: seen(READY, PART) }, 'wipe', /part/],
    ['waits while other text is in the input box', SENT, { screen: seen(READY, DRAFT) }, 'wait', /other text/],

    ['waits for its acknowledgement', sentAgo(1_999), {}, 'wait', /waiting for/],
    ['counts the wait from when the screen came to rest', SENT, idle(1_999), 'wait', /waiting for/],
    ['is acknowledged when it stands in the transcript', SENT, { shown: true }, 'ack', /screen shows/],
    ['is acknowledged so as soon as the screen has come to rest', SENT, { ...idle(1_000), shown: true }, 'ack', /screen shows/],
    ['is not acknowledged so before', SENT, { ...idle(999), shown: true }, 'wait', /waiting for/],
    ['is acknowledged when the agent has worked since', SENT, { worked: true }, 'ack', /worked since/],
    ['is queued again when it is nowhere to be found', SENT, idle(2_000), 'requeue', /never reported/],
    [
      'is taken, of an agent that reports nothing, when the Enter emptied the box',
      SENT,
      { ...idle(1_000), boxIsWitness: true },
      'ack',
      /emptied/,
    ],
    ['is not taken so before the screen has come to rest', SENT, { ...idle(999), boxIsWitness: true }, 'wait', /waiting for/],
    [
      'is not taken so when a person sent something else meanwhile',
      SENT,
      { ...idle(2_000), boxIsWitness: true, tookAnother: true },
      'requeue',
      /never/,
    ],
    ['is taken so above the dialog it led to', SENT, { ...asked(2_000), entered: true }, 'ack', /dialog followed/],
    [
      'is taken so also where the dialog stands in the box',
      SENT,
      { screen: seen(PERMISSION, DRAFT, NOW - 2_000), boxIsWitness: true, entered: true },
      'ack',
      /dialog followed/,
    ],
    ['is not taken so when the key may never have been pressed', SENT, { ...asked(2_000), entered: false }, 'wait', /dialog/],
    ['is not taken so before the dialog has stood a while', SENT, { ...asked(1_999), entered: true }, 'wait', /dialog/],
    [
      'is not taken so while it stands in the box beside the dialog',
      SENT,
      { screen: seen(PERMISSION, OURS), boxIsWitness: true, entered: true },
      'wait',
      /dialog/,
    ],
    ['may be slow to show in the box', { ...TYPED, typed_ms: NOW - 7_999 }, idle(60_000), 'wait', /not shown/],
    ['is erased and typed again when it never shows', { ...TYPED, typed_ms: NOW - 8_000 }, idle(60_000), 'wipe', /never appeared/],
    ['there too, when it had no Enter', { ...TYPED, typed_ms: 0 }, { ...idle(8_000), boxIsWitness: true }, 'wipe', /never appeared/],
    ['fails when it was typed often enough', { ...SENT, attempt: 3 }, idle(2_000), 'fail', /3 attempts/],
    [
      'is not queued again while the agent is busy with something without a box',
      SENT,
      { screen: seen(BUSY, { kind: 'absent' }) },
      'wait',
      /waiting for/,
    ],
  ])('%s', (_, row, changes, kind, why) => {
    expect(decide(row, changes)).toMatchObject({ kind, why: expect.stringMatching(why) });
  });

  test('names the witness of an acknowledgement', () => {
    expect(decide(SENT, { ack: { seq: 8 } })).toMatchObject({ event: 8, source: 'hook' });
    expect(decide(SENT, { written: true })).toMatchObject({ event: null, source: 'transcript' });
    expect(decide(SENT, { shown: true })).toMatchObject({ event: null, source: 'screen' });
  });
});

describe('a screen that may not show what is there', () => {
  const UNKNOWN: Activity = { kind: 'unknown' };
  const NEVER = { redraw: { at: undefined } };
  test.each<[string, Partial<Delivery>, Partial<DeliveryView>, DeliveryStep['kind']]>([
    ['is redrawn when llmc cannot classify it', {}, { ...NEVER, screen: seen(UNKNOWN, { kind: 'absent' }) }, 'redraw'],
    ['is redrawn when it shows work without evidence', {}, { ...NEVER, screen: seen(BUSY, { kind: 'absent' }) }, 'redraw'],
    ['is left alone while it shows a dialog', {}, { ...NEVER, screen: seen(QUESTION, { kind: 'absent' }) }, 'wait'],
    ['is left a moment first', {}, { ...NEVER, screen: seen(UNKNOWN, { kind: 'absent' }, NOW - 1_999) }, 'wait'],
    ['is redrawn once', {}, { redraw: { at: 50 }, screen: seen(UNKNOWN, { kind: 'absent' }, 50) }, 'wait'],
    ['is redrawn again after it changed', {}, { redraw: { at: 50 }, screen: seen(UNKNOWN, { kind: 'absent' }, 51) }, 'redraw'],
    ['is redrawn when it shows no box', {}, { ...NEVER, screen: seen(READY, { kind: 'absent' }) }, 'redraw'],
    ['is redrawn before a draft is believed for long', {}, { ...NEVER, screen: seen(READY, DRAFT) }, 'redraw'],
    ['then the draft is believed', {}, { redraw: { at: 50 }, screen: seen(READY, DRAFT, 50) }, 'hold'],
    ['is redrawn before a prompt is typed again', SENT, { ...NEVER, screen: seen(READY, EMPTY, NOW - 2_000) }, 'redraw'],
    ['then it is typed again', SENT, { redraw: { at: NOW - 1 }, screen: seen(READY, EMPTY, NOW - 2_000) }, 'requeue'],
    ['is redrawn when the box shows something else than was typed', SENT, { ...NEVER, screen: seen(READY, DRAFT) }, 'redraw'],
    ['is left alone by an agent at work', SENT, { ...NEVER, ...doing(BUSY, { kind: 'absent' }) }, 'wait'],
    ['is left alone where the CLI has no keys for it', {}, { screen: seen(UNKNOWN, { kind: 'absent' }) }, 'wait'],
  ])('%s', (_, row, changes, kind) => {
    expect(decide(row, changes).kind).toBe(kind);
  });
});

describe('whatever is seen', () => {
  const instant = fc.integer({ min: NOW - 20_000, max: NOW });
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const boxes: readonly InputBox[] = [EMPTY, OURS, PART, DRAFT, { kind: 'absent' }, { kind: 'folded', text: '[…]', moreLines: 0 }];
  const counter = fc.record({ at: instant, times: fc.integer({ min: 1, max: 5 }) });
  const rows: fc.Arbitrary<Delivery> = fc
    .record({
      state: fc.constantFrom('queued', 'held', 'typed', 'submitted'),
      attempt: fc.integer({ min: 0, max: 4 }),
      incarnation: fc.constantFrom(null, 1, 2),
      fresh_conversation: fc.constantFrom(0, 1),
      typed_ms: fc.option(instant),
      submitted_ms: fc.option(instant),
    })
    .map(aDelivery);
  const views: fc.Arbitrary<DeliveryView> = fc
    .record({
      assessment: fc.constantFrom(...ACTIVITIES).map((activity) => anAssessment(activity)),
      pane: fc.constantFrom(
        undefined,
        { inMode: false, attached: true },
        { inMode: true, attached: true },
        { inMode: true, attached: false },
      ),
      screen: maybe(fc.tuple(fc.constantFrom(...ACTIVITIES), fc.constantFrom(...boxes), instant).map((parts) => seen(...parts))),
      ack: maybe(fc.constant({ seq: 8 })),
      written: fc.boolean(),
      shown: fc.boolean(),
      tookAnother: fc.boolean(),
      personTypedAt: maybe(instant),
      conversationUsed: fc.boolean(),
      clearsByLaunch: fc.boolean(),
      boxIsWitness: fc.boolean(),
      entered: fc.boolean(),
      clearTyped: fc.boolean(),
      worked: fc.boolean(),
      wipedAt: maybe(instant),
      redraw: maybe(fc.record({ at: maybe(instant) })),
      clearing: maybe(counter),
      enters: maybe(counter),
      parked: maybe(fc.constant(PARKED)),
    })
    .map(view);

  /** Holds for every step; `claim` returns false where it does not. */
  const always = (claim: (step: DeliveryStep, row: Delivery, seen: DeliveryView) => boolean) =>
    fc.assert(
      fc.property(rows, views, (row, current) => claim(decideDelivery(row, current, POLICY, NOW), row, current)),
      { numRuns: 2_000 },
    );
  const inFlight = (row: Delivery) => row.state === 'typed' || row.state === 'submitted';
  const atPrompt = (kind: string | undefined) => kind === 'ready' || kind === 'error' || kind === 'waiting_limit';
  const isAlone = ({ personTypedAt }: DeliveryView) => personTypedAt === undefined || NOW - personTypedAt >= POLICY.personPauseMs;
  const isDialog = (kind: string | undefined) => kind === 'awaiting_question' || kind === 'awaiting_permission';

  test('nothing is typed but into an agent known and seen to be at its prompt, with an empty box', () => {
    always((step, row, current) => {
      if (step.kind !== 'type' && step.kind !== 'clear' && step.kind !== 'relaunch') return true;
      return (
        !inFlight(row) &&
        atPrompt(current.assessment.activity.kind) &&
        atPrompt(current.screen?.reading.activity.kind) &&
        current.screen?.reading.box.kind === 'empty'
      );
    });
  });

  test('nothing is sent to an account that rests', () => {
    always((step, _, current) => current.parked === undefined || !['type', 'clear', 'enter', 'relaunch'].includes(step.kind));
  });

  test('no key goes into a dialog, into copy mode, between those of a person, or to an agent nobody has just looked at', () => {
    always((step, _, current) => {
      if (!['type', 'clear', 'enter', 'wipe', 'redraw'].includes(step.kind)) return true;
      const { kind } = current.assessment.activity;
      const shown = current.screen?.reading.activity.kind;
      const known = current.screen !== undefined && kind !== 'unknown' && kind !== 'exited';
      return known && !isDialog(kind) && !isDialog(shown) && current.pane?.inMode !== true && isAlone(current);
    });
  });

  test('Enter is pressed on our own text and on nothing else', () => {
    always((step, row, current) => {
      if (step.kind !== 'enter') return true;
      const holds = current.screen !== undefined && boxHolds(current.screen.reading.box, row.sent_text ?? row.text) === 'whole';
      return inFlight(row) ? holds : current.clearTyped && current.clearing !== undefined;
    });
  });

  test('only our own text is ever emptied out of the box', () => {
    always((step, row, current) => {
      if (step.kind !== 'wipe') return true;
      return (
        current.leftover ||
        (inFlight(row) && current.screen !== undefined && boxHolds(current.screen.reading.box, row.sent_text ?? row.text) === 'part') ||
        // Nothing stands there: what may still be on its way into it is ours.
        (inFlight(row) && row.submitted_ms === null && current.screen?.reading.box.kind === 'empty')
      );
    });
  });

  test('what the agent has acknowledged is acknowledged, and never typed or queued again', () => {
    always((step, row, current) => !inFlight(row) || (current.ack === undefined && !current.written) || step.kind === 'ack');
  });

  test('nothing is queued again while it may still be in the box, shown, or being worked on', () => {
    always((step, row, current) => {
      if (step.kind !== 'requeue' || row.incarnation !== current.incarnation) return true;
      const { reading } = current.screen ?? {};
      return (
        reading !== undefined &&
        boxHolds(reading.box, row.sent_text ?? row.text) === 'nothing' &&
        atPrompt(reading.activity.kind) &&
        !current.shown &&
        (!current.worked || current.tookAnother)
      );
    });
  });

  test('no prompt is typed more often than allowed', () => {
    always((step, row) => step.kind !== 'type' || row.attempt < POLICY.maxAttempts);
  });

  test('an acknowledgement needs a witness', () => {
    always((step, row, current) => {
      if (step.kind !== 'ack') return true;
      if (step.source === 'hook') return current.ack !== undefined && step.event === current.ack.seq;
      const works = current.screen?.reading.activity.kind === 'processing' && current.screen.reading.box.kind === 'empty';
      const held = current.screen === undefined ? 'whole' : boxHolds(current.screen.reading.box, row.sent_text ?? row.text);
      const gone = current.screen?.reading.box.kind === 'empty' || (current.entered === true && held !== 'whole' && held !== 'part');
      const emptied = current.boxIsWitness === true && row.submitted_ms !== null && gone;
      const seen = current.shown || current.worked || works || emptied;
      return step.event === null && (step.source === 'transcript' ? current.written : seen);
    });
  });

  test('every step says why', () => {
    always((step) => step.why.length > 5);
  });
});
