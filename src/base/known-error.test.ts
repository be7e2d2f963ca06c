import { expect, test } from 'vitest';
import { LlmcError } from './error.ts';
import { toKnownError } from './known-error.ts';

test.each([
  ['ENOSPC', 'FILESYSTEM_ERROR'],
  ['EDQUOT', 'FILESYSTEM_ERROR'],
  ['EROFS', 'PERMISSION_DENIED'],
  ['EACCES', 'PERMISSION_DENIED'],
  ['EWHATEVER', 'INTERNAL'],
])('%s from the system is %s, with a hint and without a stack', (code, expected) => {
  const known = toKnownError(Object.assign(new Error('copyfile'), { code }));
  expect(known.toJSON()).toEqual({
    ...known.toJSON(),
    code: expected,
    message: expect.stringContaining('copyfile'),
    hint: expect.any(String),
  });
  expect(known.details).toBeUndefined();
});

test('a known error stays as it is', () => {
  const known = new LlmcError('WORKER_BUSY', 'busy');
  expect(toKnownError(known)).toBe(known);
});
