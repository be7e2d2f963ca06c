import { type Activity, type Assessment, type OpenView, standsAtItsPrompt } from '../../agents/activity.ts';
import type { ScreenReading } from '../../agents/agent.ts';
import type { Instant } from '../../base/ports.ts';
import type { Delivery } from '../../store/tables/deliveries.ts';
import type { DeliveryReason, FailReason, HoldReason } from '../../store/tables/delivery-reason.ts';
import { reasonText } from '../../workers/prompt/delivery-reason-text.ts';
import type { PlainTyping } from '../observe/watch.ts';
import type { Seen } from './text/seen-text.ts';

/** The steps that are the same on both channels. `why` is for people; no code compares it. */
export type CommonStep =
  /** `holds`: what it waits for, where that can last. */
  | { readonly kind: 'wait'; readonly why: string; readonly holds?: HoldReason | undefined }
  | { readonly kind: 'hold'; readonly reason: HoldReason; readonly why: string }
  | { readonly kind: 'requeue'; readonly reason: DeliveryReason; readonly why: string }
  | { readonly kind: 'fail'; readonly reason: FailReason; readonly why: string }
  | {
      readonly kind: 'ack';
      readonly event: number | null;
      readonly source: NonNullable<Delivery['ack_source']>;
      readonly why: string;
      /** The agent got it together with text that a person typed into the same box. */
      readonly mixed?: boolean;
    };

type Wait = Extract<CommonStep, { kind: 'wait' }>;

/** A step for a prompt that is typed. */
export type TypingStep =
  | CommonStep
  | { readonly kind: 'clear' | 'relaunch' | 'type' | 'enter' | 'leave_mode' | 'redraw'; readonly why: string }
  /** `attempt`: the attempts that count as used when the agent runs again. */
  | { readonly kind: 'respawn'; readonly attempt: number; readonly why: string }
  | { readonly kind: 'wipe'; readonly reason: DeliveryReason; readonly why: string };

export interface DeliveryPolicy {
  readonly ackTimeoutMs: number;
  readonly enterRetryCount: number;
  readonly enterRetryDelayMs: number;
  readonly maxAttempts: number;
  /** A person who pressed a key this recently may press the next one. */
  readonly personPauseMs: number;
}

export interface DeliveryView {
  readonly assessment: Assessment;
  readonly incarnation: number;
  readonly pane: { readonly inMode: boolean; readonly attached: boolean } | undefined;
  /** The classified screen of this pass, and since when it has been classified the same. */
  readonly screen: { readonly reading: ScreenReading; readonly since: Instant } | undefined;
  /** The event that acknowledges this delivery, if the agent sent one. `mixed`: together with text that a person typed. */
  readonly ack: { readonly seq: number; readonly mixed?: boolean } | undefined;
  /** The transcript of the CLI holds the prompt. */
  readonly written: boolean;
  /** The screen shows the prompt above the input box, and no earlier prompt reads the same. */
  readonly shown: boolean;
  /** The agent accepted something else since this was typed, such as a person's own prompt. */
  readonly tookAnother: boolean;
  readonly personTypedAt: Instant | undefined;
  /** When the agent was last observed unable to run: its silence until then proves nothing. */
  readonly pausedAt?: Instant | undefined;
  /** When the agent was last continued because it was suspended: what was pasted shortly before went to a terminal that cuts long lines. */
  readonly continuedAt?: Instant | undefined;
  /** The agent's process has used no processor time for a while, so it has read no key either. */
  readonly inert?: boolean | undefined;
  /** The conversation holds an earlier task. */
  readonly conversationUsed: boolean;
  /** Only a new launch empties the conversation of this agent. */
  readonly clearsByLaunch?: boolean | undefined;
  /** This agent sends no reports: a prompt whose Enter emptied the box counts as taken. */
  readonly boxIsEvidence?: boolean | undefined;
  /** This process pressed its Enter. The row is written before the key, so the row does not prove it. */
  readonly entered?: boolean | undefined;
  /** The box holds an earlier prompt: an interrupt before the first answer puts it back there. */
  readonly leftover: boolean;
  /** The box holds the command that clears the conversation. */
  readonly clearTyped: boolean;
  /** The agent worked, or ended a turn, after this prompt was sent. */
  readonly worked: boolean;
  readonly wipedAt: Instant | undefined;
  /** When llmc last made the agent redraw its screen; undefined when this CLI has no key for it. */
  readonly redraw: { readonly at: Instant | undefined } | undefined;
  readonly clearing: { readonly at: Instant; readonly times: number } | undefined;
  readonly enters: { readonly at: Instant; readonly times: number } | undefined;
  /** How long the agent took to show the paste; it will take as long to read a key. */
  readonly readTookMs?: number | undefined;
  /** For an agent without patterns: what its whole screen shows of the prompt. */
  readonly plain?: PlainView | undefined;
  /** Why nothing may be sent to this account right now. */
  readonly parked?: HoldReason | undefined;
}

