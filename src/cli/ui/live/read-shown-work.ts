import { LlmcError } from '../../../base/error.ts';
import { findingsId } from '../../../proof/verdict.ts';
import type { KeptDraft } from '../../../store/tables/drafts.ts';
import type { WorkerReport } from '../../../supervisor/report/status-report.ts';
import { endedWithoutResult } from '../../../supervisor/report/worker-words.ts';
import type { ShownWork } from '../../../tui/diff/shown-work.ts';
import type { SeenWork } from '../../../tui/model/effect.ts';
import type { ReviewResult } from '../../../workers/review/review-result.ts';
import type { Shell } from '../../shell.ts';

export interface WorkAsked {
  readonly worker: Pick<WorkerReport, 'name' | 'attention_kind'>;
  /** The worker waits for a decision. */
  readonly isToReview: boolean;
  readonly ignoreWhitespace: boolean;
}

export interface WorkFound {
  readonly shown: ShownWork;
  /** What an accept would be about; undefined if nothing can land. */
  readonly seen: SeenWork | undefined;
  /** The comments that are not sent, and the commit message that a person wrote. */
  readonly drafts: readonly KeptDraft[];
}

/** What the diff pane shows of a worker. It does not count as a review: the person has not seen it yet. */
export async function readShownWork(shell: Pick<Shell, 'call'>, asked: WorkAsked): Promise<WorkFound> {
  return { ...(await readReview(shell, asked)), drafts: await shell.call('drafts', { worker: asked.worker.name }) };
}

async function readReview(
  shell: Pick<Shell, 'call'>,
  { worker, isToReview, ignoreWhitespace }: WorkAsked,
): Promise<Omit<WorkFound, 'drafts'>> {
  const { name, attention_kind: kind } = worker;
  if (!isToReview && !endedWithoutResult(worker)) return await asItIs(shell, name, ignoreWhitespace);
  const isWork = isToReview && kind !== 'answer';
  try {
    // No rebase: a person who only moves through the list changes nothing. The patrol and the accept bring work onto main.
    const review = await shell.call('review', { worker: name, ignoreWhitespace, patrol: false, ...(isWork && { beforeAccept: true }) });
    const seen = isWork ? seenIn(review, ignoreWhitespace) : undefined;
    return { shown: { ...review, ignores_whitespace: ignoreWhitespace }, seen };
  } catch (error) {
    // The worker went on since the status was drawn.
    if (!(error instanceof LlmcError) || error.code !== 'ILLEGAL_TRANSITION') throw error;
    return await asItIs(shell, name, ignoreWhitespace);
  }
}

/** What a person sees of a review. */
export function seenIn({ head, diff, message, warnings, proof }: ReviewResult, ignoreWhitespace: boolean): SeenWork {
  return {
    head,
    diff,
    message,
    proof: proof && findingsId(proof),
    isWhole: !ignoreWhitespace && !warnings.some(({ kind }) => kind === 'omitted'),
  };
}

async function asItIs(shell: Pick<Shell, 'call'>, worker: string, ignoreWhitespace: boolean): Promise<Omit<WorkFound, 'drafts'>> {
  return { shown: { kind: 'now', ...(await shell.call('diff', { worker, ignoreWhitespace })) }, seen: undefined };
}
