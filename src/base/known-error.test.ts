import { expect, test } from 'vitest';
import { LlmcError } from './error.ts';
import { toKnownError } from './known-error.ts';

test.each([
  ['ENOSPC', 'FILESYSTEM_ERROR'],
  ['EDQUOT', 'FILESYSTEM_ERROR'],
  ['EROFS', 'PERMISSION_DENIED'],
  ['EMFILE', 'FILESYSTEM_ERROR'],
  ['ENFILE', 'FILESYSTEM_ERROR'],
  ['EIO', 'FILESYSTEM_ERROR'],
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

test.each([
  ['ENOSPC', 'df -h /root'],
  ['EROFS', 'findmnt -T /root,'],
  ['EMFILE', 'ulimit -n'],
])('the hint of %s has a command that helps', (code, command) => {
  const known = toKnownError(Object.assign(new Error('open'), { code, path: '/root/a' }));
  expect(known.hint).toContain(command);
});
