import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')));

// Inside a script npm runs under the Node 24 of node_modules, where it keeps a compile cache in the temporary folder and leaves it there.
test.for(['demo', 'test', 'coverage', 'bench'])('npm run %s starts no second npm', (name) => {
  expect(scripts[name]).toMatch(/\bnode scripts\/build\.ts\b/);
  expect(scripts[name]).not.toMatch(/\bnp[mx]\b/);
});

test('the command can be run as it is checked out: npm link would change its mode, and leave a dirty tree', () => {
  expect(statSync(join(import.meta.dirname, '../../bin/llmc.cjs')).mode & 0o111).toBe(0o111);
});
