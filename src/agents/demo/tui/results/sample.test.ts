import { expect, test } from 'vitest';
import { z } from 'zod';
import { sampleOf } from './sample.ts';

test.for([
  ['a text', z.string().min(12)],
  ['a short text', z.string().max(3)],
  ['numbers', z.object({ a: z.int().min(3), b: z.number().max(0), c: z.number() })],
  ['a list', z.array(z.object({ id: z.string(), done: z.boolean() })).min(2)],
  ['choices', z.object({ one: z.enum(['a', 'b']), two: z.literal(7), three: z.union([z.null(), z.string()]) })],
  ['a nullable', z.object({ note: z.string().nullable() })],
  ['names and addresses', z.array(z.object({ id: z.string().regex(/^[a-z][a-z0-9-]+$/), url: z.string().regex(/^https?:\/\/\S+$/) }))],
] as const)('a sample of %s satisfies its schema', ([, schema]) => {
  expect(schema.safeParse(sampleOf(z.toJSONSchema(schema), 'a page'))).toMatchObject({ success: true });
});

test('a sample has what is required without a description, and ends where a schema contains itself', () => {
  expect(sampleOf({ type: 'object', required: ['summary'] }, 'a page')).toEqual({ summary: 'a page' });
  const endless: { type: string; items: unknown } = { type: 'array', items: null };
  endless.items = endless;
  expect(JSON.stringify(sampleOf(endless, 'x'))).toContain('"x"');
  expect(sampleOf(null, 'x')).toBe('x');
});

test('the items of a list have different names', () => {
  const list = sampleOf({ type: 'array', items: { type: 'object', properties: { id: { type: 'string', pattern: '^[a-z0-9-]+$' } } } }, 'x');
  expect(list).toEqual([{ id: 'demo-1' }, { id: 'demo-2' }]);
});
