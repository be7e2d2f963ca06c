import type { Plan, WorkflowInput } from '../definition/plan.ts';

/** What is wrong with the values of a new run, for values that come from outside this process. */
export function valueProblems(inputs: Plan['inputs'], values: Readonly<Record<string, unknown>>): readonly string[] {
  const unknown = Object.keys(values).filter((name) => !Object.hasOwn(inputs, name));
  const wrong = Object.entries(inputs).filter(([name, input]) => !fits(input, Object.hasOwn(values, name) ? values[name] : undefined));
  return [
    ...unknown.map((name) => `there is no input "${name}"`),
    ...wrong.map(([name, { type }]) => `the input "${name}" is missing or not ${type === 'items' ? 'a list of items' : `a ${type}`}`),
  ];
}

function fits({ type, oneOf, optional }: WorkflowInput, value: unknown): boolean {
  if (value === undefined) return optional;
  switch (type) {
    case 'text':
      return typeof value === 'string';
    case 'flag':
      return typeof value === 'boolean';
    case 'list':
      return Array.isArray(value) && value.every((each) => typeof each === 'string');
    case 'items':
      return Array.isArray(value);
    case 'one_of':
      return typeof value === 'string' && oneOf.includes(value);
    case 'file':
      return true;
  }
}
