import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Activity, OpenView } from '../../agents/activity.ts';
import type { InputBox } from '../../agents/agent.ts';
import type { Delivery } from '../../store/tables/deliveries.ts';
import type { HoldReason } from '../../store/tables/delivery-reason.ts';
import {
  ACTIVITIES,
  aDelivery,
  aDeliveryView,
  anAssessment,
  aReading,
  BUSY,
  DELIVERY_POLICY,
  EXITED,
  LIMIT,
  OVERLOADED,
  PERMISSION,
  QUESTION,
  READY,
} from '../samples.ts';
import { type DeliveryStep, decideDelivery } from './decide-delivery.ts';
import type { DeliveryView } from './delivery-step.ts';
import { boxHolds } from './text/input-box.ts';

const NOW = 100_000;
const PARKED: HoldReason = { kind: 'usage_limit', account: 'demo', wait: { phase: 'in_turn' } };
const EMPTY: InputBox = { kind: 'empty' };
const ABSENT: InputBox = { kind: 'absent' };
const OURS = { kind: 'text', text: 'Fix the typo' } as const satisfies InputBox;
const PART: InputBox = { kind: 'text', text: 'Fix the' };
const TWICE: InputBox = { kind: 'text', text: 'Fix the typoFix the typo' };
const FOLDS: InputBox = { kind: 'folded', text: '[#1][#2]', moreLines: 0, further: 'alike' };
const DRAFT: InputBox = { kind: 'text', text: 'my own words' };

const stopped = { assessment: anAssessment({ kind: 'unknown', stopped: { pid: 7 } }) };
const SHELL: OpenView = { what: 'shell_mode', title: '', key: 'Esc' };
const open = (what: OpenView['what']): Activity => ({
  kind: 'unknown',
  opened: { what, title: what === 'menu' ? 'Settings' : '', key: 'Esc' },
});
const captured = (activity = READY, box: InputBox = EMPTY, since = 0) => ({ reading: aReading(activity, box), since });
const doing = (activity = READY, box: InputBox = EMPTY) => ({ assessment: anAssessment(activity), screen: captured(activity, box) });

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
const LONG_LINE: Partial<Delivery> = { ...TYPED, sent_text: 'word '.repeat(300) };
const FOLD: InputBox = { kind: 'folded', text: '[Pasted text #1]' };
const sentAgo = (ms: number): Partial<Delivery> => ({ ...SENT, typed_ms: NOW - ms, submitted_ms: NOW - ms });

/** Typed twice into this incarnation, and nowhere to be found. */
const LOST: Partial<Delivery> = { attempt: 2, incarnation: 1, reason: { kind: 'never_reported' } };
const IGNORED: Partial<DeliveryView> = { screen: captured(READY, OURS), enters: { at: NOW - 9_000, times: 3 } };
const RESPAWNED = { kind: 'agent_respawned' } as const;
const ON_SCREEN = anAssessment(READY, { source: 'screen' });

type Row = readonly [string, Partial<Delivery>, Partial<DeliveryView>, DeliveryStep['kind'], RegExp];

const decide = (row: Partial<Delivery>, changes: Partial<DeliveryView>) =>
  decideDelivery(aDelivery(row), aDeliveryView(changes), DELIVERY_POLICY, NOW);

test.each<[string, Partial<Delivery>, Partial<DeliveryView>]>([
  ['account parked', {}, { parked: PARKED }],
  ['agent not ready', {}, doing(BUSY)],
  ['screen not captured', {}, { screen: undefined }],
  ['text in the box', {}, { screen: captured(READY, DRAFT) }],
  ['ready to type', {}, {}],
  ['reported', SENT, { ack: { seq: 8 } }],
  ['agent replaced', SENT, { incarnation: 2 }],
  ['dialog open', SENT, doing(QUESTION, ABSENT)],
  ['never reported', SENT, {}],
  ['attempts used up', { ...sentAgo(10_000), attempt: 3 }, {}],
])('a step names the rule that decided: %s', (rule, row, changes) => {
  expect(decide(row, changes).rule).toBe(rule);
});

