import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import { isAlive, until } from '../../../test/support/scratch-tmux.ts';
import type { Command } from '../../base/command.ts';
import type { RunOptions } from '../../base/ports.ts';
import { systemProcesses } from './processes.ts';
import { trySignal } from './signal.ts';

const run = (command: Command, options?: RunOptions) => systemProcesses.run(command, options);
const sh = (script: string, extra: Partial<Command> = {}): Command => ({ file: 'sh', args: ['-c', script], ...extra });
const isGone = (pid: number) => until(`process ${pid} to end`, async () => !isAlive(pid));

describe('a program that ends by itself', () => {
  test('gives its output, apart, and its status', async () => {
    const command = sh('echo out; echo err >&2; exit 3');
    expect(await run(command)).toEqual({
      command,
      outcome: { kind: 'exited', status: 3 },
      stdout: 'out\n',
      stderr: 'err\n',
      truncated: false,
    });
  });

  test('or by a signal says which', async () => {
    expect((await run(sh('kill -KILL $$'))).outcome).toEqual({ kind: 'signaled', signal: 'SIGKILL' });
  });

  test('reads its input to the end', async () => {
    const stdin = 'grüße 一 🌊\n'.repeat(50_000);
    const { stdout, outcome } = await run({ file: 'cat', args: [], stdin });
    expect(outcome).toEqual({ kind: 'exited', status: 0 });
    expect(stdout === stdin).toBe(true);
  });

  test('without reading its input keeps its own status', async () => {
    expect((await run(sh('exit 4', { stdin: 'x'.repeat(5_000_000) }))).outcome).toEqual({ kind: 'exited', status: 4 });
  });

  test('has no input unless it is given one', async () => {
    expect((await run({ file: 'cat', args: [] })).outcome).toEqual({ kind: 'exited', status: 0 });
  });

  test('lives in the environment and the directory it is given', async () => {
    using scratch = scratchFolder();
    const env = { LLMC_TEST_ADDED: 'a b', HOME: undefined };
    const { stdout } = await run(sh('printf "%s|%s|" "$LLMC_TEST_ADDED" "$PWD"; env | grep -c ^HOME=', { env, cwd: scratch.path }));
    expect(stdout).toBe(`a b|${scratch.path}|0\n`);
    expect(process.env.HOME).toBeDefined();
  });
});

describe('a program that cannot be started', () => {
  test('because there is none is missing', async () => {
    const { outcome, stdout } = await run({ file: 'llmc-no-such-program', args: [] });
    expect(outcome).toMatchObject({ kind: 'not-started', missing: true, reason: expect.stringContaining('ENOENT') });
    expect(stdout).toBe('');
  });

  test('because its directory is gone is not missing', async () => {
    const { outcome } = await run(sh('true', { cwd: '/llmc/no/such/directory' }));
    expect(outcome).toEqual({ kind: 'not-started', missing: false, reason: 'the directory /llmc/no/such/directory does not exist' });
  });

  test('because it may not be run is not missing', async () => {
    using scratch = scratchFolder();
    const file = join(scratch.path, 'plain-text');
    writeFileSync(file, 'hello', { mode: 0o600 });
    const { outcome } = await run({ file, args: [], stdin: 'ignored' });
    expect(outcome).toMatchObject({ kind: 'not-started', missing: false, reason: expect.stringContaining('EACCES') });
  });

  test('because the caller has stopped already is not started at all', async () => {
    using scratch = scratchFolder();
    const file = join(scratch.path, 'made');
    const { outcome } = await run({ file: 'touch', args: [file] }, { signal: AbortSignal.abort() });
    expect(outcome).toEqual({ kind: 'aborted' });
    expect((await run({ file: 'test', args: ['-e', file] })).outcome).toEqual({ kind: 'exited', status: 1 });
  });
});

