import { expect, test } from 'vitest';
import { programTests } from './program-tests.ts';

test('a test of real git is not in the inner loop, and one of a pure function is', () => {
  const found = programTests();
  expect(found).toContain('src/git/landing/land.test.ts');
  expect(found).not.toContain('src/base/duration.test.ts');
});

test('a test that has real git from a file of test/support is not in the inner loop', () => {
  expect(programTests()).toContain('src/doctor/damaged-roots.test.ts');
});
