import { type LocatedProblem, locate, positionsIn } from '../../config/problems/locate.ts';
import { makePlan } from './make-plan.ts';
import type { Plan } from './plan.ts';
import { readDraft } from './read-draft.ts';
import { readYaml, type YamlTree } from './read-yaml.ts';
import { brokenReferences, type Known } from './references.ts';

export type WorkflowReading =
  | { readonly kind: 'valid'; readonly plan: Plan }
  | { readonly kind: 'invalid'; readonly problems: readonly LocatedProblem[] };

/** Turns the text of a workflow file into its plan, or into all of its problems in the order of the file. Never throws. */
export function readWorkflow(source: string, known: Known = {}): WorkflowReading {
  const text = source.replace(/^\uFEFF/, '');
  const { value, marks, flaws } = readYaml(text);
  if (flaws.length > 0) return { kind: 'invalid', problems: withFlaws(text, { value, marks, flaws }) };
  const { draft, problems: misshapen } = readDraft(value);
  const problems = locate(text, marks, [...misshapen, ...brokenReferences(draft, known)]);
  const plan = problems.length === 0 ? makePlan(draft) : undefined;
  return plan === undefined ? { kind: 'invalid', problems } : { kind: 'valid', plan };
}

/** The flaws of the YAML, and what is wrong in the shape of the rest. What a flaw hides is missing there: no name can be looked up. */
function withFlaws(text: string, { value, marks, flaws }: YamlTree): readonly LocatedProblem[] {
  const lineAndColumn = positionsIn(text);
  const flawed = flaws.map(({ offset, message }) => ({ ...lineAndColumn(offset), message }));
  const misshapen = value === undefined ? [] : readDraft(value).problems.filter(({ about }) => about !== 'missing');
  const others = locate(text, marks, misshapen).filter(({ line, column }) => !flawed.some((flaw) => isSame(flaw, { line, column })));
  return [...flawed, ...others].toSorted((left, right) => left.line - right.line || left.column - right.column);
}

/** A text without quotes that begins with {{ is a mapping of a mapping: both begin at the same place. */
function isSame(flaw: Place, { line, column }: Place): boolean {
  return flaw.line === line && flaw.column === column;
}

type Place = Pick<LocatedProblem, 'line' | 'column'>;
