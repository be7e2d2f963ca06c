import type { Assessment } from '../../agents/activity.ts';
import type { PromptFate } from '../../agents/protocol.ts';
import type { Instant } from '../../base/ports.ts';
import type { Delivery } from '../../store/tables/deliveries.ts';
import type { FailReason, HoldReason } from '../../store/tables/delivery-reason.ts';
import { ATTEMPTS_USED_UP, conversationToClear } from './common-rules.ts';
import { because, type CommonStep, waitStep, whyNotReady } from './delivery-step.ts';
import { firstStep, type Rule, type Ruled } from './rules.ts';

export interface SendingPolicy {
  readonly ackTimeoutMs: number;
  readonly maxAttempts: number;
}

export interface SendingView {
  readonly assessment: Assessment;
  /** The conversation is open, and recorded as the worker's own. */
  readonly open: boolean;
  readonly openedAt: Instant | undefined;
  /** The conversation still holds an earlier task. */
  readonly conversationUsed: boolean;
  /** The event that acknowledges this prompt. */
  readonly ack: { readonly seq: number } | undefined;
  readonly fate: PromptFate;
  /** Records of the conversation that have been read over this connection. */
  readonly recordsTaken: number;
  /** When the record was last requested because of this prompt, and how many had been read by then. */
  readonly asked: { readonly at: Instant; readonly recordsBefore: number } | undefined;
  /** Why nothing may be sent to this account right now. */
  readonly parked?: HoldReason | undefined;
}

type Step = CommonStep | { readonly kind: 'start_over' | 'send' | 'read_again'; readonly why: string };
export type SendingStep = Ruled<Step>;

interface Facts {
  readonly row: Delivery;
  readonly view: SendingView;
  readonly policy: SendingPolicy;
  readonly now: Instant;
  readonly sentAt: Instant;
  readonly readSinceAsked: boolean;
}

/** An agent that takes a prompt and never records it is broken; sending the prompt again would make it worse. */
const NEVER_SHOWN_MS = 60_000;
const NEVER_PROVEN_MS = 5 * 60_000;

const WAITING: readonly Rule<Facts, Step>[] = [
  { name: 'account parked', step: ({ view, now }) => view.parked && because('hold', view.parked, now) },
  {
    name: 'agent not ready',
    step: ({ view, now }) => {
      const reason = whyNotReady(view.assessment.activity);
      return reason && because('hold', reason, now);
    },
  },
  { name: 'conversation not open', step: ({ view }) => (view.open ? undefined : waitStep('its conversation is being opened')) },
  ATTEMPTS_USED_UP,
  conversationToClear((_, why) => ({ kind: 'start_over', why })),
];
const READY_TO_SEND: SendingStep = { kind: 'send', why: 'the agent is ready', rule: 'ready to send' };

const IN_FLIGHT: readonly Rule<Facts, Step>[] = [
  {
    name: 'reported',
    step: ({ view: { ack } }) => ack && { kind: 'ack', event: ack.seq, source: 'protocol', why: 'the agent returned its id' },
  },
  { name: 'conversation not open', step: ({ view }) => (view.open ? undefined : waitStep('the conversation it was sent to is not open')) },
  {
    name: 'refused',
    step: (facts) => {
      const { fate } = facts.view;
      return typeof fate === 'object' ? again(facts, { kind: 'refused', message: fate.refused }) : undefined;
    },
  },
  { name: 'taken, not shown', step: (facts) => (facts.view.fate === 'accepted' ? takenNotShown(facts) : undefined) },
  { name: 'not in the record', step: (facts) => (facts.readSinceAsked ? again(facts, { kind: 'not_in_record' }) : undefined) },
  {
    name: 'record asked for',
    step: ({ view: { asked }, policy, now }) =>
      asked !== undefined && now - asked.at < policy.ackTimeoutMs ? waitStep('its record is being read') : undefined,
  },
  {
    // A new connection reports nothing about an earlier prompt, so the record decides.
    name: 'not reported',
    step: ({ view, policy, now, sentAt }) =>
      (view.openedAt ?? 0) > sentAt || now - sentAt >= policy.ackTimeoutMs
        ? { kind: 'read_again', why: 'the agent has not reported it' }
        : undefined,
  },
];
const AWAITED: SendingStep = { kind: 'wait', why: 'waiting for the acknowledgement', rule: 'acknowledgement not late' };

/** Decides the next step for a prompt that is sent over a protocol. It is sent again only when the agent's record proves that it is missing. */
export function decideSending(row: Delivery, view: SendingView, policy: SendingPolicy, now: Instant): SendingStep {
  const sentAt = row.submitted_ms ?? row.typed_ms ?? now;
  const readSinceAsked = view.asked !== undefined && view.recordsTaken > view.asked.recordsBefore;
  const facts = { row, view, policy, now, sentAt, readSinceAsked };
  return row.state === 'typed' || row.state === 'submitted'
    ? (firstStep(IN_FLIGHT, facts) ?? AWAITED)
    : (firstStep(WAITING, facts) ?? READY_TO_SEND);
}

function takenNotShown({ view, policy, now, sentAt, readSinceAsked }: Facts): Step {
  // A turn that does not end gives no record that proves anything.
  if (now - sentAt >= (readSinceAsked ? NEVER_SHOWN_MS : NEVER_PROVEN_MS)) return because('fail', { kind: 'never_recorded' }, now);
  return now - (view.asked?.at ?? sentAt) >= policy.ackTimeoutMs
    ? { kind: 'read_again', why: 'the agent took it and has not shown it yet' }
    : waitStep('the agent took it; waiting for its report');
}

function again({ row, policy, now }: Facts, reason: Extract<FailReason, { kind: 'refused' | 'not_in_record' }>): Step {
  if (row.attempt < policy.maxAttempts) return because('requeue', reason, now);
  return because('fail', { ...reason, attempts: row.attempt }, now);
}
