import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { openDialog } from '../../agents/activity.ts';
import type { NamedDialog, Watch } from './watch.ts';

/** Names the dialog of the latest assessment. The same dialog keeps its id; one that was announced again is another, also with the same text. */
export function noteDialog(watch: Watch): NamedDialog | undefined {
  const { open, shown, count } = watch.dialog;
  const dialog = openDialog(watch.assessment.activity);
  if (dialog === undefined) {
    if (open !== undefined) watch.dialog = { open: undefined, shown, count };
    return undefined;
  }
  const { latest } = watch.reported;
  const report = latest !== null && openDialog(latest.activity) !== undefined ? latest.seq : open?.report;
  const isSame = open !== undefined && (open.report ?? report) === report && isDeepStrictEqual(open.dialog, dialog);
  if (isSame && open.report === report) return open;
  const id = isSame ? open.id : idOf([watch.life.incarnation, report ?? `screen ${count}`, dialog]);
  const named = { id, dialog, report };
  watch.dialog = { open: named, shown, count: isSame ? count : count + 1 };
  return named;
}

/** The dialog was answered: what is open next is another one. */
export function noteAnswered(watch: Watch): void {
  watch.dialog = { ...watch.dialog, open: undefined };
}

/** A person was shown a dialog, mostly the open one: an answer that names none is for it, also once another dialog is open. */
export function noteShown(watch: Watch | undefined, id = watch?.dialog.open?.id): void {
  if (watch !== undefined && id !== undefined && watch.dialog.shown !== id) watch.dialog = { ...watch.dialog, shown: id };
}

/** A stored question, whose agent has ended, has no watch: its words alone make the id. */
export function idOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 6);
}
