import { inOneLine, visibleLine } from '../../base/visible-text.ts';
import type { ReviewResult } from '../../workers/review/review-result.ts';

/** The work with the lines that changed since it was sent back; the same object if there is nothing to compare with. */
export function sinceLast(result: ReviewResult): ReviewResult {
  const { since } = result;
  return since === null || since.diff === null ? result : { ...result, diff: since.diff, stat: since.stat };
}

/** What a person said when they sent the work back, above what the worker made of it. */
export function sinceText({ worker, since }: ReviewResult): string {
  if (since === null) return '';
  const nothing = since.diff === '' ? 'Nothing has changed since your last review' : 'This is what changed since your last review';
  const said = [since.feedback, ...since.notes.map(({ at, text }) => `${at} ${text}`)];
  return [
    `${nothing}; all of it: llmc review ${worker} --whole`,
    ...said.map((text) => `  You said: ${visibleLine(inOneLine(text))}`),
  ].join('\n');
}
