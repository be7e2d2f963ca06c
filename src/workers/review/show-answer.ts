import type { Worker } from '../../store/state.ts';
import { findAnswer } from '../../store/tables/answers.ts';
import { listKeptComments } from '../../store/tables/drafts.ts';
import type { WorkContext } from '../context.ts';
import { reviewQueue } from '../pool/pick.ts';
import { attentionReport } from '../status/attention-text.ts';
import { standing } from '../status/transitions.ts';
import { diffWork } from './diff-work.ts';
import type { ReviewedAnswer, ReviewResult } from './review-result.ts';

/** The answer of a worker that waits to be read; null without one. */
export function answerFor({ store }: Pick<WorkContext, 'store'>, { answer: id, summary }: Worker): ReviewedAnswer | null {
  if (id === null) return null;
  const found = findAnswer(store.database, id);
  // A copy of llmc.db that was restored may not have it.
  if (found === undefined) return { text: summary ?? '', source: 'message', cut: true, task: null, at_unix: null };
  const { text, source, cut, number, given_ms } = found;
  return { text, source, cut: cut === 1, task: number, at_unix: Math.floor(given_ms / 1_000) };
}

/** Whether the turn of a worker ended without what its task asked for. There may be files to look at. */
export function isUnfinished(worker: Worker): boolean {
  const kind = worker.attention?.kind;
  return standing(worker) === 'needs_input' && (kind === 'no_commit' || kind === 'commit_unchanged' || kind === 'no_answer');
}

interface Showing {
  readonly ignoreWhitespace: boolean;
  readonly next: boolean;
}

/** Shows an answer, or the end of a turn without a commit, with the files that are not committed. Nothing of it can land as it is. */
export async function showWithoutCommit(context: WorkContext, name: string, { ignoreWhitespace, next }: Showing): Promise<ReviewResult> {
  const { store } = context;
  const { left_out, status: _, unread: __, ignores_whitespace: ___, ...diff } = await diffWork(context, { worker: name, ignoreWhitespace });
  const worker = store.worker(name);
  const omitted = left_out.map(({ path }) => path);
  return {
    ...diff,
    kind: isUnfinished(worker) ? 'unfinished' : 'answer',
    answer: answerFor(context, worker),

    message: '',
    agent_message: '',
    message_edit: 'none',
    author: '',
    formatted: worker.formatted,
    validation: null,
    validation_commands: 0,
    proof: null,
    rescue: null,
    warnings: omitted.length === 0 ? [] : [{ kind: 'omitted', files: omitted.slice(0, MOST_NAMES), count: omitted.length }],

    conflicts: [],
    not_compared: [],
    chosen_place: worker.chosen_place,
    run_branch: null,
    since: null,
    draft_comments: listKeptComments(store.database, name).length,
    waiting: reviewQueue(store.state, { unseenFirst: next }).flatMap((other) => (other.name === name ? [] : [other.name])),
    ...attentionReport(name, worker.attention),
  };
}

const MOST_NAMES = 10;
