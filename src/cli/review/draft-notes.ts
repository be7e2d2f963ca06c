import { LlmcError } from '../../base/error.ts';
import type { SentDraft } from '../../store/tables/drafts.ts';
import { lostFeedback, toNotes } from '../../tui/diff/comments/notes.ts';
import { openDiff } from '../../tui/diff/diff-view.ts';
import { withDrafts } from '../../tui/model/drafts.ts';
import type { Note } from '../../tui/model/effect.ts';
import type { Shell } from '../shell.ts';

export interface DraftNotes {
  readonly worker: string;
  readonly notes: readonly Note[];
  /** What to say about comments whose file is no longer part of the work. */
  readonly lost: string;
  readonly drafts: readonly SentDraft[];
}

/** The comments that a person wrote in the view, as remarks of a rejection: each at its line as the work is now. */
export async function draftNotes(shell: Shell, named: string | undefined): Promise<DraftNotes> {
  const review = await shell.call('review', { worker: named, beforeAccept: true, patrol: false });
  const { worker } = review;
  const stored = await shell.call('drafts', { worker });
  const opened = openDiff({ ...review, ignores_whitespace: false });
  const diff = withDrafts({ drafts: new Map() }, { root: shell.root, worker }, opened, stored);
  if (diff.comments.length === 0)
    throw new LlmcError('INVALID_ARGUMENT', `${worker} has no draft comments`, { hint: `llmc reject --worker ${worker} "…"` });
  return { worker, notes: toNotes(diff), lost: lostFeedback(diff), drafts: diff.comments.map(({ id, text }) => ({ id, text })) };
}
