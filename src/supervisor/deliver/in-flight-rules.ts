import { openDialog, standsAtItsPrompt } from '../../agents/activity.ts';
import type { Instant } from '../../base/ports.ts';
import type { DeliveryReason } from '../../store/tables/delivery-reason.ts';
import { reasonText } from '../../workers/prompt/delivery-reason-text.ts';
import {
  because,
  type Facts,
  respawn,
  type ScreenFacts,
  type TypingStep,
  unlessRedrawn,
  waitForReason,
  waitStep,
  whoseKeys,
  whyNotReady,
  wipe,
} from './delivery-step.ts';
import type { Rule } from './rules.ts';
import { boxHolds } from './text/input-box.ts';

const GIVE_UP_AFTER_MS = 8_000;
/**
 * How often `ack_timeout_ms` passes after each attempt before the text counts as lost: 2, 5 and 10 s by default. A machine that was too
 * slow for one attempt is given more time for the next one.
 */
const LOST_AFTER = [1, 2.5, 5] as const;
/** An agent may take this many times longer to read a key than it took to show the paste before. */
const SLOWER_THAN_SEEN = 4;
const MIXED = 'the agent received it together with text typed by a person';
/** Keys wait in the terminal until the agent reads them, in order: one that does nothing now may be a moment from reading. */
const INERT_PATIENCE_MS = 30_000;
const INERT = waitStep('the agent’s process does nothing and has read no key yet');
const OTHER_TEXT = waitStep('the box holds other text', { kind: 'draft_in_box' });
const AWAITED = waitStep('waiting for the acknowledgement');

export interface FlightFacts extends ScreenFacts {
  /** Since the last key, since the screen last changed and since the agent was last observed unable to run. */
  readonly quietMs: number;
  /** Its Enter was recorded, and the agent has taken nothing else since. */
  readonly sent: boolean;
  readonly inBox: ReturnType<typeof boxHolds>;
}

export function flightFacts(facts: ScreenFacts): FlightFacts {
  const { row, view, now, since, reading } = facts;
  return {
    ...facts,
    quietMs: now - Math.max(lastKeyAt(facts), since, view.pausedAt ?? 0),
    sent: row.submitted_ms !== null && !view.tookAnother,
    inBox: judgeBox(facts, boxHolds(reading.box, row.sent_text ?? row.text)),
  };
}

/** A time in the future is from before the clock was set back, and then `pausedAt` or the screen says since when llmc waits. */
function lastKeyAt({ row: { submitted_ms, typed_ms }, view: { enters }, now, since }: ScreenFacts): Instant {
  const at = enters?.at ?? submitted_ms ?? typed_ms ?? now;
  return at > now ? since : at;
}

/** Two folds of the same size after a single paste: one of them is a person's, whatever it holds. */
function judgeBox(facts: ScreenFacts, holds: ReturnType<typeof boxHolds>): ReturnType<typeof boxHolds> {
  const { row, reading } = facts;
  if (holds === 'twice' && reading.box.kind === 'folded' && row.attempt < 2) return 'other';
  return holds === 'whole' && mayBeCut(facts) ? 'part' : holds;
}

/** The longest line that a terminal keeps for a program that reads line by line, in bytes: on macOS; on Linux it is 4,095. */
const LONGEST_LINE = 1_023;

/** A suspended agent leaves its terminal to read line by line, and the terminal drops the rest of a long line. A fold does not show that. */
function mayBeCut({ row, view: { continuedAt } }: ScreenFacts): boolean {
  if (row.submitted_ms !== null || continuedAt === undefined || row.typed_ms === null || continuedAt < row.typed_ms) return false;
  return (row.sent_text ?? row.text).split('\n').some((line) => Buffer.byteLength(line) > LONGEST_LINE);
}

/** For a prompt that was typed: rules that need no screen. */
export const IN_FLIGHT: readonly Rule<Facts, TypingStep>[] = [
  {
    name: 'reported',
    step: ({ view: { ack } }) => ack && reported(ack),
  },
  {
    name: 'in the transcript',
    step: ({ view }) =>
      view.written ? { kind: 'ack', event: null, source: 'transcript', why: 'the agent’s transcript holds it' } : undefined,
  },
  {
    name: 'agent replaced',
    step: ({ row, view, now }) => (row.incarnation === view.incarnation ? undefined : because('requeue', { kind: 'agent_gone' }, now)),
  },
  {
    name: 'agent exited',
    step: ({ view }) =>
      view.assessment.activity.kind === 'exited' ? waitStep('the agent has exited', { kind: 'not_running' }) : undefined,
  },
];

