import { openDialog } from '../../agents/activity.ts';
import type { DeliveryReason } from '../../store/tables/delivery-reason.ts';
import { ATTEMPTS_USED_UP, conversationToClear } from './common-rules.ts';
import {
  because,
  type PlainView,
  type ScreenFacts,
  type TypingStep,
  waitForReason,
  waitStep,
  whoseKeys,
  whyNotReady,
} from './delivery-step.ts';
import type { Rule } from './rules.ts';

export interface PlainFacts extends ScreenFacts {
  readonly plain: PlainView;
  /** Since the last key of llmc. */
  readonly sinceKeyMs: number;
}

export function plainFacts(facts: ScreenFacts, plain: PlainView): PlainFacts {
  const { row, view, now } = facts;
  const keyAt = view.enters?.at ?? row.submitted_ms ?? row.typed_ms ?? now;
  return { ...facts, plain, sinceKeyMs: now - Math.max(Math.min(keyAt, now), view.pausedAt ?? 0) };
}

/** tmux reports in whole seconds when a program wrote. */
const SETTLED_MS = 1_000;
/** A program on a loaded machine takes seconds to show what it reads. */
const SHOWN_AFTER_MS = 5_000;
/** Once more than the keys of the first attempt were lost, the program scrolls the line: the text is whole. */
const MOST_ATTEMPTS = 2;

/** For a prompt that was not typed yet, on the screen of an agent without patterns. */
export const PLAIN_WAITING: readonly Rule<PlainFacts, TypingStep>[] = [
  {
    name: 'screen not ready',
    step: ({ reading, now }) => {
      const reason = whyNotReady(reading.activity);
      return reason && because('hold', reason, now);
    },
  },
  { name: 'still writing', step: ({ plain }) => (plain.quietMs < SETTLED_MS ? waitStep('it wrote a moment ago') : undefined) },
  {
    // Typed behind what is left of the first attempt, it would be another prompt.
    name: 'input not empty',
    step: ({ row, plain, now, view }) => {
      // A hold in between has replaced the reason, and this process still knows that it typed the attempt.
      const wasTyped = row.reason?.kind === 'partly_typed' || plain.typing !== undefined;
      if (!wasTyped || row.incarnation !== view.incarnation || plain.isWiped) return undefined;
      const sinceWipeMs = now - Math.max(view.wipedAt ?? 0, view.pausedAt ?? 0);
      return sinceWipeMs < SHOWN_AFTER_MS
        ? waitStep('it may not have read the keys yet that empty its input')
        : because('fail', { kind: 'cannot_empty' }, now);
    },
  },
  ATTEMPTS_USED_UP,
  conversationToClear((_, why) => ({ kind: 'relaunch', why })),
  { name: 'ready to type', step: ({ reading }) => ({ kind: 'type', why: `the agent is probably ready: ${reading.rule}` }) },
];

/** For a prompt that was typed. It is typed a second time only if the screen showed a part of it, and then nothing of it. */
export const PLAIN_IN_FLIGHT: readonly Rule<PlainFacts, TypingStep>[] = [
  {
    name: 'dialog open',
    step: ({ reading, row }) =>
      openDialog(reading.activity) !== undefined && row.submitted_ms === null
        ? waitStep('it asks something', whyNotReady(reading.activity))
        : undefined,
  },
  { name: 'keys of a person', step: (facts) => waitForReason(whoseKeys(facts), facts.now) },
  { name: 'sent', step: (facts) => (facts.row.submitted_ms === null ? undefined : afterEnter(facts)) },
  { name: 'typed by an earlier supervisor', step: (facts) => (facts.plain.typing === undefined ? afterRestart(facts) : undefined) },
  {
    name: 'text on the screen',
    step: ({ plain: { seen } }) => (seen === 'whole' ? { kind: 'enter', why: 'the screen shows the text, not sent' } : undefined),
  },
  { name: 'still arriving', step: ({ sinceKeyMs }) => (sinceKeyMs < SHOWN_AFTER_MS ? waitStep('the text may still arrive') : undefined) },
  {
    name: 'part of the text on the screen',
    step: ({ row, plain: { seen }, now }) => {
      if (seen === 'nothing') return undefined;
      if (row.attempt < MOST_ATTEMPTS) return because('wipe', { kind: 'partly_typed' } satisfies DeliveryReason, now);
      return seen === 'end'
        ? { kind: 'enter', why: 'the screen shows the end of the text again, so the program scrolls it' }
        : because('fail', { kind: 'not_accepted', attempts: row.attempt }, now);
    },
  },
  { name: 'nothing on the screen', step: () => ({ kind: 'enter', why: 'the screen does not show what is typed' }) },
];

/** Never a second Enter where the first may have been taken: it could confirm something that llmc has not read. */
function afterEnter({ plain, sinceKeyMs, policy }: PlainFacts): TypingStep {
  const { typing, changedSinceEnter, beforeCursor, seen } = plain;
  if (typing?.atEnter === undefined)
    return beforeCursor
      ? { kind: 'enter', why: 'the text stands before the cursor, not sent' }
      : unverified('llmc was restarted in between');
  if (changedSinceEnter)
    return typing.wasSeen === true || seen === 'whole'
      ? { kind: 'ack', event: null, source: 'screen', why: 'the screen showed the text, and has changed since Enter' }
      : unverified('its screen has changed since Enter, but never showed the text');
  return sinceKeyMs < policy.ackTimeoutMs * 2
    ? waitStep('waiting for a reaction to Enter')
    : unverified('its screen has not changed since Enter');
}

/** Nobody knows whether the paste was sent. Typing it again could give the agent the prompt twice. */
function afterRestart({ plain: { beforeCursor, seen }, now }: PlainFacts): TypingStep {
  if (beforeCursor || seen === 'whole') return { kind: 'enter', why: 'the screen shows the text, not sent' };
  return because('fail', { kind: 'unproven' }, now);
}

const unverified = (why: string): TypingStep => ({ kind: 'ack', event: null, source: 'unverified', why });
