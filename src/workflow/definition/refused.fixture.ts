import { readWorkflow } from './read-workflow.ts';

export const HEAD =
  'name: flow\ninputs: { task: { type: text }, tier: { one_of: [simple, complex] }, fast: { type: flag }, angles: { type: list }, epic: { type: file } }\nroles: { lead: {}, builder: { fallback: codex }, checker: {} }\nstages:\n';
export const PLAN = '  - { id: plan, role: lead, output: [outline.yaml, notes.md], prompt: "Plan {{inputs.task}}" }\n';
export const BUILD = '  - { id: build, role: builder, prompt: "Build {{plan}}" }\n';
/** For tests: a workflow of two stages, and of those that the test adds in line 7. */
export const flow = (...stages: string[]) => `${HEAD}${PLAN}${BUILD}${stages.join('')}`;
export const KNOWN = { agents: ['claude', 'codex', 'demo'], name: 'flow' };

export function problems(text: string): readonly string[] {
  const reading = readWorkflow(text, KNOWN);
  return reading.kind === 'valid' ? [] : reading.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

/** What is wrong, the text, and the problems with line and column. */
export type Refused = [what: string, text: string, problems: string[]];
