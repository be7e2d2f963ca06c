import { type Assessment, type Dialog, isAtStartup, isLogin, isUnread, openDialog } from '../../agents/activity.ts';
import type { Attention, Trouble } from '../../store/attention.ts';
import type { Worker } from '../../store/state.ts';
import { isAtWork } from '../../workers/status/transitions.ts';

/**
 * What a person should do about a worker: the current trouble, else the open dialog, else what is stored.
 * Trouble and dialogs are observed in each pass and not stored, so they disappear when they end.
 */
export function chooseAttention(worker: Worker, assessment: Assessment | undefined, trouble?: Trouble): Attention | null {
  if (trouble !== undefined) return trouble;
  if (worker.status === 'offline' || assessment === undefined) return worker.attention;
  if (assessment.activity.kind === 'unknown' && assessment.source === 'screen') return { kind: 'unreadable_screen', rule: assessment.rule };
  const dialog = openDialog(assessment.activity);
  // llmc answers most dialogs at start-up; one that it leaves to a person is stored.
  if (dialog === undefined || isAtStartup(dialog)) return worker.attention;
  // A dialog of a task moves the worker to needs_input. While the worker is at work, the last capture shows a dialog that was just answered.
  return isAtWork(worker.status) ? worker.attention : askedBy(dialog);
}

export function askedBy(dialog: Dialog): Attention {
  const { question } = dialog;
  const choices = [...dialog.choices];
  if (isLogin(dialog)) return { kind: 'login', question };
  return dialog.kind === 'awaiting_permission'
    ? { kind: 'permission', tool: dialog.tool, command: dialog.command ?? null, question, choices }
    : { kind: 'question', question, choices, unread: isUnread(dialog) };
}