describe('a prompt that waits', () => {
  const CLEARED = { conversationUsed: true };
  test.each<Row>([
    ['is typed into a ready agent with an empty box', {}, {}, 'type', /ready.*empty/],
    ['is typed after a turn that failed: the agent stands at its prompt', {}, doing(OVERLOADED), 'type', /ready/],
    ['is sent when the reason to hold it has ended', { state: 'held', reason: { kind: 'busy' } }, {}, 'type', /ready/],
    ['is held while the agent is busy', {}, doing(BUSY), 'hold', /busy/],
    ['is held while it starts', {}, doing({ kind: 'starting' }), 'hold', /starting/],
    [
      'is held while a permission is open, and names the command',
      {},
      doing({ ...PERMISSION, command: 'npm publish' }, { kind: 'absent' }),
      'hold',
      /^a dialog is open: Bash npm publish – Run rm\?$/,
    ],
    ['is held while a question is open', {}, doing(QUESTION, { kind: 'absent' }), 'hold', /Go on\?/],
    ['is held while a permission is asked for', {}, doing(PERMISSION, { kind: 'absent' }), 'hold', /Run rm\?/],
    ['is held while the account waits for a usage limit', {}, { parked: PARKED }, 'hold', /limit/],
    ['is typed once a usage limit is over', {}, doing(LIMIT), 'type', /ready/],
    ['is held while no agent runs', {}, { assessment: anAssessment(EXITED) }, 'hold', /not running/],
    ['is held while tmux does not answer', {}, { assessment: anAssessment({ kind: 'unknown' }) }, 'hold', /unknown/],
    ['is held while a person scrolls', {}, { pane: { inMode: true, attached: true } }, 'hold', /copy mode/],
    ['leaves a copy mode without an attached client', {}, { pane: { inMode: true, attached: false } }, 'leave_mode', /copy mode/],
    ['is held while a person types', {}, { personTypedAt: NOW - 3_999 }, 'hold', /person is typing/],
    ['is sent when the person has stopped typing', {}, { personTypedAt: NOW - 4_000 }, 'type', /ready/],
    ['is held while the box holds a draft', {}, { screen: captured(READY, DRAFT) }, 'hold', /draft/],
    ['is held while the box holds a paste', {}, { screen: captured(READY, { kind: 'folded', text: '[…]' }) }, 'hold', /draft/],
    ['waits for a capture of the screen', {}, { screen: undefined }, 'wait', /captured/],
    ['waits while the screen does not show a ready agent', {}, { screen: captured(BUSY, EMPTY, NOW - 2_499) }, 'wait', /screen/],
    ['is held while the screen shows work for long', {}, { screen: captured(BUSY) }, 'hold', /busy/],
    ['waits while the screen shows a dialog that is not reported yet', {}, { screen: captured(PERMISSION, EMPTY, NOW) }, 'wait', /screen/],
    ['is held behind a dialog that was never reported', {}, { screen: captured(PERMISSION, EMPTY) }, 'hold', /dialog is open/],
    ['waits while there is no box', {}, { screen: captured(READY, ABSENT, NOW) }, 'wait', /box/],
    ['is held while no box appears', {}, { screen: captured(READY, ABSENT) }, 'hold', /unknown/],
    ['is held behind a menu', {}, { screen: captured(open('menu'), ABSENT) }, 'hold', /menu is open in its terminal: Settings/],
    ['is held behind the transcript view', {}, { screen: captured(open('transcript'), ABSENT) }, 'hold', /transcript view/],
    [
      'is held behind a screen that opened just now only when it stays',
      {},
      { screen: captured(open('menu'), ABSENT, NOW) },
      'wait',
      /screen/,
    ],
    ['is held in shell mode', {}, { screen: captured(READY, { kind: 'text', text: '!', mode: SHELL }) }, 'hold', /shell mode/],
    ['is held by a command in shell mode', {}, { screen: captured(READY, { kind: 'text', text: '!ls', mode: SHELL }) }, 'hold', /draft/],
    ['is held while the process is stopped', {}, stopped, 'hold', /process \(pid 7\) is stopped/],
    [
      'empties the box of an earlier prompt that an interrupt put back',
      {},
      { screen: captured(READY, DRAFT), leftover: true },
      'wipe',
      /earlier/,
    ],
    [
      'leaves an earlier prompt that the screen still shows in the box',
      {},
      { screen: captured(READY, DRAFT, NOW - 1_999), leftover: true },
      'wait',
      /still holds/,
    ],
    ['does not press Ctrl-C twice in a row', {}, { leftover: true, wipedAt: NOW - 2_999 }, 'wait', /moment ago/],
    ['is given up when it was typed often enough', { attempt: 3 }, {}, 'fail', /3 attempts/],
    ['has one attempt left', { attempt: 2 }, {}, 'type', /ready/],
    ['goes to a new incarnation for the last attempt, when this one lost it twice', LOST, {}, 'respawn', /never reported/],
    ['does so also when the supervisor was killed before the start', { ...LOST, reason: RESPAWNED }, {}, 'respawn', /started again/],
    [
      'does so although its text is still in the box',
      { ...LOST, reason: RESPAWNED, sent_text: OURS.text },
      { screen: captured(READY, OURS) },
      'respawn',
      /started again/,
    ],
    ['does not while a person’s draft is in the box', LOST, { screen: captured(READY, DRAFT) }, 'hold', /draft/],
    ['is typed there', { ...LOST, reason: RESPAWNED }, { incarnation: 2 }, 'type', /ready/],
    ['is typed again where only the screen says that the agent is idle', LOST, { assessment: ON_SCREEN }, 'type', /ready/],
    ['is typed again into an agent without reports', LOST, { boxIsEvidence: true }, 'type', /ready/],
    ['is typed again while a person is attached', LOST, { pane: { inMode: false, attached: true } }, 'type', /ready/],
    ['is typed again after its first attempt', { ...LOST, attempt: 1 }, {}, 'type', /ready/],

    ['starts a task with an empty conversation', { fresh_conversation: 1 }, CLEARED, 'clear', /empty conversation/],
    ['needs no clearing in a conversation that is empty', { fresh_conversation: 1 }, {}, 'type', /ready/],
    [
      'starts a task with a new launch when nothing else clears the conversation',
      { fresh_conversation: 1 },
      { ...CLEARED, clearsByLaunch: true },
      'relaunch',
      /empty/,
    ],
    ['needs no new launch in an empty conversation', { fresh_conversation: 1 }, { clearsByLaunch: true }, 'type', /ready/],
    ['is sent to the conversation it belongs to', {}, CLEARED, 'type', /ready/],
    [
      'waits while the conversation is being cleared',
      { fresh_conversation: 1 },
      { ...CLEARED, clearing: { at: NOW - 2_999, times: 1 } },
      'wait',
      /being cleared/,
    ],
    [
      'clears again without a confirmation',
      { fresh_conversation: 1 },
      { ...CLEARED, clearing: { at: NOW - 3_000, times: 2 } },
      'clear',
      /not confirmed/,
    ],
    [
      'continues without one after three times',
      { fresh_conversation: 1 },
      { ...CLEARED, clearing: { at: NOW - 3_000, times: 3 } },
      'type',
      /never confirmed/,
    ],
    [
      'sends a clear command that is still in the box',
      {},
      { screen: captured(READY, DRAFT), clearTyped: true, clearing: { at: NOW - 201, times: 1 } },
      'enter',
      /clear command/,
    ],
    [
      'gives the clear command a moment',
      {},
      { screen: captured(READY, DRAFT), clearTyped: true, clearing: { at: NOW - 200, times: 1 } },
      'wait',
      /being cleared/,
    ],
    [
      'never sends a draft begun while the conversation was being cleared',
      {},
      { screen: captured(READY, DRAFT), clearing: { at: NOW - 900, times: 1 } },
      'hold',
      /draft/,
    ],
    ['never sends a clear command that a person typed', {}, { screen: captured(READY, DRAFT), clearTyped: true }, 'hold', /draft/],
  ])('%s', (_, row, changes, kind, why) => {
    expect(decide(row, changes)).toMatchObject({ kind, why: expect.stringMatching(why) });
  });
});

