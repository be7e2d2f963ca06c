import type { Activity, Assessment } from '../../agents/activity.ts';
import type { ScreenReading } from '../../agents/agent.ts';
import type { Instant } from '../../base/ports.ts';
import type { Delivery } from '../../store/deliveries.ts';
import { BUSY, NOT_RUNNING, STARTING } from '../../workers/prompt/hold-reasons.ts';
import { boxHolds } from './input-box.ts';

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
  /** A reading taken in this very pass, with the time since when it has not changed. */
  readonly screen: { readonly reading: ScreenReading; readonly since: Instant } | undefined;
  /** The event that acknowledges this delivery, if the agent sent one. */
  readonly ack: { readonly seq: number } | undefined;
  /** The CLI's own record of the conversation holds the prompt. */
  readonly written: boolean;
  /** The prompt stands in the transcript part of the screen, and no earlier one reads the same. */
  readonly shown: boolean;
  /** The agent accepted something else since this was typed, such as a person's own prompt. */
  readonly tookAnother: boolean;
  readonly personTypedAt: Instant | undefined;
  /** The conversation still holds an earlier task. */
  readonly conversationUsed: boolean;
  /** Only a new launch empties the conversation of this agent. */
  readonly clearsByLaunch?: boolean | undefined;
  /** This agent need not report anything: a prompt whose Enter emptied the box was taken. */
  readonly boxIsWitness?: boolean | undefined;
  /** Its Enter was pressed by this very process: a row is written before the key, so a row alone does not tell. */
  readonly entered?: boolean | undefined;
  /** An earlier prompt of ours stands in the box: an interrupt before the first answer puts it back there. */
  readonly leftover: boolean;
  /** The command that empties a conversation stands in the box. */
  readonly clearTyped: boolean;
  /** The agent was seen at work, or ended a turn, after this prompt was sent. */
  readonly worked: boolean;
  readonly wipedAt: Instant | undefined;
  /** When the screen was last drawn anew on our request; undefined when this CLI cannot be asked for it. */
  readonly redraw: { readonly at: Instant | undefined } | undefined;
  readonly clearing: { readonly at: Instant; readonly times: number } | undefined;
  readonly enters: { readonly at: Instant; readonly times: number } | undefined;
  /** How long the agent took to show the paste: it will take as long to read a key. */
  readonly readTookMs?: number | undefined;
  /** Why nothing may be sent to any agent of its account right now. */
  readonly parked?: string | undefined;
}

export type DeliveryStep =
  | {
      readonly kind: 'wait' | 'hold' | 'clear' | 'relaunch' | 'type' | 'enter' | 'wipe' | 'leave_mode' | 'redraw' | 'requeue' | 'fail';
      readonly why: string;
    }
  | {
      readonly kind: 'ack';
      readonly event: number | null;
      readonly source: 'hook' | 'screen' | 'transcript' | 'protocol';
      readonly why: string;
    };

/** Only a person can settle it: they may want what they wrote. */
export const DRAFT = 'a draft stands in the input box';

const CLEAR_PATIENCE_MS = 3_000;
/** Ctrl-C twice within this time ends Claude Code. */
const WIPE_PAUSE_MS = 3_000;
const MOST_CLEARS = 3;
const REDRAW_AFTER_MS = 2_000;
const GIVE_UP_AFTER_MS = 8_000;
/** An agent may take this many times longer to read a key than it took to show the paste before. */
const SLOWER_THAN_SEEN = 4;

/** The next step for one prompt on its way into an agent. Nothing is typed unless a fresh look shows an empty box and a ready agent. */
export function decideDelivery(row: Delivery, view: DeliveryView, policy: DeliveryPolicy, now: Instant): DeliveryStep {
  return row.state === 'typed' || row.state === 'submitted' ? inFlight(row, view, policy, now) : waiting(row, view, policy, now);
}

