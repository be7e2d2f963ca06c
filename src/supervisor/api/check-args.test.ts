import { expect, test } from 'vitest';
import { z } from 'zod';
import { checkArgs } from './check-args.ts';

const schema = z.object({ choice: z.string().min(1, 'the answer is empty'), notes: z.array(z.object({ at: z.string('expected text') })) });

test.each([
  ['an empty answer', { choice: '', notes: [] }, 'choice: the answer is empty'],
  ['two errors', { choice: '', notes: [{}] }, 'choice: the answer is empty'],
  ['an error deep inside', { choice: 'x', notes: [{}] }, 'notes.0.at: expected text'],
])('%s is refused with one plain sentence', (_, args, message) => {
  expect(() => checkArgs(schema, args)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT', message, hint: undefined }));
});

test('arguments that are not an object are refused, and valid ones returned', () => {
  expect(() => checkArgs(schema, null)).toThrow(
    expect.objectContaining({ code: 'INVALID_ARGUMENT', message: expect.not.stringMatching(/[✖→\n]/) }),
  );
  expect(checkArgs(schema, { choice: 'x', notes: [] })).toEqual({ choice: 'x', notes: [] });
});
