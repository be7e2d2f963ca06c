import { clockTime } from '../../base/clock-time.ts';
import { commandInOneLine } from '../../base/command-in-one-line.ts';
import type { Instant } from '../../base/ports.ts';
import type { DeliveryReason, HoldReason } from '../../store/tables/delivery-reason.ts';

/** Whether the sender of a message gets the reason at once instead of waiting: any, except that the agent is starting or about to. */
export const isWorthReporting = (reason: DeliveryReason | null): boolean => reason?.kind !== 'starting' && reason?.kind !== 'not_running';

export const isLimitReason = (reason: DeliveryReason | null): boolean => reason?.kind === 'usage_limit';

export function untilReset(account: string, until_ms: Instant): HoldReason {
  return { kind: 'usage_limit', account, wait: { phase: 'until_reset', until_ms } };
}

/** `the usage limit of claude until 18:04`. */
export function limitInWords(account: string, until_ms: Instant, now: Instant): string {
  return `the usage limit of ${account}${limitText({ phase: 'until_reset', until_ms }, now)}`;
}

/** Renders the reason of a delivery. No other code does. */
export function reasonText(reason: DeliveryReason, now: Instant): string {
  switch (reason.kind) {
    case 'dialog_open':
      return `a dialog is open: ${wanted(reason)}${reason.question}`;
    case 'agent_stopped':
      return `the agent’s process (pid ${reason.pid}) is stopped`;
    case 'something_open':
      return OPEN[reason.what] + (reason.title === '' ? '' : `: ${reason.title}`);
    case 'usage_limit':
      return `waiting for the usage limit of ${reason.account}${limitText(reason.wait, now)}`;
    case 'behind_failed_turn':
      return `the failed turn is continued first, at ${clockTime(reason.until_ms, now)}`;
    case 'refused':
      return `the agent refused it: ${reason.message}${times(reason.attempts)}`;
    case 'not_in_record':
      return `the agent’s transcript does not have it${times(reason.attempts)}`;
    case 'not_accepted':
      return `not accepted after ${reason.attempts} attempts`;
    case 'enter_ignored':
      return `the text stays in the input box after ${reason.presses} presses of Enter`;
    default:
      return SENTENCES[reason.kind];
  }
}

type Plain = Exclude<
  DeliveryReason['kind'],
  | 'dialog_open'
  | 'agent_stopped'
  | 'something_open'
  | 'usage_limit'
  | 'behind_failed_turn'
  | 'refused'
  | 'not_in_record'
  | 'not_accepted'
  | 'enter_ignored'
>;

const OPEN: Readonly<Record<Extract<HoldReason, { kind: 'something_open' }>['what'], string>> = {
  menu: 'a menu is open in its terminal',
  transcript: 'the transcript view is open in its terminal',
  shell_mode: 'its input box is in shell mode',
  suspended: 'the agent was suspended with Ctrl+Z',
};

const SENTENCES: Readonly<Record<Plain, string>> = {
  starting: 'the agent is still starting',
  busy: 'the agent is busy',
  not_running: 'the agent is not running',
  unknown_activity: 'the activity of the agent is unknown',
  copy_mode: 'the pane is in copy mode',
  person_typing: 'a person is typing in the terminal',
  draft_in_box: 'a draft is in the input box',
  no_reaction: 'the agent does not react to it',
  agent_gone: 'the agent it was typed into is gone and never acknowledged it',
  never_reported: 'the agent is idle, its input box is empty and it never reported the text',
  leftover_in_box: 'an earlier prompt is back in the input box',
  partly_typed: 'only part of the text arrived in the input box',
  typed_twice: 'the input box holds the text twice',
  never_shown: 'it never appeared in the input box; llmc first erases what may still arrive',
  agent_respawned: 'the agent lost it twice and was started again for the last attempt',
  not_recorded: 'the agent ended before its own record had it',
  never_recorded: 'the agent accepted it, but its transcript does not have it',
  cannot_empty: 'only part of the text arrived, and the agent’s input could not be emptied to type it again',
  unproven: 'llmc was restarted while it typed the text, and the screen does not show whether it arrived',
  unverified: 'typed and sent once; nothing on its screen shows whether the agent has it',
  cut_short: 'interrupted; the agent was asked to continue',
  told_again: 'its conversation could not be resumed; the task is sent again',
  taken_back: 'taken back by an interrupt; sent again',
  work_accepted: 'the work was accepted first',
  worker_reset: 'the worker was reset',
  other_task: 'its run gave it another task',
  canceled: 'a person canceled it',
  conflict_over: 'the conflict was over first',
  person_called: 'a person was called first',
  turn_over: 'the turn of its agent ended first',
  asked_again: 'its agent was asked again',
  told_to_save: 'its agent was told to save what it has',
  database_restored: 'llmc.db was restored from a copy, which does not know whether the prompt was sent since',
  already_taken: 'the agent took the same prompt before, late',
};

function limitText(wait: Extract<HoldReason, { kind: 'usage_limit' }>['wait'], now: Instant): string {
  switch (wait.phase) {
    case 'until_reset':
      return ` until ${clockTime(wait.until_ms, now)}`;
    case 'in_turn':
      return ', which is over: its workers continue one after the other';
    case 'by_itself':
      return ': the agent continues without a prompt';
  }
}

function wanted({ tool, command }: Extract<HoldReason, { kind: 'dialog_open' }>): string {
  return tool === undefined || command === undefined ? '' : `${tool} ${commandInOneLine(command)} – `;
}

const times = (attempts: number | undefined): string => (attempts === undefined ? '' : `, ${attempts} times`);
