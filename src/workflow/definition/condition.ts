import type { AllOf, Condition, Test } from './plan.ts';
import { type Values, valueAt } from './values.ts';

export type Truth = true | false | 'unknown';

/** One of the alternatives must hold. One that does decides; otherwise one that is unknown makes all of them unknown. */
export function evaluate(condition: Condition, values: Values): Truth {
  const results = alternatives(condition).map((all) => holdsAll(all, values));
  if (results.includes(true)) return true;
  return results.includes('unknown') ? 'unknown' : false;
}

/** A condition that is not a list is its only alternative. */
export function alternatives(condition: Condition): readonly AllOf[] {
  return isList(condition) ? condition : [condition];
}

/** Array.isArray does not narrow a readonly array. */
const isList = (condition: Condition): condition is readonly AllOf[] => Array.isArray(condition);

/** The paths whose tests nobody can decide: they have no value, or one that cannot be compared. */
export function undecided(condition: Condition, values: Values): readonly string[] {
  const paths = alternatives(condition).flatMap((all) =>
    Object.entries(all).flatMap(([path, test]) => (holds(test, valueAt(values, path)) === 'unknown' ? [path] : [])),
  );
  return [...new Set(paths)];
}

/** All tests must hold. One that fails decides; otherwise a path without a value, or with one that cannot be compared, makes it unknown. */
function holdsAll(all: AllOf, values: Values): Truth {
  const results = Object.entries(all).map(([path, test]) => holds(test, valueAt(values, path)));
  if (results.includes(false)) return false;
  return results.includes('unknown') ? 'unknown' : true;
}

function holds(test: Test, value: unknown): Truth {
  const results: Truth[] = [];
  const wanted = [...(test.is === undefined ? [] : [[test.is]]), ...(test.in === undefined ? [] : [test.in])];
  for (const allowed of wanted) results.push(isScalar(value) ? allowed.some((each) => each === value) : 'unknown');
  const size = measureSize(value);
  if (test.min !== undefined) results.push(size === undefined ? 'unknown' : size >= test.min);
  if (test.max !== undefined) results.push(size === undefined ? 'unknown' : size <= test.max);
  if (results.includes(false)) return false;
  return results.includes('unknown') ? 'unknown' : true;
}

/** A list counts by its length. */
function measureSize(value: unknown): number | undefined {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'number' && !Number.isNaN(value) ? value : undefined;
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
