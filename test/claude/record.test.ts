import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { processesNaming } from '../package/processes-with.ts';
import { until } from '../support/scratch-tmux.ts';
import { installedClaude } from './install.ts';

const program = await installedClaude();
const RECORD = join(import.meta.dirname, '../record/main.ts');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'llmc-record-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function record(...args: readonly string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [RECORD, ...args], (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

describe.skipIf(program === undefined)('npm run record', () => {
  test('leads the real Claude Code into each situation and writes its screens into the right folders', async () => {
    const only = 'typed,waiting,question';
    const { status, stdout } = await record('--agent', 'claude', '--only', only, '--size', '80x24', '--out', join(folder, 'out'));
    expect(stdout).toContain('claude 2.1.325, compared with the recordings of 2.1.325');
    expect([status, stdout.trimEnd().split('\n').at(-1)], stdout).toEqual([0, '3 screens; all read as expected']);
    expect(readdirSync(join(folder, 'out'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.txt'))).toEqual(
      expect.arrayContaining([
        'awaiting_question-multiple_choice/question-80x24.txt',
        'processing/waiting-80x24.txt',
        'ready/typed-80x24.draft.txt',
      ]),
    );
    const typed = readFileSync(join(folder, 'out/ready/typed-80x24.draft.txt'), 'utf8');
    expect(typed).toContain('A draft that nobody has sent');
    expect(typed).not.toContain('llmc-claude-');
  });

  test('reports a version that shows something else, and exits with an error', async () => {
    const other = join(folder, 'claude');
    writeFileSync(other, '#!/bin/sh\n[ "$1" = --version ] && echo 9.9.9 && exit\necho "Shall we begin?"; exec sleep 600\n', {
      mode: 0o755,
    });
    const args = ['--agent', 'claude', '--command', other, '--only', 'trust', '--size', '80x24', '--out', join(folder, 'out')];
    const { status, stdout } = await record(...args);
    expect(status).toBe(1);
    expect(stdout).toContain('claude 9.9.9, compared with the recordings of 2.1.325');
    expect(stdout).toMatch(/^! trust-80x24\.txt .*← read as /m);
  });
});

test('npm run record leaves neither a process nor a folder behind when it is interrupted', async () => {
  const other = join(folder, 'claude');
  const started = join(folder, 'started');
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  writeFileSync(other, `#!/bin/sh\n[ "$1" = --version ] && echo 9.9.9 && exit\n: >'${started}'; exec sleep 600\n`, { mode: 0o755 });
  const args = [RECORD, '--agent', 'claude', '--command', other, '--only', 'trust', '--out', join(folder, 'out')];
  const child = spawn(process.execPath, args, { env: { ...process.env, TMPDIR: temporary }, stdio: 'ignore' });
  const ended = once(child, 'exit');
  await until('the program to run', async () => existsSync(started), 120_000);
  child.kill('SIGTERM');
  expect(await ended).toEqual([143, null]);
  await until('its processes to end', async () => processesNaming(temporary).length === 0);
  expect(readdirSync(temporary)).toEqual([]);
});

test('npm run record refuses an unknown agent, and a program that names no version', async () => {
  expect(await record('--agent', 'nobody')).toMatchObject({ status: 2, stderr: expect.stringContaining('Agents: claude') });
  expect(await record('--agent', 'claude', '--command', '/bin/true')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('names no version'),
  });
});
