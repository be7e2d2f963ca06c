import type { InputBox } from '../agents/agent.ts';
import type { Case } from '../recovery/cases/case.ts';
import type { Delivery } from '../store/tables/deliveries.ts';
import type { DeliveryStep } from './deliver/decide-delivery.ts';
import type { DeliveryPolicy, DeliveryView } from './deliver/delivery-step.ts';
import { aDelivery, aDeliveryView, anAssessment, aReading, BUSY, QUESTION, READY } from './samples.ts';

/** For tests and for docs/recovery.md: what follows when a prompt is lost on its way, or arrives in part. */

export const TYPED_AT = 100_000;

interface Sent {
  readonly row: Delivery;
  readonly view: DeliveryView;
}
type DeliveryCase = Case<Sent, DeliveryPolicy, DeliveryStep>;

const EMPTY: InputBox = { kind: 'empty' };
const OURS: InputBox = { kind: 'text', text: 'Fix the typo' };
const PART: InputBox = { kind: 'text', text: 'Fix the' };

const sentAgo = (ms: number): Partial<Delivery> => ({
  state: 'submitted',
  attempt: 1,
  incarnation: 1,
  after_event: 7,
  typed_ms: TYPED_AT - ms - 200,
  submitted_ms: TYPED_AT - ms,
});
const SENT = sentAgo(12_000);
/** Pasted, without an Enter. */
const PASTED: Partial<Delivery> = { ...SENT, state: 'typed', submitted_ms: null };
const shows = (box: InputBox, activity = READY): Partial<DeliveryView> => ({
  assessment: anAssessment(activity),
  screen: { reading: aReading(activity, box), since: 0 },
});

const row = (when: string, sent: Partial<Delivery>, changes: Partial<DeliveryView>, step: DeliveryCase['step']): DeliveryCase => ({
  when,
  view: { row: aDelivery(sent), view: aDeliveryView(changes) },
  step,
});

const IGNORED: Partial<DeliveryView> = { ...shows(OURS), enters: { at: TYPED_AT - 9_000, times: 3 } };
const LOST_TWICE: Partial<Delivery> = { attempt: 2, incarnation: 1, reason: { kind: 'never_reported' } };
const ON_SCREEN: Partial<DeliveryView> = { assessment: anAssessment(READY, { source: 'screen' }) };

export const LOST_INPUT_CASES: readonly DeliveryCase[] = [
  row('the agent reports exactly this text', SENT, { ack: { seq: 8 } }, { kind: 'ack', source: 'hook' }),
  row('no report came, and the transcript holds the prompt', SENT, { written: true }, { kind: 'ack', source: 'transcript' }),
  row('no report came, and the screen shows the prompt', SENT, { shown: true }, { kind: 'ack', source: 'screen' }),
  row('no report came, and the agent has worked since', SENT, { worked: true }, { kind: 'ack', source: 'screen' }),
  row('the report is not late yet', sentAgo(900), {}, { kind: 'wait' }),
  row('the whole text is still in the box', SENT, shows(OURS), { kind: 'enter' }),
  row('it is still there after three more Enters', SENT, IGNORED, { kind: 'respawn' }),
  row('the same at the last attempt', { ...SENT, attempt: 3 }, IGNORED, { kind: 'fail' }),
  row('the same while a person is attached', SENT, { ...IGNORED, pane: { inMode: false, attached: true } }, { kind: 'fail' }),
  row('the agent is idle, its box is empty, and it reported nothing', SENT, {}, { kind: 'requeue' }),
  row('the agent lost it twice, and its screen and its own report say that it is idle', LOST_TWICE, {}, { kind: 'respawn' }),
  row('the same, and it runs again', LOST_TWICE, { incarnation: 2 }, { kind: 'type' }),
  row('the agent lost it twice, and only its screen says that it is idle', LOST_TWICE, ON_SCREEN, { kind: 'type' }),
  row('the agent reported nothing after the third attempt', { ...SENT, attempt: 3 }, {}, { kind: 'fail' }),
  row('nothing is known of it 2 s after the first attempt', sentAgo(2_000), {}, { kind: 'requeue' }),
  row('nothing is known of it less than 5 s after the second attempt', { ...sentAgo(4_999), attempt: 2 }, {}, { kind: 'wait' }),
  row('the same after 5 s', { ...sentAgo(5_000), attempt: 2 }, {}, { kind: 'requeue' }),
  row('nothing is known of it less than 10 s after the third attempt', { ...sentAgo(9_999), attempt: 3 }, {}, { kind: 'wait' }),
  row('the same after 10 s', { ...sentAgo(10_000), attempt: 3 }, {}, { kind: 'fail' }),
  row('the agent it was typed into is gone', SENT, { incarnation: 2 }, { kind: 'requeue' }),
  row('a dialog is open', SENT, shows({ kind: 'absent' }, QUESTION), { kind: 'wait' }),
  row('the agent works, and its report did not come', SENT, shows(EMPTY, BUSY), { kind: 'ack', source: 'screen' }),
];

export const PARTIAL_SEND_CASES: readonly DeliveryCase[] = [
  row('the whole text is in the box without an Enter', PASTED, shows(OURS), { kind: 'enter' }),
  row('part of the text is in the box', PASTED, shows(PART), { kind: 'wipe' }),
  row('the box was emptied a moment ago', PASTED, { ...shows(PART), wipedAt: TYPED_AT - 1_000 }, { kind: 'wait' }),
  row('part of it is in the box, and an Enter may still be read', { ...SENT, submitted_ms: TYPED_AT - 5_000 }, shows(PART), {
    kind: 'wait',
  }),
  row('the text never showed in the box', PASTED, {}, { kind: 'wipe' }),
  row('it never showed in the third attempt', { ...PASTED, attempt: 3 }, {}, { kind: 'fail' }),
  row('the box holds other text', PASTED, shows({ kind: 'text', text: 'my own words' }), { kind: 'wait' }),
];