/** What the screen of an agent without patterns says about a prompt. */
export interface PlainView {
  /** How much of the text shows since it was typed. Without a screen from before (`typing` undefined), whether it shows at all. */
  readonly seen: Seen;
  /** The text stands directly before the cursor, not sent. */
  readonly beforeCursor: boolean;
  /** This process typed it, in this attempt. */
  readonly typing: PlainTyping | undefined;
  /** The text or the cursor has changed since Enter. */
  readonly changedSinceEnter: boolean;
  /** What was typed in the attempt before shows no more. */
  readonly isWiped: boolean;
  /** Since the program last wrote anything. */
  readonly quietMs: number;
}

/** The facts for a rule that needs no screen. */
export interface Facts {
  readonly row: Delivery;
  readonly view: DeliveryView;
  readonly policy: DeliveryPolicy;
  readonly now: Instant;
}

/** The same, once this pass has captured the screen. */
export interface ScreenFacts extends Facts {
  readonly reading: ScreenReading;
  readonly since: Instant;
}

export const waitStep = (why: string, holds?: HoldReason): Wait => ({ kind: 'wait', why, ...(holds && { holds }) });
export const waitForReason = (reason: HoldReason | undefined, now: Instant): Wait | undefined =>
  reason && waitStep(reasonText(reason, now), reason);
export const because = <Kind extends string, Reason extends DeliveryReason>(kind: Kind, reason: Reason, now: Instant) => ({
  kind,
  reason,
  why: reasonText(reason, now),
});

const REDRAW_AFTER_MS = 2_000;

/**
 * Redraws the screen once before believing a state that would hold a prompt forever or have it typed again. When tmux 3.3a and
 * Claude Code 2.1 disagree about the width of a joined emoji, they leave wrong characters on the screen until it is redrawn.
 */
export function unlessRedrawn({ view: { redraw }, since, now }: ScreenFacts, otherwise: TypingStep): TypingStep {
  if (redraw === undefined || now - since < REDRAW_AFTER_MS) return otherwise;
  if (redraw.at !== undefined && redraw.at >= since) return otherwise;
  return { kind: 'redraw', why: otherwise.why };
}

/** Ctrl-C twice within this time ends Claude Code. */
const WIPE_PAUSE_MS = 3_000;

export function wipe({ view: { wipedAt }, now }: Facts, reason: DeliveryReason): TypingStep {
  const justWiped = wipedAt !== undefined && now - wipedAt < WIPE_PAUSE_MS;
  return justWiped ? waitStep('the box was emptied a moment ago') : because('wipe', reason, now);
}

/**
 * The last attempt goes to a new incarnation that resumes the conversation: an agent that lost the prompt before loses it again. Ending
 * an agent needs two witnesses, so that a wrong screen does not end a working one: its screen, and its own report that it is idle. A
 * person who is attached decides alone.
 */
export function respawn({ view: { assessment, boxIsEvidence, pane }, policy }: Facts, why: string): TypingStep | undefined {
  const reports = assessment.source === 'hook' || assessment.source === 'status_file';
  if (!reports || !standsAtItsPrompt(assessment.activity) || boxIsEvidence === true || pane?.attached !== false) return undefined;
  return { kind: 'respawn', attempt: policy.maxAttempts - 1, why };
}

/** Why the agent cannot take a new prompt now. */
export function whyNotReady(activity: Activity): HoldReason | undefined {
  switch (activity.kind) {
    case 'exited':
      return { kind: 'not_running' };
    case 'unknown':
      if (activity.opened !== undefined) return somethingOpen(activity.opened);
      return activity.stopped === undefined ? { kind: 'unknown_activity' } : { kind: 'agent_stopped', pid: activity.stopped.pid };
    case 'starting':
      return { kind: 'starting' };
    case 'processing':
      // Its turn is over; the task it left running does not read the box.
      return activity.detail === 'background' ? undefined : { kind: 'busy' };
    case 'awaiting_question':
      return { kind: 'dialog_open', question: activity.question };
    case 'awaiting_permission': {
      const { question, tool, command } = activity;
      return { kind: 'dialog_open', question, ...(command !== undefined && { tool, command }) };
    }
    case 'ready':
    case 'error':
    case 'waiting_limit':
      return undefined;
  }
}

const KEY_TIME_MS = 1_000;

/** A person uses the pane: keys of llmc must not mix with theirs. */
export function whoseKeys({ view, policy, now }: Facts): HoldReason | undefined {
  if (view.pane?.inMode === true) return { kind: 'copy_mode' };
  const keyAt = view.personTypedAt;
  // A key in the future is from before the clock was set back. tmux tells its time in whole seconds.
  if (keyAt !== undefined && keyAt <= now + KEY_TIME_MS && now - keyAt < policy.personPauseMs) return { kind: 'person_typing' };
  return undefined;
}

export function somethingOpen({ what, title, key }: OpenView): HoldReason {
  return { kind: 'something_open', what, title, key };
}
