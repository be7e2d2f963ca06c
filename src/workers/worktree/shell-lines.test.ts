import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isAlive, until } from '../../../test/support/scratch-tmux.ts';
import { scratchWork } from '../../../test/support/scratch-work.ts';
import { sandboxPlaces } from '../../sandbox/places.ts';
import { runLines } from './shell-lines.ts';

const chars = (lines: readonly string[]) => lines.reduce((sum, line) => sum + line.length, 0);

describe('the output of the user’s commands', () => {
  test('of 10 MB shows its beginning and its end, and is in a file as a whole', async () => {
    await using work = await scratchWork();
    const { context, worktree, said } = work;
    const log = context.layout.output('adam', 'validate');
    const line = 'seq -f "%0100.f" 1 100000; echo "3 tests failed" >&2; false';
    const failed = await runLines(context, await context.config(), { at: worktree, of: ['adam'] }, [line], 'Validate', { log });
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
    expect(await runLines(context, await context.config(), { at: worktree, of: ['adam'] }, [line], 'Format', { log })).toBeUndefined();
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
    expect(await runLines(context, await context.config(), { at: worktree, of: ['adam'] }, lines, 'Validate', { log })).toBeUndefined();
    expect(said.filter((each) => each.includes('cannot be written'))).toHaveLength(1);
    expect(said.at(-1)).toBe('  200000');
  });
});

describe('what a command of the user leaves running', () => {
  test.each([
    ['in the background', 'sh -c "$LEAVE" &'],
    ['in a session of its own', 'setsid -f sh -c "$LEAVE"'],
    ['in the background, without its environment', 'env -i F="$F" sh -c "$LEAVE" > /dev/null 2>&1 &'],
    ['deaf to signals', 'sh -c "trap \'\' TERM HUP INT; $LEAVE" &'],
  ])('%s ends with it', async (_, line) => {
    await using work = await scratchWork();
    const { context, worktree, repo } = work;
    const file = join(repo.dir, 'left');
    // The line itself ends once the process that it leaves runs.
    const whole = `${line}\nwhile [ ! -s "$F" ]; do sleep 0.02; done`;
    const env = { F: file, LEAVE: 'echo $$ > "$F"; while :; do sleep 1; done' };
    const log = context.layout.output('adam', 'validate');
    expect(
      await runLines(context, await context.config(), { at: worktree, of: ['adam'] }, [whole], 'Validate', { log, env }),
    ).toBeUndefined();
    expect(existsSync(file)).toBe(true);
    await until('its end', async () => !isAlive(Number(readFileSync(file, 'utf8'))));
  });
});

describe('files of a sandboxed worker', () => {
  test.each(['_branch', '_undo'])('do not run in %s, if that has no sandbox', async (scratch) => {
    await using work = await scratchWork();
    const { context, repo } = work;
    writeFileSync(sandboxPlaces(context.layout, 'adam').bubblewrap, '');
    const at = context.layout.worktree(scratch);
    mkdirSync(at, { recursive: true });
    const ran = join(repo.dir, 'ran');
    const log = context.layout.output(scratch, 'validate');
    await expect(
      runLines(context, await context.config(), { at, of: ['adam'] }, [`touch ${ran}`], 'Validate', { log }),
    ).rejects.toMatchObject({
      code: 'SANDBOX_FAILED',
      message: expect.stringContaining('files of adam outside the sandbox'),
      hint: expect.stringContaining('llmc doctor'),
    });
    expect(existsSync(ran)).toBe(false);
    // What is on main was reviewed.
    expect(await runLines(context, await context.config(), { at, of: [] }, [`touch ${ran}`], 'Setup', { log })).toBeUndefined();
    expect(existsSync(ran)).toBe(true);
  });
});