function waiting(row: Delivery, view: DeliveryView, policy: DeliveryPolicy, now: Instant): DeliveryStep {
  // Somebody scrolled and left; nobody is there to leave the mode.
  if (view.pane?.inMode === true && !view.pane.attached) return { kind: 'leave_mode', why: 'the pane was left in copy mode' };
  const obstacle = view.parked ?? whyNotNow(view, policy, now);
  if (obstacle !== undefined) return { kind: 'hold', why: obstacle };
  if (view.screen === undefined) return { kind: 'wait', why: 'no fresh look at the screen yet' };
  const { reading } = view.screen;
  if (!standsAtItsPrompt(reading.activity)) {
    const unclear: DeliveryStep = { kind: 'wait', why: `the screen does not show a ready agent (${reading.rule})` };
    const dialog = reading.activity.kind === 'awaiting_question' || reading.activity.kind === 'awaiting_permission';
    return dialog ? unclear : unlessRedrawn(view, now, unclear);
  }
  if (view.leftover) {
    // A prompt just taken still stands there until the CLI draws again: a Ctrl-C then would interrupt its turn and lose it.
    if (now - view.screen.since < policy.ackTimeoutMs) return { kind: 'wait', why: 'an earlier prompt still stands in the box' };
    return wipe(view, now, 'an earlier prompt went back into the box');
  }
  if (reading.box.kind === 'text' || reading.box.kind === 'folded') {
    // Only the command itself: a person may have begun a draft while the conversation was being cleared.
    if (view.clearing === undefined || !view.clearTyped) return unlessRedrawn(view, now, { kind: 'hold', why: DRAFT });
    return now - view.clearing.at > policy.enterRetryDelayMs
      ? { kind: 'enter', why: 'the clear command sits unsent in the box' }
      : { kind: 'wait', why: 'the conversation is being cleared' };
  }
  if (reading.box.kind === 'absent') return unlessRedrawn(view, now, { kind: 'wait', why: 'no input box on the screen' });
  if (row.attempt >= policy.maxAttempts) return { kind: 'fail', why: `not accepted after ${row.attempt} attempts` };
  if (row.fresh_conversation === 1 && view.conversationUsed)
    return view.clearsByLaunch === true ? { kind: 'relaunch', why: FRESH } : clearFirst(view, now);
  return { kind: 'type', why: 'the agent is ready and its input box is empty' };
}

function wipe(view: DeliveryView, now: Instant, why: string): DeliveryStep {
  const justWiped = view.wipedAt !== undefined && now - view.wipedAt < WIPE_PAUSE_MS;
  return justWiped ? { kind: 'wait', why: 'the box was emptied a moment ago' } : { kind: 'wipe', why };
}

const FRESH = 'a new task starts with an empty conversation';

function clearFirst(view: DeliveryView, now: Instant): DeliveryStep {
  const { clearing } = view;
  if (clearing === undefined) return { kind: 'clear', why: FRESH };
  if (now - clearing.at < CLEAR_PATIENCE_MS) return { kind: 'wait', why: 'the conversation is being cleared' };
  if (clearing.times < MOST_CLEARS) return { kind: 'clear', why: 'the agent has not confirmed the cleared conversation' };
  return { kind: 'type', why: 'the agent never confirmed the cleared conversation; going on without' };
}

function whyNotNow(view: DeliveryView, policy: DeliveryPolicy, now: Instant): string | undefined {
  return whyNotReady(view.assessment.activity) ?? whoseKeys(view, policy, now);
}

/** What the agent is doing that a new prompt must not meet. */
export function whyNotReady(activity: Activity): string | undefined {
  switch (activity.kind) {
    case 'exited':
      return NOT_RUNNING;
    case 'unknown':
      return 'what the agent is doing is not known right now';
    case 'starting':
      return STARTING;
    case 'processing':
      // Its turn is over; what it left running does not read the box.
      return activity.detail === 'background' ? undefined : BUSY;
    case 'awaiting_question':
    case 'awaiting_permission':
      return `a dialog is open: ${activity.question}`;
    case 'ready':
    case 'error':
    case 'waiting_limit':
      return undefined;
  }
}

/** Keys of ours must not meet those of a person. */
function whoseKeys(view: DeliveryView, policy: DeliveryPolicy, now: Instant): string | undefined {
  if (view.pane?.inMode === true) return 'the pane is in copy mode';
  if (view.personTypedAt !== undefined && now - view.personTypedAt < policy.personPauseMs) return 'a person is typing in the terminal';
  return undefined;
}

