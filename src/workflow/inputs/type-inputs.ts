import { showsNothing } from '../../base/shows-nothing.ts';
import { nearest } from '../../config/nearest.ts';
import type { Plan, WorkflowInput } from '../definition/plan.ts';

/** An input as a person gave it: `name=value`, or for a flag its name alone. */
export interface GivenInput {
  readonly name: string;
  readonly value: string | undefined;
}

export interface TypedInputs {
  /** Texts, flags, lists of texts; for a file its path. */
  readonly values: Readonly<Record<string, string | boolean | readonly string[]>>;
  readonly problems: readonly string[];
}

export function givenInput(word: string): GivenInput {
  const at = word.indexOf('=');
  return at === -1 ? { name: word, value: undefined } : { name: word.slice(0, at), value: word.slice(at + 1) };
}

/** Gives each input the type that the plan asks for. All problems are found at once. */
export function typeInputs(inputs: Plan['inputs'], given: readonly GivenInput[]): TypedInputs {
  const unknown = given.filter(({ name }) => !Object.hasOwn(inputs, name)).map(({ name }) => unknownInput(name, Object.keys(inputs)));
  const values: [string, string | boolean | readonly string[]][] = [];
  const problems = Object.entries(inputs).flatMap(([name, input]) => {
    const typed = typeOne(
      name,
      input,
      given.filter((each) => each.name === name).map(({ value }) => value),
    );
    if ('problem' in typed) return [typed.problem];
    if (typed.value !== undefined) values.push([name, typed.value]);
    return [];
  });
  return { values: Object.fromEntries(values), problems: [...new Set([...unknown, ...problems])] };
}

function unknownInput(name: string, known: readonly string[]): string {
  const close = nearest(name, known);
  if (close !== undefined) return `there is no input "${name}"; did you mean "${close}"?`;
  return `there is no input "${name}"; ${known.length === 0 ? 'the workflow has none' : `expected ${known.join(', ')}`}`;
}

type Typed = { readonly value: string | boolean | readonly string[] | undefined } | { readonly problem: string };

function typeOne(name: string, { type, oneOf, optional }: WorkflowInput, given: readonly (string | undefined)[]): Typed {
  const [first] = given;
  if (given.length === 0) return withoutValue(name, type, optional);
  if (given.length > 1 && type !== 'list') return { problem: `the input "${name}" is given ${given.length} times` };
  if (type === 'flag') return parseFlag(name, first);
  const texts = given.filter((value) => value !== undefined);
  if (texts.length < given.length || texts.some(showsNothing)) return { problem: `the input "${name}" has no value; expected ${name}=…` };
  if (type === 'list') return { value: texts };
  if (type === 'one_of' && !oneOf.includes(texts[0] ?? '')) return { problem: describeWrongValue(name, texts[0] ?? '', oneOf) };
  return { value: texts[0] };
}

/** A flag that nobody gave is false, unless the workflow asks whether it was given. */
function withoutValue(name: string, type: WorkflowInput['type'], optional: boolean): Typed {
  if (optional) return { value: undefined };
  return type === 'flag' ? { value: false } : { problem: `the input "${name}" is missing` };
}

function parseFlag(name: string, value = 'true'): Typed {
  if (value === 'true' || value === 'false') return { value: value === 'true' };
  return { problem: `the input "${name}" is true or false, not "${value}"` };
}

function describeWrongValue(name: string, value: string, oneOf: readonly string[]): string {
  const close = nearest(value, oneOf);
  return `the input "${name}" cannot be "${value}"; ${close === undefined ? `expected ${oneOf.join(', ')}` : `did you mean "${close}"?`}`;
}
