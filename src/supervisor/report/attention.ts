import { type Assessment, type Dialog, isAtStartup, isUnread, openDialog } from '../../agents/activity.ts';
import { sentence } from '../../base/sentence.ts';
import type { Worker } from '../../store/state.ts';

/**
 * What a person should know or do about a worker: what is wrong right now, else the dialog its agent stands in front of,
 * else what was written down. The first two are seen, not stored, so that they are over when they are over.
 */
export function attentionOf(worker: Worker, assessment: Assessment | undefined, trouble?: string): string | null {
  // Most name the way out themselves.
  if (trouble !== undefined) return trouble.includes('llmc ') ? trouble : `${trouble} – llmc why ${worker.name}`;
  const dialog = worker.status === 'offline' ? undefined : openDialog(assessment?.activity);
  if (worker.status !== 'offline' && assessment?.activity.kind === 'unknown' && assessment.source === 'screen')
    return `What it is doing cannot be told: ${assessment.rule}. Look: llmc attach ${worker.name}; see how it is read: llmc inspect --worker ${worker.name}`;
  // Most dialogs at start-up are answered for the person; one that is not was written down.
  return dialog === undefined || isAtStartup(dialog) ? worker.attention : asks(worker.name, dialog);
}

export function asks(name: string, dialog: Dialog): string {
  const what = dialog.kind === 'awaiting_permission' ? `wants permission for ${dialog.tool}` : 'asks';
  if (isUnread(dialog)) return `It ${what}: ${sentence(dialog.question)} Answer it there: llmc attach ${name}`;
  const choices = dialog.choices.length === 0 ? '' : ` [${dialog.choices.join(' / ')}]`;
  return `It ${what}: ${sentence(`${dialog.question}${choices}`)} Answer: llmc answer ${name} <choice>, or look: llmc attach ${name}`;
}
