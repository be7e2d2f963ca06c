import pc from 'picocolors';
import { markLookAlikes } from '../../base/look-alike.ts';
import { visibleLine, visibleText } from '../../base/visible-text.ts';
import type { ReviewResult } from '../../workers/review/review-result.ts';
import { countedDrafts } from '../../workers/review/text/draft-words.ts';
import { messageLines } from '../../workers/review/text/message-lines.ts';
import { reviewLines } from '../../workers/review/text/review-lines.ts';
import { answerLines, headWithoutCommit } from '../review/answer-text.ts';
import type { Display } from '../shell.ts';
import { diffForPeople } from './diff-text.ts';

/** Longer lines are not read in a head. Where stdout is not a terminal, its width is not known. */
const WIDEST = 160;

/** The worker and the subject, then the lines that need the person and those about the change. The diff follows. */
export function reviewHead(result: ReviewResult, display: Display): string {
  if (result.kind !== 'work') return headWithoutCommit(result, display);
  const { color, atRoot, columns } = display;
  const { yellow } = pc.createColors(color);
  const subject = result.commits.length === 0 ? 'no change' : markLookAlikes(visibleLine(result.message.split('\n')[0] ?? ''));
  return [
    `${result.worker}: ${subject} (${result.head.slice(0, 12)} on ${result.base.slice(0, 12)})`,
    ...reviewLines(result, Math.min(columns, WIDEST)).map(({ text, isCaution, hasCommands }) => {
      const rooted = hasCommands ? atRoot(text) : text;
      return isCaution ? yellow(rooted) : rooted;
    }),
    ...draftLines(result).map(atRoot),
    ...answerLines(result, display),
  ].join('\n');
}

function draftLines({ worker, draft_comments: count }: ReviewResult): readonly string[] {
  return count === 0 ? [] : [`${countedDrafts(count)} in the view, not sent: llmc reject --worker ${worker} --drafts`];
}

/** The author, the message, the files and the diff. The message is indented, so that it cannot pass for the list of files or a diff. */
export function reviewBody(result: ReviewResult, color: boolean): string {
  const { kind, commits, stat, diff } = result;
  if (kind !== 'work') return diff === '' ? '' : `${visibleText(stat)}\n${diffForPeople(diff, color)}`;
  if (commits.length === 0) return '';
  return [...messageLines(result), '', `${visibleText(stat)}\n${diffForPeople(diff, color)}`].join('\n');
}
