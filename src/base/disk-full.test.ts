import { expect, test } from 'vitest';
import { diskFull, isDiskFull } from './disk-full.ts';
import { LlmcError } from './error.ts';

test.each<[unknown, boolean]>([
  [Object.assign(new Error('copyfile'), { code: 'ENOSPC' }), true],
  [Object.assign(new Error('write'), { code: 'EDQUOT' }), true],
  [new LlmcError('GIT_FAILED', 'git add failed', { cause: diskFull('No space left on device') }), true],
  [Object.assign(new Error('open'), { code: 'EACCES' }), false],
  [new Error('ENOSPC: no space left on device'), false],
  ['ENOSPC', false],
])('%s: %j', (error, full) => {
  expect(isDiskFull(error)).toBe(full);
});
