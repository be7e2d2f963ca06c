import * as z from 'zod';
import { visibleText } from '../../../base/visible-text.ts';
import type { Verdict } from '../../model/run.ts';
import { invalid, issueText } from './check-file.ts';

const MOST_ISSUES = 50;
const LONGEST_ISSUE = 4_000;

const issue = z.string({ error: 'expected a text; write the whole remark in one text' }).min(1, { error: 'is empty' });

const verdictSchema = z.object(
  {
    verdict: z.enum(['approved', 'changes', 'inconsistent', 'cannot_judge'], { error: 'expected approved or changes' }),
    issues: z
      .array(issue.max(LONGEST_ISSUE, { error: `expected at most ${LONGEST_ISSUE} characters` }), { error: 'expected a list of texts' })
      .max(MOST_ISSUES, { error: `expected at most ${MOST_ISSUES} remarks` })
      .nullish(),
  },
  { error: 'expected the two keys "verdict" and "issues"' },
);

/** Reads the value of `verdict.yaml`. Its remarks are shown to people and go back to the producer, so they contain no hidden characters. */
export function readVerdict(path: string, value: unknown): Verdict | { readonly problems: readonly string[] } {
  const read = verdictSchema.safeParse(value);
  if (!read.success) return problemsOf(path, read.error.issues.map(issueText));
  const { verdict, issues } = read.data;
  const remarks = (issues ?? []).map((text) => visibleText(text.trim())).filter((text) => text !== '');
  if (verdict !== 'approved' && remarks.length === 0)
    return problemsOf(path, [`issues: expected at least one remark with the verdict "${verdict}"`]);
  return { verdict, issues: remarks };
}

function problemsOf(path: string, problems: readonly string[]): { readonly problems: readonly string[] } {
  const checked = invalid(path, problems);
  return { problems: checked.kind === 'invalid' ? checked.problems : [] };
}
