import type { DiffResult } from '../../workers/review/diff-work.ts';
import type { ReviewResult } from '../../workers/review/review-result.ts';
import { messageLines } from '../../workers/review/text/message-lines.ts';
import { answerCautions, noCommitLines } from '../../workers/review/text/no-commit-lines.ts';
import { type HeadOfReview, type ReviewLine, reviewLines } from '../../workers/review/text/review-lines.ts';
import { workDiffLines } from '../../workers/review/text/work-diff-lines.ts';

/** What waits for a decision, or the work of a worker as it is now. */
export type ShownWork = ShownReview | ({ readonly kind: 'now' } & DiffResult);

export interface ShownReview
  extends HeadOfReview,
    Pick<ReviewResult, 'kind' | 'answer' | 'diff' | 'message' | 'agent_message' | 'author' | 'since'> {
  readonly ignores_whitespace: boolean;
}

/** What of the work the pane shows: what changed since the last review, or all of it. */
export type DiffScope = 'since' | 'whole';

/** The lines of a scope, with their files; undefined if the work has no such scope. */
export function findScope(shown: ShownWork, scope: DiffScope): Pick<ShownWork, 'diff' | 'files'> | undefined {
  if (scope === 'whole') return shown;
  const since = shown.kind === 'work' ? shown.since : null;
  return since === null || since.diff === null ? undefined : { diff: since.diff, files: since.files };
}

const ENDLESS = Number.POSITIVE_INFINITY;

/** What the head says, each line in full. */
export function headLines(shown: ShownWork, summaryLines: number): readonly ReviewLine[] {
  if (shown.kind === 'now') return workDiffLines(shown, ENDLESS);
  const cautions = answerCautions(shown).map((text): ReviewLine => ({ text, weight: 'warns', isCaution: true, hasCommands: true }));
  const lines = shown.kind === 'work' ? reviewLines(shown, ENDLESS, summaryLines) : noCommitLines(shown, ENDLESS);
  return [...lines, ...cautions];
}

/** What the agent says at length: its answer, or its last message if the turn ended without a commit. */
export function findMessage(shown: ShownWork): string | null {
  if (shown.kind === 'now') return null;
  return shown.answer?.text ?? (shown.kind === 'work' ? null : shown.summary);
}

/** The commit that would land, if the work is accepted. */
export function commitLines(shown: ShownWork): readonly string[] {
  return shown.kind !== 'work' || shown.commits.length === 0 ? [] : messageLines(shown);
}
