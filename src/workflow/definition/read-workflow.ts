import { type LocatedProblem, locate, positionsIn } from '../../config/problems/locate.ts';
import { makePlan } from './make-plan.ts';
import type { Plan } from './plan.ts';
import { readDraft } from './read-draft.ts';
import { readYaml } from './read-yaml.ts';
import { brokenReferences, type Known } from './references.ts';

export type WorkflowReading =
  | { readonly kind: 'valid'; readonly plan: Plan }
  | { readonly kind: 'invalid'; readonly problems: readonly LocatedProblem[] };

/** Turns the text of a workflow file into its plan, or into all of its problems in the order of the file. Never throws. */
export function readWorkflow(source: string, known: Known = {}): WorkflowReading {
  const text = source.replace(/^\uFEFF/, '');
  const { value, marks, flaws } = readYaml(text);
  if (flaws.length > 0) {
    const lineAndColumn = positionsIn(text);
    const ordered = flaws.toSorted((left, right) => left.offset - right.offset);
    return { kind: 'invalid', problems: ordered.map(({ offset, message }) => ({ ...lineAndColumn(offset), message })) };
  }
  const { draft, problems: misshapen } = readDraft(value);
  const problems = locate(text, marks, [...misshapen, ...brokenReferences(draft, known)]);
  const plan = problems.length === 0 ? makePlan(draft) : undefined;
  return plan === undefined ? { kind: 'invalid', problems } : { kind: 'valid', plan };
}
