import { expect, test } from 'vitest';
import { LlmcError } from './error.ts';
import { findRefusal, type Refusal, refusalIn } from './refusal.ts';

const coded = (code: string) => Object.assign(new Error('write'), { code });
const fromSqlite = (errcode: number) => Object.assign(new Error('sqlite'), { code: 'ERR_SQLITE_ERROR', errcode });

test.each<[unknown, Refusal | undefined]>([
  [coded('ENOSPC'), 'disk_full'],
  [coded('EDQUOT'), 'disk_full'],
  [coded('EROFS'), 'read_only'],
  [coded('EIO'), 'disk_error'],
  [coded('EMFILE'), 'too_many_files'],
  [coded('ENFILE'), 'too_many_files'],
  [fromSqlite(5), 'database_locked'],
  [fromSqlite(517), 'database_locked'],
  [fromSqlite(8), 'read_only'],
  [fromSqlite(778), 'disk_error'],
  [fromSqlite(13), 'disk_full'],
  [new LlmcError('GIT_FAILED', 'git add failed', { cause: coded('ENOSPC') }), 'disk_full'],
  [coded('EACCES'), undefined],
  [fromSqlite(11), undefined],
  [new Error('ENOSPC: no space left on device'), undefined],
  ['ENOSPC', undefined],
])('%s: %j', (error, refusal) => {
  expect(findRefusal(error)).toBe(refusal);
});

test.each<[string, Refusal | undefined]>([
  ['error: unable to write file a: No space left on device', 'disk_full'],
  ['error: unable to write file a: Disk quota exceeded', 'disk_full'],
  ["fatal: Unable to create '/r/.git/index.lock': Read-only file system", 'read_only'],
  ['error: open("a"): Too many open files', 'too_many_files'],
  ['fatal: no way', undefined],
])('%s in the output of a program: %j', (output, refusal) => {
  expect(findRefusal(refusalIn(output))).toBe(refusal);
});
