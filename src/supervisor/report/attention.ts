import { type Assessment, type Dialog, isAtStartup, isUnread, openDialog } from '../../agents/activity.ts';
import type { Attention, Trouble } from '../../store/attention.ts';
import type { Worker } from '../../store/state.ts';
import { isAtWork } from '../../workers/status/transitions.ts';

/**
 * What a person should know or do about a worker: what is wrong right now, else the dialog its agent stands in front of,
 * else what was written down. The first two are observed, not stored, so that they are over when they are over.
 */
export function attentionOf(worker: Worker, assessment: Assessment | undefined, trouble?: Trouble): Attention | null {
  if (trouble !== undefined) return trouble;
  if (worker.status === 'offline' || assessment === undefined) return worker.attention;
  if (assessment.activity.kind === 'unknown' && assessment.source === 'screen') return { kind: 'unreadable_screen', rule: assessment.rule };
  const dialog = openDialog(assessment.activity);
  // Most dialogs at start-up are answered for the person; one that is not was written down.
  if (dialog === undefined || isAtStartup(dialog)) return worker.attention;
  // A worker that stands in front of a dialog of its task needs input: while it is at work, the dialog is one that was just answered.
  return isAtWork(worker.status) ? worker.attention : askedBy(dialog);
}

export function askedBy(dialog: Dialog): Attention {
  const { question } = dialog;
  const choices = [...dialog.choices];
  return dialog.kind === 'awaiting_permission'
    ? { kind: 'permission', tool: dialog.tool, command: dialog.command ?? null, question, choices }
    : { kind: 'question', question, choices, unread: isUnread(dialog) };
}
