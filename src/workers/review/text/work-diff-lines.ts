import { markLookAlikes } from '../../../base/look-alike.ts';
import { cutToWidth } from '../../../base/text-width.ts';
import { inOneLine, visibleLine } from '../../../base/visible-text.ts';
import { describeStatus } from '../../status/status-words.ts';
import type { DiffResult } from '../diff-work.ts';
import { type ReviewLine, sizeWords } from './review-lines.ts';

/** Names in one line; a list that is longer is not read. */
const MOST_NAMES = 12;

/** The worker, its task, its commits, and what is not committed or not shown. Nothing blocks: the work is not finished. */
export function workDiffLines(result: DiffResult, columns: number): readonly ReviewLine[] {
  const { worker, status, head, base, task, commits, files, uncommitted, unread } = result;
  const tells = (text: string): ReviewLine => ({ text, weight: 'tells', isCaution: false, hasCommands: false });
  const warns = (text: string): ReviewLine => ({ text, weight: 'warns', isCaution: true, hasCommands: false });
  return [
    tells(`${worker} ${describeStatus(status)}: its work as it is now (${head.slice(0, 12)} on ${base.slice(0, 12)})`),
    ...(task === null ? [] : [tells(cutToWidth(`Task: ${shown(inOneLine(task))}`, columns))]),
    ...commits.map(({ commit, subject }) => tells(`Commit ${commit.slice(0, 12)}: ${shown(subject)}`)),
    ...(uncommitted.length === 0 ? [] : [tells(`Not committed: ${names(uncommitted)}`)]),
    ...leftOutLines(result).map(warns),
    ...unread.map((line) => warns(`! Not read: ${shown(line)}`)),
    ...(result.ignores_whitespace ? [tells('Changes of white space are not shown.')] : []),
    tells(files.length === 0 ? 'No change.' : sizeWords(files)),
  ];
}

const WHY = {
  large: 'too large',
  many: 'too many new files',
  repository: 'a repository of its own',
  long: 'the diff would be too long',
} as const satisfies Record<DiffResult['left_out'][number]['why'], string>;

function leftOutLines({ left_out }: DiffResult): readonly string[] {
  const groups = Map.groupBy(left_out, ({ why }) => why);
  return [...groups].map(([why, files]) => `! Without the lines of ${names(files.map(({ path }) => path))}: ${WHY[why]}.`);
}

function names(paths: readonly string[]): string {
  const more = paths.length - MOST_NAMES;
  return `${paths.slice(0, MOST_NAMES).map(shown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const shown = (text: string): string => markLookAlikes(visibleLine(text));