// Each of these waits for the runner's own patience, on a machine that may be busy.
describe('a program that is stopped', { timeout: 60_000 }, () => {
  test('by its time limit keeps what it said until then', async () => {
    // Its time is up once it has begun, however long the machine takes for that.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    using _clock = { [Symbol.dispose]: () => vi.useRealTimers() };
    const finished = run(sh('echo begun; exec sleep 300'), { timeoutMs: 5_000, onLine: () => vi.advanceTimersByTime(5_000) });
    expect(await finished).toMatchObject({ outcome: { kind: 'timeout' }, stdout: 'begun\n' });
  });

  test('by its caller may take its leave', async () => {
    const stop = new AbortController();
    const script = 'trap "echo bye; exit 0" TERM; echo ready; while :; do sleep 0.02; done';
    const finished = await run(sh(script), { signal: stop.signal, onLine: (line) => line === 'ready' && stop.abort() });
    expect(finished).toMatchObject({ outcome: { kind: 'aborted' }, stdout: 'ready\nbye\n' });
  });

  test('and does not obey is killed', async () => {
    const stop = new AbortController();
    const script = 'trap "" TERM; echo $$; while :; do sleep 0.05; done';
    let pid = 0;
    const { outcome } = await run(sh(script), {
      signal: stop.signal,
      onLine: (line) => {
        pid = Number(line);
        stop.abort();
      },
    });
    expect(outcome).toEqual({ kind: 'aborted' });
    await isGone(pid);
  });

  test('takes along what it started, obedient or not', async () => {
    const stop = new AbortController();
    const pids: number[] = [];
    const script = 'sleep 300 & echo $!; sh -c \'trap "" TERM; echo $$; while :; do sleep 0.05; done\' & wait';
    const { outcome } = await run(sh(script), {
      signal: stop.signal,
      onLine: (line) => {
        pids.push(Number(line));
        if (pids.length === 2) stop.abort();
      },
    });
    expect(outcome).toEqual({ kind: 'aborted' });
    expect(pids).toHaveLength(2);
    for (const pid of pids) await isGone(pid);
  });

  test('does not hold its caller up by a process that has gone its own way with the output', async () => {
    let away = 0;
    const stop = new AbortController();
    const leaves = "console.log(require('node:child_process').spawn('sleep', ['300'], { detached: true, stdio: 'inherit' }).pid)";
    try {
      const finished = run(
        { file: process.execPath, args: ['-e', leaves] },
        {
          signal: stop.signal,
          onLine: (line) => {
            away = Number(line);
            stop.abort();
          },
        },
      );
      expect((await finished).outcome).toEqual({ kind: 'aborted' });
      expect(isAlive(away)).toBe(true);
    } finally {
      trySignal(away, 'SIGKILL');
    }
  });
});

describe('output', { timeout: 60_000 }, () => {
  test('beyond the cap is read and dropped, and the program ends as it would', async () => {
    const cap = 64 * 1024 * 1024;
    const { stdout, truncated, outcome } = await run(sh(`head -c ${cap + 65_536} /dev/zero | tr '\\0' x; exit 5`));
    expect(outcome).toEqual({ kind: 'exited', status: 5 });
    expect(truncated).toBe(true);
    expect(stdout.length).toBe(cap);
  });

  test('just up to the cap is whole', async () => {
    const cap = 64 * 1024 * 1024;
    const { stdout, truncated } = await run(sh(`head -c ${cap} /dev/zero | tr '\\0' x`));
    expect(truncated).toBe(false);
    expect(stdout.length).toBe(cap);
  });

  test('cut inside a character is put together again', async () => {
    const lines: string[] = [];
    const script = "printf '\\342'; sleep 0.05; printf '\\202'; sleep 0.05; printf '\\254 and half \\342\\202'";
    const { stdout } = await run(sh(script), { onLine: (line) => lines.push(line) });
    expect(stdout).toBe('€ and half \ufffd');
  });

  test('is told line by line, the last one also without its end', async () => {
    const lines: string[] = [];
    await run(sh("printf 'one\\r\\ntwo\\rthree\\n\\nfour'"), { onLine: (line) => lines.push(line) });
    expect(lines).toEqual(['one', 'two', 'three', '', 'four']);
  });

  test('in which a line end arrives in halves has no empty line between them', async () => {
    const lines: string[] = [];
    await run(sh("printf 'one\\r'; sleep 0.1; printf '\\ntwo\\n'"), { onLine: (line) => lines.push(line) });
    expect(lines).toEqual(['one', 'two']);
  });

  test('of one endless line is told in parts', async () => {
    const lengths: number[] = [];
    await run(sh("head -c 10000000 /dev/zero | tr '\\0' x"), { onLine: (line) => lengths.push(line.length) });
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(10_000_000);
    for (const length of lengths) expect(length).toBeLessThan(2_000_000);
  });
});
