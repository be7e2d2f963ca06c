import * as z from 'zod';
import { visibleText } from '../../../base/visible-text.ts';
import type { Verdict } from '../../model/run.ts';
import { invalid, issueText } from './check-file.ts';

const MOST_ISSUES = 50;
const LONGEST_ISSUE = 4_000;
const LONGEST_KEY = 100;

const issue = z.string({ error: 'expected a text; write the whole remark in one text' }).min(1, { error: 'is empty' });

const verdictSchema = z.object(
  {
    verdict: z.enum(['approved', 'changes', 'inconsistent', 'cannot_judge'], { error: 'expected approved or changes' }),
    issues: z
      .array(issue.max(LONGEST_ISSUE, { error: `expected at most ${LONGEST_ISSUE} characters` }), { error: 'expected a list of texts' })
      .max(MOST_ISSUES, { error: `expected at most ${MOST_ISSUES} remarks` })
      .nullish(),
    items: z.array(z.union([z.string(), z.number()]), { error: 'expected a list of items' }).nullish(),
  },
  { error: 'expected the two keys "verdict" and "issues"' },
);

/**
 * Reads the value of `verdict.yaml`. Its remarks are shown to people and go back to the producer, so they contain no hidden characters.
 * `keys`: the items that it can name.
 */
export function readVerdict(
  path: string,
  value: unknown,
  keys: readonly string[] = [],
): Verdict | { readonly problems: readonly string[] } {
  const read = verdictSchema.safeParse(value);
  if (!read.success) return toProblems(path, read.error.issues.map(issueText));
  const { verdict, issues } = read.data;
  // A key such as 1 is a number in YAML. A review that can name none may write them all the same.
  const items = keys.length === 0 ? [] : (read.data.items ?? []).map(String);
  const unknown = items.find((item) => !keys.includes(item));
  if (unknown !== undefined)
    return toProblems(path, [`items: there is no item "${visibleText(unknown.slice(0, LONGEST_KEY))}"; expected ${keys.join(', ')}`]);
  const remarks = (issues ?? []).map((text) => visibleText(text.trim())).filter((text) => text !== '');
  if (verdict !== 'approved' && remarks.length === 0)
    return toProblems(path, [`issues: expected at least one remark with the verdict "${verdict}"`]);
  return { verdict, issues: remarks, ...(items.length > 0 && { items: [...new Set(items)] }) };
}

function toProblems(path: string, problems: readonly string[]): { readonly problems: readonly string[] } {
  const checked = invalid(path, problems);
  return { problems: checked.kind === 'invalid' ? checked.problems : [] };
}