test.each<[string, Partial<DeliveryView>, HoldReason['kind'] | undefined]>([
  ['a stopped process', stopped, 'agent_stopped'],
  ['a dialog', doing(QUESTION, ABSENT), 'dialog_open'],
  ['an account that is parked', { screen: captured(READY, OURS), parked: PARKED }, 'usage_limit'],
  ['work on something else', { ...doing(BUSY), tookAnother: true }, 'busy'],
  ['the text of a person', { screen: captured(READY, DRAFT) }, 'draft_in_box'],
  ['a menu', { screen: captured(open('menu'), ABSENT) }, 'something_open'],
  ['copy mode', { pane: { inMode: true, attached: true } }, 'copy_mode'],
  ['nothing else', { screen: captured(READY, EMPTY, NOW) }, undefined],
])('a prompt on its way that waits for %s says so, because each has its own deadline', (_, changes, holds) => {
  const step = decide(SENT, changes);
  expect(step.kind === 'wait' && step.holds?.kind).toBe(holds);
});

describe('a prompt that was typed', () => {
  const asked = (forMs: number) => ({ screen: captured(PERMISSION, ABSENT, NOW - forMs), boxIsEvidence: true });
  const idle = (ms: number) => ({ screen: captured(READY, EMPTY, NOW - ms) });
  test.each<Row>([
    ['is acknowledged by the agent’s own report', SENT, { ack: { seq: 8 } }, 'ack', /reported/],
    ['is acknowledged by the report even when the Enter was never recorded', TYPED, { ack: { seq: 8 } }, 'ack', /reported/],
    ['is acknowledged by the report even when that agent has ended', { ...SENT, incarnation: 0 }, { ack: { seq: 8 } }, 'ack', /reported/],
    ['is acknowledged by the agent’s own record of the conversation', SENT, { written: true }, 'ack', /transcript/],
    ['is queued again when its agent was replaced', SENT, { incarnation: 2 }, 'requeue', /gone/],
    ['waits while the agent is gone', SENT, { assessment: anAssessment(EXITED) }, 'wait', /exited/],
    ['waits while tmux does not answer', SENT, { assessment: anAssessment({ kind: 'unknown' }) }, 'wait', /unknown/],
    ['waits for a capture of the screen', SENT, { screen: undefined }, 'wait', /captured/],

    ['waits for the report of an agent that started to work', sentAgo(999), doing(BUSY), 'wait', /started to work/],
    ['is acknowledged by an agent at work when the report does not come', sentAgo(1_000), doing(BUSY), 'ack', /did not arrive/],
    ['is not acknowledged by an agent at work while the box still holds it', SENT, doing(BUSY, OURS), 'enter', /not sent/],

    ['gets another Enter when it is still in the box', sentAgo(1_000), { screen: captured(READY, OURS) }, 'enter', /not sent/],
    ['gets its first Enter when there was none', TYPED, { screen: captured(READY, OURS) }, 'enter', /not sent/],
    ['gets no Enter so soon after the last', sentAgo(999), { screen: captured(READY, OURS) }, 'wait', /moment ago/],
    ['gets no early Enter with a slow agent', sentAgo(2_399), { screen: captured(READY, OURS), readTookMs: 600 }, 'wait', /moment ago/],
    [
      'gets another Enter with a slow agent in the end',
      sentAgo(2_400),
      { screen: captured(READY, OURS), readTookMs: 600 },
      'enter',
      /not sent/,
    ],
    [
      'gets its third further Enter after a longer wait',
      SENT,
      { screen: captured(READY, OURS), enters: { at: NOW - 3_000, times: 2 } },
      'enter',
      /not sent/,
    ],
    [
      'waits longer before each Enter',
      SENT,
      { screen: captured(READY, OURS), enters: { at: NOW - 2_999, times: 2 } },
      'wait',
      /moment ago/,
    ],
    [
      'is not given up while the last Enter may still be read',
      SENT,
      { screen: captured(READY, OURS), enters: { at: NOW - 7_999, times: 3 } },
      'wait',
      /any effect/,
    ],
    ['goes to a new incarnation when three further Enters had no effect', SENT, IGNORED, 'respawn', /4 presses/],
    ['fails when they had none there either', { ...SENT, attempt: 3 }, IGNORED, 'fail', /4 presses/],
    ['fails at once while a person is attached', SENT, { ...IGNORED, pane: { inMode: false, attached: true } }, 'fail', /4 presses/],
    [
      'is acknowledged when it led to a dialog below it',
      SENT,
      { screen: captured(PERMISSION, ABSENT), shown: true },
      'ack',
      /above the dialog/,
    ],
    [
      'is not acknowledged when the dialog has just opened',
      SENT,
      { screen: captured(PERMISSION, ABSENT, NOW - 999), shown: true },
      'wait',
      /dialog/,
    ],
    ['is not acknowledged when only the dialog shows', SENT, { screen: captured(PERMISSION, ABSENT) }, 'wait', /dialog/],
    ['is not acknowledged before its Enter', TYPED, { screen: captured(PERMISSION, ABSENT), shown: true }, 'wait', /dialog/],
    ['gets no Enter while a dialog shows', SENT, { screen: captured(PERMISSION, OURS) }, 'wait', /dialog/],
    [
      'gets no Enter while a dialog is reported',
      SENT,
      { assessment: anAssessment(QUESTION), screen: captured(READY, OURS) },
      'wait',
      /dialog/,
    ],
    ['gets no Enter in copy mode', SENT, { screen: captured(READY, OURS), pane: { inMode: true, attached: true } }, 'wait', /copy mode/],

    ['gets no Enter while a person types', SENT, { screen: captured(READY, OURS), personTypedAt: NOW - 3_999 }, 'wait', /person/],

    ['waits while the paste is arriving', sentAgo(100), { screen: captured(READY, PART, NOW - 199) }, 'wait', /arriving/],
    ['is wiped when only part of it arrived', TYPED, { screen: captured(READY, PART) }, 'wipe', /part/],
    ['is not wiped twice in a row', TYPED, { screen: captured(READY, PART), wipedAt: NOW - 2_999 }, 'wait', /moment ago/],
    ['is not wiped while its Enter may still be read', sentAgo(7_999), { screen: captured(READY, PART) }, 'wait', /may still be read/],
    [
      'is not wiped while the Enter of an earlier attempt may still be read',
      TYPED,
      { screen: captured(READY, PART), entered: true },
      'wait',
      /may still be read/,
    ],
    ['is wiped in the end', sentAgo(8_000), { screen: captured(READY, PART) }, 'wipe', /part/],
    ['waits while other text is in the input box', SENT, { screen: captured(READY, DRAFT) }, 'wait', /other text/],

    ['waits for its acknowledgement', sentAgo(1_999), {}, 'wait', /waiting for/],
    ['counts the wait from when the screen came to rest', SENT, idle(1_999), 'wait', /waiting for/],
    ['is acknowledged when the screen shows it in the conversation', SENT, { shown: true }, 'ack', /screen shows/],
    ['is acknowledged by the screen once it has come to rest', SENT, { ...idle(1_000), shown: true }, 'ack', /screen shows/],
    ['is not acknowledged by the screen before', SENT, { ...idle(999), shown: true }, 'wait', /waiting for/],
    ['is acknowledged when the agent has worked since', SENT, { worked: true }, 'ack', /worked since/],
    ['is queued again without any evidence of it', SENT, idle(2_000), 'requeue', /never reported/],
    [
      'counts as accepted by an agent without reports when the Enter emptied the box',
      SENT,
      { ...idle(1_000), boxIsEvidence: true },
      'ack',
      /emptied/,
    ],
    ['does not count as accepted before the screen has come to rest', SENT, { ...idle(999), boxIsEvidence: true }, 'wait', /waiting for/],
    [
      'does not count as accepted when a person sent something else meanwhile',
      SENT,
      { ...idle(2_000), boxIsEvidence: true, tookAnother: true },
      'requeue',
      /never/,
    ],
    ['counts as accepted above the dialog it led to', SENT, { ...asked(2_000), entered: true }, 'ack', /dialog followed/],
    [
      'counts as accepted also when the dialog is in the box',
      SENT,
      { screen: captured(PERMISSION, DRAFT, NOW - 2_000), boxIsEvidence: true, entered: true },
      'ack',
      /dialog followed/,
    ],
    ['does not count as accepted when the key may never have been pressed', SENT, { ...asked(2_000), entered: false }, 'wait', /dialog/],
    ['does not count as accepted before the dialog has been open a while', SENT, { ...asked(1_999), entered: true }, 'wait', /dialog/],
    [
      'does not count as accepted while the box holds it beside the dialog',
      SENT,
      { screen: captured(PERMISSION, OURS), boxIsEvidence: true, entered: true },
      'wait',
      /dialog/,
    ],
    ['waits while the agent’s process is stopped', SENT, { ...idle(60_000), ...stopped }, 'wait', /is stopped/],
    ['is not sent again while the process is stopped', SENT, { screen: captured(READY, OURS), ...stopped }, 'wait', /is stopped/],
    ['is not given up while the process is stopped', { ...SENT, attempt: 3 }, { ...idle(60_000), ...stopped }, 'wait', /is stopped/],
    ['counts no silence from before the agent ran again', SENT, { ...idle(60_000), pausedAt: NOW - 1_999 }, 'wait', /waiting for/],
    [
      'gives a woken agent time to show the paste',
      { ...TYPED, typed_ms: 0 },
      { ...idle(60_000), pausedAt: NOW - 7_999 },
      'wait',
      /not shown/,
    ],
    ['gives a woken agent time to read the Enter', SENT, { screen: captured(READY, OURS), pausedAt: NOW - 500 }, 'wait', /a moment ago/],
    [
      'is emptied after a suspension that may have cut a long line, although a fold looks whole',
      LONG_LINE,
      { screen: captured(READY, FOLD), continuedAt: NOW - 5_000 },
      'wipe',
      /part/,
    ],
    [
      'is sent when the suspension was before the paste',
      LONG_LINE,
      { screen: captured(READY, FOLD), continuedAt: NOW - 6_000 },
      'enter',
      /not sent/,
    ],
    [
      'is sent after a suspension that cuts no line of it',
      TYPED,
      { screen: captured(READY, OURS), continuedAt: NOW - 5_000 },
      'enter',
      /not sent/,
    ],
    ['waits for a process that does nothing', { ...TYPED, typed_ms: NOW - 29_999 }, { ...idle(60_000), inert: true }, 'wait', /no key yet/],
    ['is erased when the process did nothing for long', { ...TYPED, typed_ms: 0 }, { ...idle(30_000), inert: true }, 'wipe', /never/],
    [
      'is sent again to a process that shows its text and seems to do nothing: a key costs less time than the table counts',
      SENT,
      { screen: captured(READY, OURS), inert: true },
      'enter',
      /not sent/,
    ],
    ['is acknowledged together with what a person typed into it', SENT, { ack: { seq: 8, mixed: true } }, 'ack', /typed by a person/],
    ['is erased when it is in the box twice', TYPED, { screen: captured(READY, TWICE) }, 'wipe', /twice/],
    ['is erased when two pastes of it are in the box', { ...TYPED, attempt: 2 }, { screen: captured(READY, FOLDS) }, 'wipe', /twice/],
    ['is left alone beside the paste of a person', TYPED, { screen: captured(READY, FOLDS) }, 'wait', /other text/],
    ['is not erased before an Enter may have been read', SENT, { screen: captured(READY, TWICE) }, 'wait', /may still be read/],
    ['may be slow to show in the box', { ...TYPED, typed_ms: NOW - 7_999 }, idle(60_000), 'wait', /not shown/],
    ['is erased and typed again when it never shows', { ...TYPED, typed_ms: NOW - 8_000 }, idle(60_000), 'wipe', /never appeared/],
    [
      'is erased also for an agent without reports, when it had no Enter',
      { ...TYPED, typed_ms: 0 },
      { ...idle(8_000), boxIsEvidence: true },
      'wipe',
      /never appeared/,
    ],
    ['waits longer after the second attempt', { ...sentAgo(60_000), attempt: 2 }, idle(4_999), 'wait', /waiting for/],
    ['is lost 5 s after the second attempt', { ...sentAgo(60_000), attempt: 2 }, idle(5_000), 'requeue', /never reported/],
    ['waits longest after the third attempt', { ...sentAgo(60_000), attempt: 3 }, idle(9_999), 'wait', /waiting for/],
    ['fails when it was typed often enough', { ...sentAgo(60_000), attempt: 3 }, idle(10_000), 'fail', /3 attempts/],
    [
      'is not queued again while the agent is busy with something without a box',
      SENT,
      { screen: captured(BUSY, { kind: 'absent' }) },
      'wait',
      /waiting for/,
    ],
  ])('%s', (_, row, changes, kind, why) => {
    expect(decide(row, changes)).toMatchObject({ kind, why: expect.stringMatching(why) });
  });

  test('names the source of an acknowledgement', () => {
    expect(decide(SENT, { ack: { seq: 8 } })).toMatchObject({ event: 8, source: 'hook' });
    expect(decide(SENT, { written: true })).toMatchObject({ event: null, source: 'transcript' });
    expect(decide(SENT, { shown: true })).toMatchObject({ event: null, source: 'screen' });
  });
});