function inFlight(row: Delivery, view: DeliveryView, policy: DeliveryPolicy, now: Instant): DeliveryStep {
  if (view.ack !== undefined) return { kind: 'ack', event: view.ack.seq, source: 'hook', why: 'the agent reported this very text' };
  if (view.written)
    return { kind: 'ack', event: null, source: 'transcript', why: 'it stands in the agent’s own record of the conversation' };
  if (row.incarnation !== view.incarnation)
    return { kind: 'requeue', why: 'the agent it was typed into is gone and never acknowledged it' };
  if (view.assessment.activity.kind === 'exited') return { kind: 'wait', why: 'the agent has exited' };
  if (view.screen === undefined) return { kind: 'wait', why: 'no fresh look at the screen yet' };

  const { reading, since } = view.screen;
  const lastKey = view.enters?.at ?? row.submitted_ms ?? row.typed_ms ?? now;
  const quietMs = now - Math.max(lastKey, since);
  const sent = row.submitted_ms !== null && !view.tookAnother;
  const obstacle = whyNoKeys(view, reading.activity) ?? whoseKeys(view, policy, now);
  // Its first act may be a question: that takes no key, and no more than the prompt above it for proof.
  if (obstacle === DIALOG_OPEN && sent && view.shown && quietMs >= policy.ackTimeoutMs / 2)
    return { kind: 'ack', event: null, source: 'screen', why: 'the prompt stands in the transcript, above the dialog it led to' };
  if (obstacle === DIALOG_OPEN && sent && tookByEnter(row, view) && quietMs >= policy.ackTimeoutMs)
    return { kind: 'ack', event: null, source: 'screen', why: 'the Enter took it out of the box, and a dialog followed' };
  if (obstacle !== undefined) return { kind: 'wait', why: obstacle };
  if (reading.activity.kind === 'processing' && reading.box.kind === 'empty') {
    if (!sent) return { kind: 'wait', why: 'the agent works on something else' };
    if (quietMs >= policy.ackTimeoutMs / 2)
      return { kind: 'ack', event: null, source: 'screen', why: 'the agent went to work, but its report did not arrive' };
    return { kind: 'wait', why: 'the agent went to work; its report is awaited' };
  }
  const inBox = boxHolds(reading.box, row.sent_text);
  if (inBox === 'whole' && view.parked !== undefined) return { kind: 'wait', why: view.parked };
  if (inBox === 'whole') return pressEnter(row, view, policy, now);
  if (inBox === 'part') {
    if (quietMs < policy.enterRetryDelayMs) return { kind: 'wait', why: 'the paste is still arriving' };
    if (enterMayBeUnread(row, view, quietMs)) return unlessRedrawn(view, now, UNREAD);
    return wipe(view, now, 'only part of the text arrived in the box');
  }
  if (inBox === 'other') return unlessRedrawn(view, now, { kind: 'wait', why: 'somebody else’s text stands in the box' });
  if (!standsAtItsPrompt(reading.activity)) {
    const awaited: DeliveryStep = { kind: 'wait', why: 'the acknowledgement is awaited' };
    return reading.activity.kind === 'unknown' ? unlessRedrawn(view, now, awaited) : awaited;
  }
  if (quietMs < policy.ackTimeoutMs / 2) return { kind: 'wait', why: 'the acknowledgement is awaited' };
  if (view.shown) return { kind: 'ack', event: null, source: 'screen', why: 'the prompt stands in the transcript' };
  if (sent && view.worked) return { kind: 'ack', event: null, source: 'screen', why: 'it left the box and the agent has worked since' };
  if (sent && view.boxIsWitness === true && reading.box.kind === 'empty')
    return { kind: 'ack', event: null, source: 'screen', why: 'the Enter emptied the box' };
  // To send again is worse than to wait: that takes the whole time.
  if (quietMs < policy.ackTimeoutMs) return { kind: 'wait', why: 'the acknowledgement is awaited' };
  // Typed and never seen: an agent that stood still may yet read it. Keys are read in order, so what is erased first cannot come twice.
  // One taken up again by Claude Code 2.1, eight at once on two busy cores, took four seconds to show what was pasted.
  if (row.submitted_ms === null && row.attempt < policy.maxAttempts)
    return unlessRedrawn(
      view,
      now,
      quietMs < GIVE_UP_AFTER_MS
        ? { kind: 'wait', why: 'it has not shown in the box yet' }
        : wipe(view, now, 'it never showed in the box; what may still arrive is erased first'),
    );
  if (row.attempt < policy.maxAttempts)
    return unlessRedrawn(view, now, { kind: 'requeue', why: 'the agent is idle, its box is empty and it never reported the text' });
  return { kind: 'fail', why: `not accepted after ${row.attempt} attempts` };
}

