import pc from 'picocolors';
import { markLookAlikes } from '../../base/look-alike.ts';
import { sentence } from '../../base/sentence.ts';
import { visibleLine, visibleText } from '../../base/visible-text.ts';
import type { ReviewResult } from '../../workers/review/review-result.ts';
import type { Display } from '../shell.ts';
import { diffForPeople } from './diff-text.ts';
import { warningLines } from './warning-text.ts';

/** The worker, the subject and the commits; then what a reviewer should know before reading the diff. */
export function reviewHead(result: ReviewResult, { color, atRoot }: Pick<Display, 'color' | 'atRoot'>): string {
  const { yellow } = pc.createColors(color);
  const subject = markLookAlikes(visibleLine(result.message.split('\n')[0] ?? ''));
  return [
    `${result.worker}: ${subject} (${result.head.slice(0, 12)} on ${result.base.slice(0, 12)})`,
    ...(result.attention !== null && isObstacle(result) ? [atRoot(`! ${sentence(result.attention)}`)] : []),
    ...(result.uncommitted.length === 0 ? [] : [visibleLine(`Not committed: ${result.uncommitted.join(', ')}`)]),
    ...warningLines(result.warnings).map((line) => yellow(atRoot(line))),
  ].join('\n');
}

/** The author, the message, the files and the diff. The message is indented, so that it cannot pass for the list of files or a diff. */
export function reviewBody({ author, message, stat, diff }: ReviewResult, color: boolean): string {
  const indented = markLookAlikes(visibleText(message)).replace(/^(?=.)/gm, '    ');
  return `${markLookAlikes(visibleLine(`Author: ${author}`))}\n\n${indented}\n\n${visibleText(stat)}\n${diffForPeople(diff, color)}`;
}

/** Omits the request to review, because the reader is already reviewing. */
function isObstacle({ attention_kind: kind }: ReviewResult): boolean {
  return kind !== 'review' && kind !== 'review_without_agent' && kind !== 'resolved';
}
