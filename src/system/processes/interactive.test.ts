import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import { pipeInto, runInteractive } from './interactive.ts';

test("a program in the user's terminal gives its status", async () => {
  expect(await runInteractive({ file: 'sh', args: ['-c', 'exit $LLMC_TEST'], env: { LLMC_TEST: '7' } })).toBe(7);
  expect(await runInteractive({ file: 'sh', args: ['-c', 'kill -KILL $$'] })).toBe(1);
  await expect(runInteractive({ file: 'llmc-no-such-program', args: [] })).rejects.toThrow(/ENOENT/);
});

test('a pager gets the whole text, may be left early, and may be missing', async () => {
  using scratch = scratchFolder();
  const file = join(scratch.path, 'seen');
  const text = 'grüße 🌊\n'.repeat(100_000);
  expect(await pipeInto({ file: 'sh', args: ['-c', 'cat > "$0"', file] }, text)).toBe(true);
  expect(readFileSync(file, 'utf8') === text).toBe(true);
  expect(await pipeInto({ file: 'true', args: [] }, text)).toBe(true);
  expect(await pipeInto({ file: 'llmc-no-such-program', args: [] }, text)).toBe(false);
});