describe('after the clock was set back', () => {
  const LATER = NOW + 3_600_000;
  const EARLIER: Partial<Delivery> = { ...SENT, typed_ms: LATER, submitted_ms: LATER };
  test.each<Row>([
    ['a key of a person from before holds nothing', {}, { personTypedAt: LATER }, 'type', /ready/],
    ['a sent prompt gets its time again', EARLIER, { screen: captured(READY, EMPTY, NOW - 1_000), pausedAt: NOW - 1_000 }, 'wait', /ack/],
    ['a sent prompt that is nowhere is sent again', EARLIER, { screen: captured(READY, EMPTY, NOW - 60_000) }, 'requeue', /never/],
    ['a prompt in the box gets its Enter', EARLIER, { screen: captured(READY, OURS, NOW - 60_000) }, 'enter', /not sent/],
  ])('%s', (_, row, seen, kind, why) => {
    const step = decide(row, seen);
    expect(step.kind).toBe(kind);
    expect(step.why).toMatch(why);
  });
});

describe('a screen that may be out of date', () => {
  const UNKNOWN: Activity = { kind: 'unknown' };
  const NEVER = { redraw: { at: undefined } };
  test.each<[string, Partial<Delivery>, Partial<DeliveryView>, DeliveryStep['kind']]>([
    ['is redrawn when llmc cannot classify it', {}, { ...NEVER, screen: captured(UNKNOWN, { kind: 'absent' }) }, 'redraw'],
    ['is redrawn when it shows work without evidence', {}, { ...NEVER, screen: captured(BUSY, { kind: 'absent' }) }, 'redraw'],
    ['is not redrawn while it shows a dialog', {}, { ...NEVER, screen: captured(QUESTION, { kind: 'absent' }) }, 'hold'],
    ['is not redrawn while a person reads the transcript', {}, { ...NEVER, screen: captured(open('transcript'), ABSENT) }, 'hold'],
    ['is redrawn before a menu is believed for long', {}, { ...NEVER, screen: captured(open('menu'), ABSENT) }, 'redraw'],
    ['is left for a moment first', {}, { ...NEVER, screen: captured(UNKNOWN, { kind: 'absent' }, NOW - 1_999) }, 'wait'],
    ['is redrawn once', {}, { redraw: { at: 50 }, screen: captured(UNKNOWN, { kind: 'absent' }, 50) }, 'hold'],
    ['is redrawn again after it changed', {}, { redraw: { at: 50 }, screen: captured(UNKNOWN, { kind: 'absent' }, 51) }, 'redraw'],
    ['is redrawn when it shows no box', {}, { ...NEVER, screen: captured(READY, { kind: 'absent' }) }, 'redraw'],
    ['is redrawn before a draft is believed for long', {}, { ...NEVER, screen: captured(READY, DRAFT) }, 'redraw'],
    ['counts as a draft after the redraw', {}, { redraw: { at: 50 }, screen: captured(READY, DRAFT, 50) }, 'hold'],
    ['is redrawn before a prompt is typed again', SENT, { ...NEVER, screen: captured(READY, EMPTY, NOW - 2_000) }, 'redraw'],
    [
      'is enough for typing again after the redraw',
      SENT,
      { redraw: { at: NOW - 1 }, screen: captured(READY, EMPTY, NOW - 2_000) },
      'requeue',
    ],
    ['is redrawn when the box shows something else than was typed', SENT, { ...NEVER, screen: captured(READY, DRAFT) }, 'redraw'],
    ['is not redrawn while the agent works', SENT, { ...NEVER, ...doing(BUSY, { kind: 'absent' }) }, 'wait'],
    ['is not redrawn when the CLI has no keys for it', {}, { screen: captured(UNKNOWN, { kind: 'absent' }) }, 'hold'],
  ])('%s', (_, row, changes, kind) => {
    expect(decide(row, changes).kind).toBe(kind);
  });
});

