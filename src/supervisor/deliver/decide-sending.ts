import type { Assessment } from '../../agents/activity.ts';
import type { PromptFate } from '../../agents/protocol.ts';
import type { Instant } from '../../base/ports.ts';
import type { Delivery } from '../../store/deliveries.ts';
import { whyNotReady } from './decide-delivery.ts';

export interface SendingPolicy {
  readonly ackTimeoutMs: number;
  readonly maxAttempts: number;
}

export interface SendingView {
  readonly assessment: Assessment;
  /** Its conversation is open, and written down as the worker's own. */
  readonly open: boolean;
  readonly openedAt: Instant | undefined;
  /** The conversation still holds an earlier task. */
  readonly conversationUsed: boolean;
  /** The event that acknowledges this prompt. */
  readonly ack: { readonly seq: number } | undefined;
  readonly fate: PromptFate;
  /** Records of the conversation that have been read over this connection. */
  readonly recordsTaken: number;
  /** When the record was last asked for on account of this prompt, and how many had been read then. */
  readonly asked: { readonly at: Instant; readonly recordsBefore: number } | undefined;
  /** Why nothing may be sent to any agent of its account right now. */
  readonly parked?: string | undefined;
}

export type SendingStep =
  | { readonly kind: 'wait' | 'hold' | 'start_over' | 'send' | 'read_again' | 'requeue' | 'fail'; readonly why: string }
  | { readonly kind: 'ack'; readonly event: number; readonly why: string };

/** An agent that took a prompt and never shows it is broken in a way that sending it again would make worse. */
const NEVER_SHOWN_MS = 60_000;
const NEVER_PROVEN_MS = 5 * 60_000;

/** The next step for one prompt on its way to an agent that is spoken to. It is sent again only when the agent's own record proves that it is not there. */
export function decideSending(row: Delivery, view: SendingView, policy: SendingPolicy, now: Instant): SendingStep {
  return row.state === 'typed' || row.state === 'submitted' ? inFlight(row, view, policy, now) : waiting(row, view, policy);
}

function waiting(row: Delivery, view: SendingView, policy: SendingPolicy): SendingStep {
  const obstacle = view.parked ?? whyNotReady(view.assessment.activity);
  if (obstacle !== undefined) return { kind: 'hold', why: obstacle };
  if (!view.open) return { kind: 'wait', why: 'its conversation is being opened' };
  if (row.attempt >= policy.maxAttempts) return { kind: 'fail', why: `not accepted after ${row.attempt} attempts` };
  if (row.fresh_conversation === 1 && view.conversationUsed)
    return { kind: 'start_over', why: 'a new task starts with an empty conversation' };
  return { kind: 'send', why: 'the agent is ready' };
}

function inFlight(row: Delivery, view: SendingView, policy: SendingPolicy, now: Instant): SendingStep {
  if (view.ack !== undefined) return { kind: 'ack', event: view.ack.seq, why: 'the agent handed back its id' };
  if (!view.open) return { kind: 'wait', why: 'the conversation it was sent to is not open' };
  if (typeof view.fate === 'object') return again(row, policy, `the agent refused it: ${view.fate.refused}`);
  const sentAt = row.submitted_ms ?? row.typed_ms ?? now;
  const readSinceAsked = view.asked !== undefined && view.recordsTaken > view.asked.recordsBefore;
  if (view.fate === 'accepted') {
    // A turn that goes on and on gives no record that proves anything.
    if (now - sentAt >= (readSinceAsked ? NEVER_SHOWN_MS : NEVER_PROVEN_MS))
      return { kind: 'fail', why: 'the agent took it, but its record of the conversation does not hold it' };
    return now - (view.asked?.at ?? sentAt) >= policy.ackTimeoutMs
      ? { kind: 'read_again', why: 'the agent took it and has not shown it yet' }
      : { kind: 'wait', why: 'the agent took it; its report is awaited' };
  }
  // Over another connection nothing more will be heard of it: the record decides.
  const cutOff = (view.openedAt ?? 0) > sentAt;
  if (readSinceAsked) return again(row, policy, 'the agent’s record of the conversation does not hold it');
  if (view.asked !== undefined && now - view.asked.at < policy.ackTimeoutMs) return { kind: 'wait', why: 'its record is being read' };
  if (cutOff || now - sentAt >= policy.ackTimeoutMs) return { kind: 'read_again', why: 'no word came back on it' };
  return { kind: 'wait', why: 'the acknowledgement is awaited' };
}

function again(row: Delivery, policy: SendingPolicy, why: string): SendingStep {
  return row.attempt < policy.maxAttempts ? { kind: 'requeue', why } : { kind: 'fail', why: `${why}, ${row.attempt} times` };
}