/** The same, with a screen captured in this pass. */
export const IN_FLIGHT_ON_SCREEN: readonly Rule<FlightFacts, TypingStep>[] = [
  { name: 'dialog open', step: atDialog },
  {
    // A key pressed now might not reach the box.
    name: 'activity unknown',
    step: ({ view, now }) =>
      view.assessment.activity.kind === 'unknown' ? waitForReason(whyNotReady(view.assessment.activity), now) : undefined,
  },
  { name: 'keys of a person', step: (facts) => waitForReason(whoseKeys(facts), facts.now) },
  { name: 'agent at work', step: atWork },
  { name: 'whole text in the box', step: (facts) => (facts.inBox === 'whole' ? pressEnter(facts) : undefined) },
  {
    name: 'part of the text in the box',
    step: (facts) => (facts.inBox === 'part' ? emptyBox(facts, { kind: 'partly_typed' }) : undefined),
  },
  { name: 'text in the box twice', step: (facts) => (facts.inBox === 'twice' ? emptyBox(facts, { kind: 'typed_twice' }) : undefined) },
  {
    name: 'other text in the box',
    step: (facts) => (facts.inBox === 'other' ? unlessRedrawn(facts, OTHER_TEXT) : undefined),
  },
  {
    name: 'screen not ready',
    step: (facts) => {
      if (standsAtItsPrompt(facts.reading.activity)) return undefined;
      const waiting = { ...AWAITED, holds: whyNotReady(facts.reading.activity) };
      return facts.reading.activity.kind === 'unknown' ? unlessRedrawn(facts, waiting) : waiting;
    },
  },
  { name: 'acknowledgement not late', step: ({ quietMs, policy }) => (quietMs < policy.ackTimeoutMs / 2 ? AWAITED : undefined) },
  { name: 'shown on the screen', step: ({ view }) => (view.shown ? ackByScreen('the screen shows the prompt') : undefined) },
  {
    name: 'worked since',
    step: ({ sent, view }) => (sent && view.worked ? ackByScreen('it left the box and the agent has worked since') : undefined),
  },
  {
    name: 'Enter emptied the box',
    step: ({ sent, view, reading }) =>
      sent && view.boxIsEvidence === true && reading.box.kind === 'empty' ? ackByScreen('the Enter emptied the box') : undefined,
  },
  // Typing it again is worse than waiting, so that takes the whole time.
  { name: 'before sending again', step: (facts) => (facts.quietMs < lostAfterMs(facts) ? AWAITED : undefined) },
  { name: 'never shown', step: neverShown },
  {
    name: 'never reported',
    step: (facts) =>
      facts.row.attempt < facts.policy.maxAttempts
        ? unlessRedrawn(facts, because('requeue', { kind: 'never_reported' }, facts.now))
        : undefined,
  },
  {
    name: 'attempts used up',
    step: ({ row, now }) => because('fail', { kind: 'not_accepted', attempts: row.attempt }, now),
  },
];

const chooseFactor = (attempt: number): number => LOST_AFTER[attempt - 1] ?? LOST_AFTER[2];

function lostAfterMs({ row, policy }: FlightFacts): number {
  return policy.ackTimeoutMs * chooseFactor(row.attempt);
}

/** How long a prompt that gets lost in every attempt is waited for, from the first paste to the end. */
export function lostForGoodMs(attempts: number, ackTimeoutMs: number): number {
  return Array.from({ length: attempts }, (_, index) => ackTimeoutMs * chooseFactor(index + 1)).reduce((sum, ms) => sum + ms, 0);
}

const reported = ({ seq, mixed }: NonNullable<Facts['view']['ack']>): TypingStep =>
  mixed === true
    ? { kind: 'ack', event: seq, source: 'hook', mixed, why: MIXED }
    : { kind: 'ack', event: seq, source: 'hook', why: 'the agent reported exactly this text' };
const ackByScreen = (why: string): TypingStep => ({ kind: 'ack', event: null, source: 'screen', why });

