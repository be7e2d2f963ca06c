import type { Condition, Test } from './plan.ts';
import { type Values, valueAt } from './values.ts';

export type Truth = true | false | 'unknown';

/** All tests must hold. One that fails decides; otherwise a path without a value, or with one that cannot be compared, makes it unknown. */
export function evaluate(condition: Condition, values: Values): Truth {
  const results = Object.entries(condition).map(([path, test]) => holds(test, valueAt(values, path)));
  if (results.includes(false)) return false;
  return results.includes('unknown') ? 'unknown' : true;
}

function holds(test: Test, value: unknown): Truth {
  const results: Truth[] = [];
  const wanted = [...(test.is === undefined ? [] : [[test.is]]), ...(test.in === undefined ? [] : [test.in])];
  for (const allowed of wanted) results.push(isScalar(value) ? allowed.some((each) => each === value) : 'unknown');
  const size = sizeOf(value);
  if (test.min !== undefined) results.push(size === undefined ? 'unknown' : size >= test.min);
  if (test.max !== undefined) results.push(size === undefined ? 'unknown' : size <= test.max);
  if (results.includes(false)) return false;
  return results.includes('unknown') ? 'unknown' : true;
}

/** A list counts by its length. */
function sizeOf(value: unknown): number | undefined {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'number' && !Number.isNaN(value) ? value : undefined;
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
