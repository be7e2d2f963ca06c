import { markLookAlikes } from '../../../base/look-alike.ts';
import { visibleLine, visibleText } from '../../../base/visible-text.ts';
import type { ReviewResult } from '../review-result.ts';

/** The author, the commits and the message of the commit that would land. The message is indented, so that it cannot pass for anything else. */
export function messageLines({ author, commits, message }: Pick<ReviewResult, 'author' | 'commits' | 'message'>): readonly string[] {
  const listed = commits.map(({ commit, subject }) => `    ${commit.slice(0, 12)} ${markLookAlikes(visibleLine(subject))}`);
  return [
    markLookAlikes(visibleLine(`Author: ${author}`)),
    ...(listed.length < 2 ? [] : ['Commits that become one:', ...listed]),
    '',
    ...markLookAlikes(visibleText(message))
      .split(/\r?\n/)
      .map((line) => (line === '' ? '' : `    ${line}`)),
  ];
}