/** A key would answer the dialog. The dialog may be the agent's first act after this prompt; then the prompt above it is the proof. */
function atDialog({ view, reading, policy, quietMs, sent, inBox }: FlightFacts): TypingStep | undefined {
  if (openDialog(view.assessment.activity) === undefined && openDialog(reading.activity) === undefined) return undefined;
  if (sent && view.shown && quietMs >= policy.ackTimeoutMs / 2)
    return ackByScreen('the screen shows the prompt above the dialog it led to');
  // The dialog may hide the box, so an empty box proves nothing unless this process pressed Enter.
  const tookByEnter = view.boxIsEvidence === true && view.entered === true && (inBox === 'nothing' || inBox === 'other');
  if (sent && tookByEnter && quietMs >= policy.ackTimeoutMs) return ackByScreen('the Enter took it out of the box, and a dialog followed');
  return waitStep('a dialog is open', whyNotReady(openDialog(view.assessment.activity) ?? reading.activity));
}

function atWork({ reading, policy, quietMs, sent }: FlightFacts): TypingStep | undefined {
  if (reading.activity.kind !== 'processing' || reading.box.kind !== 'empty') return undefined;
  if (!sent) return waitStep('the agent works on something else', { kind: 'busy' });
  if (quietMs >= policy.ackTimeoutMs / 2) return ackByScreen('the agent started to work, but its report did not arrive');
  return waitStep('the agent started to work; waiting for its report', { kind: 'busy' });
}

function pressEnter(facts: FlightFacts): TypingStep {
  const { row, view, policy, now } = facts;
  if (view.parked !== undefined) return waitStep(reasonText(view.parked, now), view.parked);
  const times = view.enters?.times ?? 0;
  const pressed = view.enters !== undefined || row.submitted_ms !== null;
  const last = Math.max(pressed ? lastKeyAt(facts) : 0, view.pausedAt ?? 0);
  // A row without `submitted_ms` has had no Enter. `enterRetryCount` counts the presses after the first.
  if (row.submitted_ms !== null && times >= policy.enterRetryCount) {
    // On an overloaded machine the agent may not have read any of them yet, and would still take the prompt.
    if (now - last < GIVE_UP_AFTER_MS) return waitStep('the last Enter has not shown any effect yet');
    const ignored = because('fail', { kind: 'enter_ignored', presses: times + 1 }, now);
    return (row.attempt < policy.maxAttempts ? respawn(facts, ignored.why) : undefined) ?? ignored;
  }
  // Long enough for a slow agent to read the last Enter: one more would answer a dialog that the prompt led to.
  const readMs = Math.max(policy.enterRetryDelayMs * 2, policy.ackTimeoutMs / 2, (view.readTookMs ?? 0) * SLOWER_THAN_SEEN);
  if (now - last < readMs * (times + 1)) return waitStep('Enter was pressed a moment ago');
  return { kind: 'enter', why: 'the box holds the text, not sent' };
}

/**
 * Does not empty the box while an Enter may be unread. Emptying is a Ctrl-C, and right after an Enter it takes the new turn back: when
 * Claude Code 2.1 reads a paste, an Enter, a Ctrl-C and a paste at once, it makes one prompt with the text twice.
 */
function emptyBox(facts: FlightFacts, reason: DeliveryReason): TypingStep {
  const { row, view, policy, quietMs } = facts;
  if (quietMs < policy.enterRetryDelayMs) return waitStep('the paste is still arriving');
  const enterMayBeUnread = (row.submitted_ms !== null || view.entered === true) && quietMs < GIVE_UP_AFTER_MS;
  if (enterMayBeUnread) return unlessRedrawn(facts, waitStep('an Enter that was pressed may still be read'));
  return wipe(facts, reason);
}

/**
 * Erases a text that never showed before it is typed again: a paused agent may still read it, and keys are read in order.
 * A resumed Claude Code 2.1, one of eight on two busy cores, took four seconds to show a paste.
 */
function neverShown(facts: FlightFacts): TypingStep | undefined {
  const { row, view, policy, quietMs } = facts;
  if (view.inert === true && quietMs < INERT_PATIENCE_MS) return INERT;
  if (row.submitted_ms !== null || row.attempt >= policy.maxAttempts) return undefined;
  return unlessRedrawn(
    facts,
    quietMs < GIVE_UP_AFTER_MS ? waitStep('it has not shown in the box yet') : wipe(facts, { kind: 'never_shown' }),
  );
}
