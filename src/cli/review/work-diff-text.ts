import pc from 'picocolors';
import { visibleText } from '../../base/visible-text.ts';
import type { DiffResult } from '../../workers/review/diff-work.ts';
import { workDiffLines } from '../../workers/review/text/work-diff-lines.ts';
import type { Display } from '../shell.ts';
import { diffForPeople } from '../text/diff-text.ts';

const WIDEST = 160;

/** What `llmc diff` says before the files and the diff. */
export function workDiffHead(result: DiffResult, { color, columns }: Pick<Display, 'color' | 'columns'>): string {
  const { yellow } = pc.createColors(color);
  return workDiffLines(result, Math.min(columns, WIDEST))
    .map(({ text, isCaution }) => (isCaution ? yellow(text) : text))
    .join('\n');
}

export function workDiffBody({ stat, diff }: DiffResult, color: boolean): string {
  return diff === '' ? visibleText(stat) : `${visibleText(stat)}\n${diffForPeople(diff, color)}`;
}
