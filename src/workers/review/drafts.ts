import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { visibleLine } from '../../base/visible-text.ts';
import type { Database } from '../../store/database.ts';
import {
  type Draft,
  dropDrafts,
  forgetDrafts,
  type KeptDraft,
  listKeptComments,
  listKeptDrafts,
  putDraft,
} from '../../store/tables/drafts.ts';
import { openLandings } from '../../store/tables/landings.ts';
import { givenNumber } from '../../store/tables/queue-facts.ts';
import { forgetRejections, listRejections } from '../../store/tables/rejections.ts';
import type { WorkContext } from '../context.ts';
import { standing, type WorkerEvent } from '../status/transitions.ts';
import { nameWork } from '../tasks/work-id.ts';
import { countedDrafts } from './text/draft-words.ts';

export interface DraftChange {
  readonly worker: string;
  /** Chosen by who writes it: the same id again replaces the draft. */
  readonly id: string;
  /** The work that it is about, as the status names it; undefined if the writer does not know. */
  readonly work?: string | null | undefined;
  /** Null deletes it. */
  readonly draft: Draft | null;
}

export interface DraftKept {
  /** The work is landing, and the draft ends with it if that succeeds. */
  readonly is_landing: boolean;
}

/**
 * Keeps what a person has written about the work of a worker until it is sent, deleted, or the work is over. Refuses it for an idle worker:
 * an accept was faster, and the next task would delete the draft.
 */
export async function keepDraft({ store, clock }: WorkContext, { worker, work, id, draft }: DraftChange): Promise<DraftKept> {
  const now = store.worker(worker);
  if (draft !== null && standing(now) === 'idle')
    throw new LlmcError('ILLEGAL_TRANSITION', `the work of ${worker} is over: it was accepted, dismissed or reset meanwhile`, {
      hint: commandLine('llmc', 'why', worker),
    });
  if (draft !== null && work !== undefined && work !== nameWork(now, givenNumber(store.database, worker)))
    throw new LlmcError('WORK_CHANGED', `${worker} has other work now`, { hint: commandLine('llmc', 'why', worker) });
  if (draft !== null && listRejections(store.database, worker).some(({ drafts }) => drafts.some((sent) => sent.id === id)))
    throw new LlmcError('WORK_CHANGED', `this comment was sent to ${worker} meanwhile`, { hint: commandLine('llmc', 'review', worker) });
  store.commit({
    worker,
    kind: 'draft',
    summary: 'a draft was written',
    // A half-typed comment is stored every second: the history has the rejection.
    silent: true,
    rows: (database) => (draft === null ? dropDrafts(database, worker, [id]) : putDraft(database, { id, worker, draft }, clock.now())),
  });
  return { is_landing: openLandings(store.database).some((landing) => landing.worker === worker) };
}

export async function listDrafts({ store }: WorkContext, { worker }: { readonly worker: string }): Promise<readonly KeptDraft[]> {
  return listKeptDrafts(store.database, store.worker(worker).name);
}

/** What was written about work, and with which remarks it was sent back, ends with the work. */
export const ENDS_REVIEW: readonly WorkerEvent[] = ['accepted', 'dismissed', 'reset', 'assigned'];

interface EndedReview {
  /** For the line of the history. */
  readonly said: { readonly details?: string };
  /** Deletes the drafts and the rejections, in the transaction of that line. */
  readonly rows: (database: Database) => void;
}

/** Ends what was written about the work of a worker. Says which comments nobody sent. */
export function endReview({ store, say }: Pick<WorkContext, 'store' | 'say'>, worker: string): EndedReview {
  const rows = (database: Database): void => {
    forgetDrafts(database, worker);
    forgetRejections(database, worker);
  };
  const comments = listKeptComments(store.database, worker);
  if (comments.length === 0) return { said: {}, rows };
  const texts = comments.map(({ draft: { path, to, text } }) => `${path}:${to} ${text}`);
  const details = visibleLine(`${worker}: ${countedDrafts(comments.length)} not sent: ${texts.join(' · ')}`);
  say(details);
  return { said: { details }, rows };
}
