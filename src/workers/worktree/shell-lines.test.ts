import { mkdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { scratchWork } from '../../../test/support/scratch-work.ts';
import { runLines } from './shell-lines.ts';

const chars = (lines: readonly string[]) => lines.reduce((sum, line) => sum + line.length, 0);

describe('the output of the user’s commands', () => {
  test('of 10 MB shows its beginning and its end, and is in a file as a whole', async () => {
    await using work = await scratchWork();
    const { context, worktree, said } = work;
    const log = context.layout.output('adam', 'validate');
    const line = 'seq -f "%0100.f" 1 100000; echo "3 tests failed" >&2; false';
    const failed = await runLines(context, await context.config(), worktree, [line], 'Validate', { log });
    expect(said.slice(0, 2)).toEqual([`Validate: ${line}`, `  ${'0'.repeat(99)}1`]);
    expect(said.length).toBeLessThan(120);
    expect(said.filter((each) => !each.startsWith(' '))).toEqual([
      `Validate: ${line}`,
      `(the rest goes to ${log}; the last lines follow at the end)`,
      `(${100_001 - 100} lines of output are only in ${log})`,
    ]);
    expect(said.slice(-5)).toContain('  3 tests failed');
    expect(failed).toMatchObject({ reason: 'exit status 1', log, output: expect.stringContaining('3 tests failed') });
    expect(failed?.output.split('\n')).toHaveLength(40);
    expect(readFileSync(log, 'utf8').split('\n')).toHaveLength(100_001 + 3);
  });

  test('cuts a line of a megabyte on the screen only', async () => {
    await using work = await scratchWork();
    const { context, worktree, said } = work;
    const log = context.layout.output('adam', 'format');
    const line = 'head -c 3000000 /dev/zero | tr "\\0" x';
    expect(await runLines(context, await context.config(), worktree, [line], 'Format', { log })).toBeUndefined();
    expect(chars(said)).toBeLessThan(3_000);
    expect(readFileSync(log, 'utf8').length).toBeGreaterThan(3_000_000);
  });

  test('that cannot be kept is said, and the command counts all the same', async () => {
    await using work = await scratchWork();
    const { context, worktree, said } = work;
    const log = context.layout.output('adam', 'validate');
    // A full disk fails in the same way.
    mkdirSync(`${log}/in-the-way`, { recursive: true });
    const lines = ['seq 1 200000'];
    expect(await runLines(context, await context.config(), worktree, lines, 'Validate', { log })).toBeUndefined();
    expect(said.filter((each) => each.includes('cannot be written'))).toHaveLength(1);
    expect(said.at(-1)).toBe('  200000');
  });
});