const UNREAD: DeliveryStep = { kind: 'wait', why: 'an Enter that was pressed may still be read' };

/**
 * To empty the box is a Ctrl-C, and one right behind an Enter takes the turn back that it begins: of a paste, an Enter, a Ctrl-C and
 * a paste that it reads at once, Claude Code 2.1 makes one prompt with the text twice. An Enter of an earlier attempt counts too.
 */
function enterMayBeUnread(row: Delivery, { entered }: DeliveryView, quietMs: number): boolean {
  return (row.submitted_ms !== null || entered === true) && quietMs < GIVE_UP_AFTER_MS;
}

/**
 * Before a picture is believed that would hold a prompt up for ever or have it typed again: a terminal and a CLI that disagree about
 * the width of a joined emoji (tmux 3.3a, Claude Code 2.1) leave rubbish on the screen until it is drawn anew. Once per picture.
 */
function unlessRedrawn({ screen, redraw }: DeliveryView, now: Instant, otherwise: DeliveryStep): DeliveryStep {
  if (screen === undefined || redraw === undefined || now - screen.since < REDRAW_AFTER_MS) return otherwise;
  if (redraw.at !== undefined && redraw.at >= screen.since) return otherwise;
  return { kind: 'redraw', why: otherwise.why };
}

/** A dialog may stand in place of the box, so the key itself must be known to have been pressed. */
function tookByEnter(row: Delivery, { screen, boxIsWitness, entered }: DeliveryView): boolean {
  const held = screen === undefined ? 'whole' : boxHolds(screen.reading.box, row.sent_text);
  return boxIsWitness === true && entered === true && (held === 'nothing' || held === 'other');
}

/** After a failed turn, or one that ended at a usage limit, the box takes text as after any other. */
export function standsAtItsPrompt({ kind }: Activity): boolean {
  return kind === 'ready' || kind === 'error' || kind === 'waiting_limit';
}

const DIALOG_OPEN = 'a dialog is open';

/** A key pressed now might not reach the box: into a dialog it would be an answer. */
function whyNoKeys(view: DeliveryView, shown: Activity): string | undefined {
  for (const { kind } of [view.assessment.activity, shown])
    if (kind === 'awaiting_question' || kind === 'awaiting_permission') return DIALOG_OPEN;
  return view.assessment.activity.kind === 'unknown' ? 'what the agent is doing is not known right now' : undefined;
}

function pressEnter(row: Delivery, view: DeliveryView, policy: DeliveryPolicy, now: Instant): DeliveryStep {
  const times = view.enters?.times ?? 0;
  const last = view.enters?.at ?? row.submitted_ms ?? 0;
  // A row without the time of a first Enter has had none: `enterRetryCount` counts those after it.
  if (row.submitted_ms !== null && times >= policy.enterRetryCount) {
    // On a machine that is overloaded the agent may have read none of them yet, and would still take the prompt.
    if (now - last < GIVE_UP_AFTER_MS) return { kind: 'wait', why: 'the last Enter has not shown any effect yet' };
    return { kind: 'fail', why: `the text stays in the box after ${times + 1} presses of Enter` };
  }
  // Long enough for the last one to be read, by a slow agent too: read after it, a further one would answer the dialog the prompt led to.
  const readMs = Math.max(policy.enterRetryDelayMs * 2, policy.ackTimeoutMs / 2, (view.readTookMs ?? 0) * SLOWER_THAN_SEEN);
  if (now - last < readMs * (times + 1)) return { kind: 'wait', why: 'Enter was pressed a moment ago' };
  return { kind: 'enter', why: 'the text sits unsent in the box' };
}
