import type { Instant } from '../../base/ports.ts';
import type { DeliveryReason, HoldReason } from '../../store/tables/delivery-reason.ts';
import type { WaitingTime } from '../observe/watch.ts';
import type { CommonStep } from './delivery-step.ts';

/** Who ends a hold, and after how long a person is told if it has not ended. */
export interface HoldEnd {
  readonly owner: 'agent' | 'person' | 'llmc' | 'clock';
  readonly tellAfterMs: number;
}

const MINUTE_MS = 60_000;

/**
 * The end of every reason for which a prompt is not with its agent: no hold without an owner and an end. `again`: the prompt is queued
 * and the next pass types it or holds it. `over`: the prompt needs nothing more. A new reason without an entry does not compile.
 */
export const ENDS: Readonly<Record<HoldReason['kind'], HoldEnd>> & Readonly<Record<NotHeld, 'again' | 'over'>> = {
  // Blank or unreadable screens are reported earlier, by the assessment.
  starting: { owner: 'agent', tellAfterMs: 5 * MINUTE_MS },
  // Counts only while the agent shows no progress: a turn may take hours.
  busy: { owner: 'agent', tellAfterMs: 60 * MINUTE_MS },
  not_running: { owner: 'llmc', tellAfterMs: 15 * MINUTE_MS },
  no_reaction: { owner: 'llmc', tellAfterMs: MINUTE_MS },
  agent_stopped: { owner: 'person', tellAfterMs: MINUTE_MS },
  unknown_activity: { owner: 'person', tellAfterMs: MINUTE_MS },
  something_open: { owner: 'person', tellAfterMs: MINUTE_MS },
  dialog_open: { owner: 'person', tellAfterMs: MINUTE_MS },
  copy_mode: { owner: 'person', tellAfterMs: MINUTE_MS },
  draft_in_box: { owner: 'person', tellAfterMs: MINUTE_MS },
  person_typing: { owner: 'person', tellAfterMs: 10 * MINUTE_MS },
  // Counts only after the reset.
  usage_limit: { owner: 'clock', tellAfterMs: 30 * MINUTE_MS },
  // Counts only after the time of the attempt.
  behind_failed_turn: { owner: 'clock', tellAfterMs: 5 * MINUTE_MS },

  agent_gone: 'again',
  never_reported: 'again',
  leftover_in_box: 'again',
  partly_typed: 'again',
  typed_twice: 'again',
  never_shown: 'again',
  not_recorded: 'again',
  agent_respawned: 'again',

  refused: 'over',
  not_in_record: 'over',
  not_accepted: 'over',
  enter_ignored: 'over',
  never_recorded: 'over',
  cut_short: 'over',
  told_again: 'over',
  taken_back: 'over',
  work_accepted: 'over',
  worker_reset: 'over',
  conflict_over: 'over',
  person_called: 'over',
  already_taken: 'over',
  database_restored: 'over',
  text: 'over',
};

type NotHeld = Exclude<DeliveryReason['kind'], HoldReason['kind']>;

/** Passes are closer together than this. After a longer gap llmc was not running, and nobody waited for the owner of the hold. */
const LONGEST_STEP_MS = 5_000;

/**
 * Adds the time since the last pass to the reason that holds the prompt now. The time of a reason is never taken back, so that reasons
 * which take turns end too: all of them together last no longer than the sum of their times.
 */
export function addWaiting(
  before: WaitingTime | undefined,
  delivery: string,
  reason: HoldReason,
  progressAt: Instant,
  now: Instant,
): WaitingTime {
  const known = before?.delivery === delivery ? before : { delivery, at: now, spentMs: {} };
  const stepMs = Math.min(Math.max(0, now - known.at), LONGEST_STEP_MS);
  const spent = known.spentMs[reason.kind] ?? 0;
  return { delivery, at: now, spentMs: { ...known.spentMs, [reason.kind]: timeOf(reason, spent + stepMs, progressAt, now) } };
}

function timeOf(reason: HoldReason, spentMs: number, progressAt: Instant, now: Instant): number {
  if (reason.kind === 'busy') return Math.min(spentMs, Math.max(0, now - progressAt));
  return now < parkedUntil(reason) ? 0 : spentMs;
}

/** The time before which nobody expects the end of the hold. */
function parkedUntil(reason: HoldReason): Instant {
  if (reason.kind === 'behind_failed_turn') return reason.until_ms;
  return reason.kind === 'usage_limit' && reason.wait.phase === 'until_reset' ? reason.wait.until_ms : 0;
}

/** `extraMs`: the configuration gives a slow agent more time to react. */
export function isOverdue({ spentMs }: WaitingTime, { kind }: HoldReason, extraMs: number): boolean {
  return (spentMs[kind] ?? 0) >= ENDS[kind].tellAfterMs + (kind === 'no_reaction' ? extraMs : 0);
}

/** What keeps the prompt from its agent after this step; undefined after the last one. */
export function obstacleOf(step: CommonStep | OwnStep): HoldReason | undefined {
  switch (step.kind) {
    case 'hold':
      return step.reason;
    case 'ack':
    case 'fail':
      return undefined;
    case 'wait':
      return step.holds ?? { kind: 'no_reaction' };
    default:
      return { kind: 'no_reaction' };
  }
}

/** A step of one of the two channels. */
export interface OwnStep {
  readonly kind:
    | 'clear'
    | 'relaunch'
    | 'respawn'
    | 'type'
    | 'enter'
    | 'leave_mode'
    | 'redraw'
    | 'wipe'
    | 'start_over'
    | 'send'
    | 'read_again';
}
