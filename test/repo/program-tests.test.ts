import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { programTests } from './program-tests.ts';

const repository = join(import.meta.dirname, '../..');

test('a test of real git is not in the inner loop, and one of a pure function is', () => {
  const found = programTests();
  expect(found).toContain('src/git/landing/land.test.ts');
  expect(found).not.toContain('src/base/duration.test.ts');
});

test('a support file of the inner loop starts no programs', () => {
  const withPrograms = programTests();
  const quick = globSync('src/**/*.test.ts', { cwd: repository }).filter((file) => !withPrograms.includes(file));
  const shared = new Set(
    quick.flatMap((file) =>
      [...readFileSync(join(repository, file), 'utf8').matchAll(/test\/support\/([\w-]+\.ts)/g)].map(([, name]) => name),
    ),
  );
  const starting = [...shared].filter((name) =>
    readFileSync(join(repository, 'test/support', name ?? ''), 'utf8').includes('node:child_process'),
  );
  expect(starting).toEqual([]);
});
