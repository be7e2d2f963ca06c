import type { Instant } from '../../base/ports.ts';
import type { Config } from '../../config/schema.ts';
import type { DeliveryReason, HoldReason } from '../../store/tables/delivery-reason.ts';
import type { WaitingTime } from '../observe/watch.ts';
import type { CommonStep } from './delivery-step.ts';

/** The times of config.toml after which a person is told. */
export type HoldTimes = Pick<
  Config['recovery'],
  'holdPersonSecs' | 'holdTypingSecs' | 'holdStartSecs' | 'holdRestartSecs' | 'holdBusySecs' | 'holdLimitSecs'
>;

/** Who ends a hold, and the time after which a person is told if it has not ended. */
export interface HoldEnd {
  readonly owner: 'agent' | 'person' | 'llmc' | 'clock';
  readonly time: keyof HoldTimes;
}

/**
 * The end of every reason for which a prompt is not with its agent: no hold without an owner and an end. `again`: the prompt is queued
 * and the next pass types it or holds it. `over`: the prompt needs nothing more. A new reason without an entry does not compile.
 */
export const ENDS: Readonly<Record<HoldReason['kind'], HoldEnd>> & Readonly<Record<NotHeld, 'again' | 'over'>> = {
  // Blank or unreadable screens are reported earlier, by the assessment.
  starting: { owner: 'agent', time: 'holdStartSecs' },
  // Counts only while the agent shows no progress: a turn may take hours.
  busy: { owner: 'agent', time: 'holdBusySecs' },
  not_running: { owner: 'llmc', time: 'holdRestartSecs' },
  no_reaction: { owner: 'llmc', time: 'holdPersonSecs' },
  agent_stopped: { owner: 'person', time: 'holdPersonSecs' },
  unknown_activity: { owner: 'person', time: 'holdPersonSecs' },
  something_open: { owner: 'person', time: 'holdPersonSecs' },
  dialog_open: { owner: 'person', time: 'holdPersonSecs' },
  copy_mode: { owner: 'person', time: 'holdPersonSecs' },
  draft_in_box: { owner: 'person', time: 'holdPersonSecs' },
  person_typing: { owner: 'person', time: 'holdTypingSecs' },
  // Counts only after the reset.
  usage_limit: { owner: 'clock', time: 'holdLimitSecs' },
  // Counts only after the time of the attempt.
  behind_failed_turn: { owner: 'clock', time: 'holdStartSecs' },

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
  cannot_empty: 'over',
  unproven: 'over',
  unverified: 'over',
  cut_short: 'over',
  told_again: 'over',
  taken_back: 'over',
  work_accepted: 'over',
  worker_reset: 'over',
  canceled: 'over',
  other_task: 'over',
  conflict_over: 'over',
  person_called: 'over',
  turn_over: 'over',
  asked_again: 'over',
  told_to_save: 'over',
  already_taken: 'over',
  database_restored: 'over',
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
  return { delivery, at: now, spentMs: { ...known.spentMs, [reason.kind]: measureHold(reason, spent + stepMs, progressAt, now) } };
}

function measureHold(reason: HoldReason, spentMs: number, progressAt: Instant, now: Instant): number {
  if (reason.kind === 'busy') return Math.min(spentMs, Math.max(0, now - progressAt));
  return now < parkedUntil(reason) ? 0 : spentMs;
}

/** The time before which nobody expects the end of the hold. */
function parkedUntil(reason: HoldReason): Instant {
  if (reason.kind === 'behind_failed_turn') return reason.until_ms;
  return reason.kind === 'usage_limit' && reason.wait.phase === 'until_reset' ? reason.wait.until_ms : 0;
}

/** `extraMs`: the configuration gives a slow agent more time to react. */
export function isOverdue({ spentMs }: WaitingTime, { kind }: HoldReason, times: HoldTimes, extraMs: number): boolean {
  return (spentMs[kind] ?? 0) >= times[ENDS[kind].time] * 1_000 + (kind === 'no_reaction' ? extraMs : 0);
}

/** What keeps the prompt from its agent after this step; undefined after the last one. */
export function findObstacle(step: CommonStep | OwnStep): HoldReason | undefined {
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
