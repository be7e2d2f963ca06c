import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const repository = join(import.meta.dirname, '../..');

// What `npm run check` runs one by one, so that `npm test` alone says whether the tree is in order.
test.for([
  // By itself tsc has four checkers, which check the same declarations: here each takes the processor from other tests.
  ['typecheck', 'tsc', '--noEmit', '--checkers', '1'],
  ['lint', 'biome', 'check', '--error-on-warnings', '.'],
  ['unused', 'knip'],
] as const)('npm run %s has nothing to say', ([, program, ...args]) => {
  const { status, stdout, stderr } = spawnSync(join(repository, 'node_modules/.bin', program), args, { cwd: repository, encoding: 'utf8' });
  expect(status, `${stdout}${stderr}`).toBe(0);
});