describe('whatever the evidence is', () => {
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
      screen: maybe(fc.tuple(fc.constantFrom(...ACTIVITIES), fc.constantFrom(...boxes), instant).map((parts) => captured(...parts))),
      ack: maybe(fc.constant({ seq: 8 })),
      written: fc.boolean(),
      shown: fc.boolean(),
      tookAnother: fc.boolean(),
      personTypedAt: maybe(instant),
      conversationUsed: fc.boolean(),
      clearsByLaunch: fc.boolean(),
      boxIsEvidence: fc.boolean(),
      entered: fc.boolean(),
      clearTyped: fc.boolean(),
      worked: fc.boolean(),
      wipedAt: maybe(instant),
      redraw: maybe(fc.record({ at: maybe(instant) })),
      clearing: maybe(counter),
      enters: maybe(counter),
      parked: maybe(fc.constant(PARKED)),
    })
    .map(aDeliveryView);

  /** Holds for every step; `claim` returns false where it does not. */
  const always = (claim: (step: DeliveryStep, row: Delivery, seen: DeliveryView) => boolean) =>
    fc.assert(
      fc.property(rows, views, (row, current) => claim(decideDelivery(row, current, DELIVERY_POLICY, NOW), row, current)),
      { numRuns: 2_000 },
    );
  const inFlight = (row: Delivery) => row.state === 'typed' || row.state === 'submitted';
  const atPrompt = (kind: string | undefined) => kind === 'ready' || kind === 'error' || kind === 'waiting_limit';
  const isAlone = ({ personTypedAt }: DeliveryView) => personTypedAt === undefined || NOW - personTypedAt >= DELIVERY_POLICY.personPauseMs;
  const isDialog = (kind: string | undefined) => kind === 'awaiting_question' || kind === 'awaiting_permission';

  test('llmc types only into an agent that is assessed and captured at its prompt, with an empty box', () => {
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

  test('nothing is sent to a parked account', () => {
    always((step, _, current) => current.parked === undefined || !['type', 'clear', 'enter', 'relaunch'].includes(step.kind));
  });

  test('no key goes into a dialog, into copy mode, between those of a person, or to an agent without a fresh capture', () => {
    always((step, _, current) => {
      if (!['type', 'clear', 'enter', 'wipe', 'redraw'].includes(step.kind)) return true;
      const { kind } = current.assessment.activity;
      const shown = current.screen?.reading.activity.kind;
      const known = current.screen !== undefined && kind !== 'unknown' && kind !== 'exited';
      return known && !isDialog(kind) && !isDialog(shown) && current.pane?.inMode !== true && isAlone(current);
    });
  });

  test('Enter is pressed only on text of llmc', () => {
    always((step, row, current) => {
      if (step.kind !== 'enter') return true;
      const holds = current.screen !== undefined && boxHolds(current.screen.reading.box, row.sent_text ?? row.text) === 'whole';
      return inFlight(row) ? holds : current.clearTyped && current.clearing !== undefined;
    });
  });

  test('only text of llmc is ever removed from the box', () => {
    always((step, row, current) => {
      if (step.kind !== 'wipe') return true;
      return (
        current.leftover ||
        (inFlight(row) && current.screen !== undefined && boxHolds(current.screen.reading.box, row.sent_text ?? row.text) === 'part') ||
        // The box is empty: text that may still be on its way into it is llmc's.
        (inFlight(row) && row.submitted_ms === null && current.screen?.reading.box.kind === 'empty')
      );
    });
  });

  test('an acknowledged prompt is never typed or queued again', () => {
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
    always((step, row) => step.kind !== 'type' || row.attempt < DELIVERY_POLICY.maxAttempts);
  });

  test('an acknowledgement needs evidence', () => {
    always((step, row, current) => {
      if (step.kind !== 'ack') return true;
      if (step.source === 'hook') return current.ack !== undefined && step.event === current.ack.seq;
      const works = current.screen?.reading.activity.kind === 'processing' && current.screen.reading.box.kind === 'empty';
      const held = current.screen === undefined ? 'whole' : boxHolds(current.screen.reading.box, row.sent_text ?? row.text);
      const gone = current.screen?.reading.box.kind === 'empty' || (current.entered === true && held !== 'whole' && held !== 'part');
      const emptied = current.boxIsEvidence === true && row.submitted_ms !== null && gone;
      const captured = current.shown || current.worked || works || emptied;
      return step.event === null && (step.source === 'transcript' ? current.written : captured);
    });
  });

  test('every step has a reason', () => {
    always((step) => step.why.length > 5);
  });
});
