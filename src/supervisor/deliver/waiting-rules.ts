import { type OpenView, openDialog, standsAtItsPrompt } from '../../agents/activity.ts';
import type { DeliveryReason, HoldReason } from '../../store/tables/delivery-reason.ts';
import { reasonText } from '../../workers/prompt/delivery-reason-text.ts';
import { ATTEMPTS_USED_UP, conversationToClear } from './common-rules.ts';
import {
  because,
  type Facts,
  respawn,
  type ScreenFacts,
  somethingOpen,
  type TypingStep,
  unlessRedrawn,
  waitStep,
  whoseKeys,
  whyNotReady,
  wipe,
} from './delivery-step.ts';
import type { Rule } from './rules.ts';
import { boxHoldsOnly } from './text/input-box.ts';

const CLEAR_PATIENCE_MS = 3_000;
const MOST_CLEARS = 3;
/** Longer than a redraw takes to be requested. */
const SETTLED_AFTER_MS = 2_500;

/** For a prompt that was not typed yet: rules that need no screen. */
export const WAITING: readonly Rule<Facts, TypingStep>[] = [
  {
    // A person scrolled and detached, so only llmc can leave the mode.
    name: 'left in copy mode',
    step: ({ view: { pane } }) =>
      pane?.inMode === true && !pane.attached ? { kind: 'leave_mode', why: 'the pane was left in copy mode' } : undefined,
  },
  {
    name: 'account parked',
    step: ({ view: { parked }, now }) => parked && because('hold', parked, now),
  },
  {
    name: 'agent not ready',
    step: ({ view, now }) => hold(whyNotReady(view.assessment.activity), now),
  },
  { name: 'keys of a person', step: (facts) => hold(whoseKeys(facts), facts.now) },
];

/** The same, with a screen captured in this pass. llmc types only into an empty box of a ready agent. */
export const WAITING_ON_SCREEN: readonly Rule<ScreenFacts, TypingStep>[] = [
  { name: 'screen not ready', step: screenNotReady },
  { name: 'lost in this incarnation', step: lostHere },
  { name: 'earlier prompt in the box', step: (facts) => (facts.view.leftover ? emptyLeftover(facts) : undefined) },
  { name: 'text in the box', step: textInBox },
  {
    name: 'no input box',
    step: (facts) =>
      facts.reading.box.kind === 'absent'
        ? unlessRedrawn(facts, onceSettled(facts, { kind: 'unknown_activity' }, 'no input box on the screen'))
        : undefined,
  },
  ATTEMPTS_USED_UP,
  conversationToClear(clearFirst),
  { name: 'ready to type', step: () => ({ kind: 'type', why: 'the agent is ready and its input box is empty' }) },
];

const LOST: readonly string[] = ['never_reported', 'never_shown', 'partly_typed', 'agent_respawned'] satisfies DeliveryReason['kind'][];

/** `incarnation`: the last attempt was typed into this agent, and it lost the text as it lost the one before. */
function lostHere(facts: ScreenFacts): TypingStep | undefined {
  const { row, view, policy, now, reading } = facts;
  // A supervisor killed before the start leaves the text in the box.
  const isOurs = reading.box.kind === 'empty' || boxHoldsOnly(reading.box, row.sent_text ?? row.text);
  if (!isOurs || row.reason === null || row.attempt !== policy.maxAttempts - 1 || row.incarnation !== view.incarnation) return undefined;
  return LOST.includes(row.reason.kind) ? respawn(facts, `attempt ${row.attempt}: ${reasonText(row.reason, now)}`) : undefined;
}

function hold(reason: ReturnType<typeof whyNotReady>, now: number): TypingStep | undefined {
  return reason && because('hold', reason, now);
}

function screenNotReady(facts: ScreenFacts): TypingStep | undefined {
  const { activity, rule } = facts.reading;
  if (standsAtItsPrompt(activity)) return undefined;
  const unclear = onceSettled(facts, whyNotReady(activity), `the screen does not show a ready agent (${rule})`);
  // A transcript view or a suspended agent is not a leftover of a redraw; a key could scroll the one and would stay unread in the other.
  const sure = openDialog(activity) !== undefined || (activity.kind === 'unknown' && isCertain(activity.opened));
  return sure ? unclear : unlessRedrawn(facts, unclear);
}

const isCertain = (opened: OpenView | undefined): boolean => opened?.what === 'transcript' || opened?.what === 'suspended';

/** A screen that lasts holds the prompt. One that shows for a moment, such as a menu that closes, is not worth a line in the record. */
function onceSettled({ since, now }: ScreenFacts, reason: HoldReason | undefined, why: string): TypingStep {
  return reason === undefined || now - since < SETTLED_AFTER_MS ? waitStep(why) : because('hold', reason, now);
}

function emptyLeftover(facts: ScreenFacts): TypingStep {
  // A prompt that was just taken stays in the box until the CLI redraws; a Ctrl-C then would interrupt its turn and lose it.
  if (facts.now - facts.since < facts.policy.ackTimeoutMs) return waitStep('the box still holds an earlier prompt');
  return wipe(facts, { kind: 'leftover_in_box' });
}

function textInBox(facts: ScreenFacts): TypingStep | undefined {
  const { reading, view, policy, now } = facts;
  const { box } = reading;
  if (box.kind !== 'text' && box.kind !== 'folded') return undefined;
  // Only the mark of the mode: what is typed behind it is a draft.
  if (box.kind === 'text' && box.mode !== undefined && box.text.trim().length <= 1) return because('hold', somethingOpen(box.mode), now);
  // Only the exact command: a person may have begun a draft while the conversation was being cleared.
  if (view.clearing === undefined || !view.clearTyped) return unlessRedrawn(facts, because('hold', { kind: 'draft_in_box' }, now));
  return now - view.clearing.at > policy.enterRetryDelayMs
    ? { kind: 'enter', why: 'the box holds the clear command, not sent' }
    : waitStep('the conversation is being cleared');
}

function clearFirst({ view: { clearing, clearsByLaunch }, now }: Facts, why: string): TypingStep {
  if (clearsByLaunch === true) return { kind: 'relaunch', why };
  if (clearing === undefined) return { kind: 'clear', why };
  if (now - clearing.at < CLEAR_PATIENCE_MS) return waitStep('the conversation is being cleared');
  if (clearing.times < MOST_CLEARS) return { kind: 'clear', why: 'the agent has not confirmed the cleared conversation' };
  return { kind: 'type', why: 'the agent never confirmed the cleared conversation; continuing without' };
}
