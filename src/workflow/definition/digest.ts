import { createHash } from 'node:crypto';

/** The SHA-256 of a value as JSON with sorted keys: the order of keys, and keys without a value, do not count. */
export function hashValue(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value, sorted)).digest('hex');
}

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}
