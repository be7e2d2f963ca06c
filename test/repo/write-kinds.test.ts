import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WRITE_KINDS } from '../../scripts/recovery-writes.ts';

const repository = join(import.meta.dirname, '../..');

test.each(WRITE_KINDS)('a test shows what a refusal does to $write', ({ test: { file, name } }) => {
  const titles = [...readFileSync(join(repository, file), 'utf8').matchAll(/\btest\((['"`])(.+?)\1/g)].map(([, , title = '']) => title);
  expect(titles.filter((title) => title.includes(name))).toHaveLength(1);
});
