import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Dialog, openDialog } from '../../agents/activity.ts';
import type { NamedDialog, Watch } from './watch.ts';

/**
 * Names the dialog of the latest assessment. The same dialog keeps its id; one that was announced again is another, also with the same
 * text. A dialog that llmc has answered is not open any more, although the agent reports nothing before its tool has ended.
 */
export function noteDialog(watch: Watch): NamedDialog | undefined {
  const { open, count, answered } = watch.dialog;
  const dialog = openDialog(watch.assessment.activity);
  const { latest } = watch.reported;
  const report = latest !== null && openDialog(latest.activity) !== undefined ? latest.seq : open?.report;
  const wasAnswered = dialog !== undefined && isOver(answered, dialog, report);
  if (dialog === undefined || (wasAnswered && !isOnScreen(watch))) {
    if (open !== undefined) watch.dialog = { ...watch.dialog, open: undefined };
    return undefined;
  }
  const isSame = open !== undefined && (open.report ?? report) === report && isSameDialog(open.dialog, dialog, report);
  const times = report === undefined || wasAnswered ? count : 0;
  const id = isSame ? open.id : nameDialog([watch.life.incarnation, report ?? 'screen', times, dialog]);
  const named = { id, dialog, report };
  if (!isSame || open.report !== report || !isDeepStrictEqual(open.dialog, dialog))
    watch.dialog = { ...watch.dialog, open: named, count: isSame ? count : count + 1 };
  return named;
}

/** A hook announces a dialog before its choices are drawn. */
function isSameDialog(one: Dialog, other: Dialog, report: number | undefined): boolean {
  if (isDeepStrictEqual(one, other)) return true;
  const isDrawing = one.choices.length === 0 || other.choices.length === 0;
  return report !== undefined && isDrawing && one.kind === other.kind && findTool(one) === findTool(other);
}

const findTool = (dialog: Dialog): string | undefined => (dialog.kind === 'awaiting_permission' ? dialog.tool : undefined);

function isOver(answered: NamedDialog | undefined, dialog: Dialog, report: number | undefined): boolean {
  return answered !== undefined && answered.report === report && isDeepStrictEqual(answered.dialog, dialog);
}

/** On the protocol channel, the agent's own state takes the place of the screen. */
function isOnScreen({ protocol, screen, status }: Watch): boolean {
  const shown = protocol === undefined ? screen.capture?.reading.activity : status.live?.activity;
  return openDialog(shown) !== undefined || (shown?.kind === 'unknown' && shown.opened?.asks !== undefined);
}

/** The dialog was answered: what is open next is another one. */
export function noteAnswered(watch: Watch): void {
  const { open, answered } = watch.dialog;
  watch.dialog = { ...watch.dialog, open: undefined, answered: open ?? answered };
}

/** A stored question, whose agent has ended, has no watch: its words alone make the id. */
export function nameDialog(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 6);
}
