import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freeBytes } from './disk.ts';

test('a directory that does not exist yet is judged by the disk it will be on', async () => {
  const space = await freeBytes(join(tmpdir(), 'llmc-none', 'deeper'));
  expect(space).toBeGreaterThan(0);
  expect(Number.isInteger(space)).toBe(true);
});
