import pc from 'picocolors';
import type { ReviewResult } from '../../workers/review/review-result.ts';
import { markdownText } from '../../workers/review/text/markdown.ts';
import { answerCautions, noCommitLines } from '../../workers/review/text/no-commit-lines.ts';
import type { Display } from '../shell.ts';

/** Longer lines are not read in a head. */
const WIDEST = 160;

/** An answer, or a turn that ended without a commit: what the agent said, and what it left. The diff of the files follows. */
export function headWithoutCommit(result: ReviewResult, display: Display): string {
  const { yellow } = pc.createColors(display.color);
  const { atRoot, columns } = display;
  return [
    ...noCommitLines(result, Math.min(columns, WIDEST)).map(({ text, isCaution, hasCommands }) => {
      const rooted = hasCommands ? atRoot(text) : text;
      return isCaution ? yellow(rooted) : rooted;
    }),
    ...(result.answer === null && result.summary !== null ? ['', markdownText(result.summary, display)] : []),
    ...answerLines(result, display),
  ].join('\n');
}

/** The answer of an agent, made readable; nothing without one. */
export function answerLines(result: Pick<ReviewResult, 'worker' | 'answer'>, display: Display): readonly string[] {
  if (result.answer === null) return [];
  return [...answerCautions(result).map(display.atRoot), '', markdownText(result.answer.text, display)];
}
