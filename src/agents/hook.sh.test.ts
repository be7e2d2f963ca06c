import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HOOK_SCRIPT } from './hook.sh.ts';

let folder = '';
let spool = '';
let script = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'llmc-hook-'));
  spool = join(folder, 'a spool');
  script = join(folder, 'hook.sh');
  mkdirSync(spool);
  writeFileSync(script, HOOK_SCRIPT, { mode: 0o600 });
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const environment = (over: Record<string, string> = {}) => ({
  PATH: process.env.PATH ?? '',
  LLMC_SPOOL: spool,
  LLMC_INCARNATION: '3',
  LLMC_SEAL: 'seal-of-three',
  ...over,
});

function drop(event: string, payload: string, env: Record<string, string> = environment()) {
  return spawnSync('sh', [script, event], { input: payload, env, encoding: 'utf8' });
}

/** The file without its first line, the seal. */
function reported(name = ''): string {
  return readFileSync(join(spool, name), 'utf8').replace(/^.*\n/, '');
}

describe('the hook script', () => {
  test('writes the seal and its input to one private file named after incarnation and event', () => {
    const payload = JSON.stringify({ prompt: 'a "quoted"\n$(id) `id` \\ é 日 🙂' });
    const done = drop('UserPromptSubmit', payload);
    expect({ status: done.status, stdout: done.stdout, stderr: done.stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
    const [name = ''] = readdirSync(spool);
    expect(name).toMatch(/^3~UserPromptSubmit~\d+\.json$/);
    expect(readFileSync(join(spool, name), 'utf8')).toBe(`seal-of-three\n${payload}`);
  });

  test('carries a prompt of 300 KB whole', () => {
    const payload = 'x'.repeat(300_000);
    drop('UserPromptSubmit', payload);
    expect(reported(readdirSync(spool)[0])).toHaveLength(300_000);
  });

  test('starts two programs and no more, cat and mv, and shows the seal in the arguments of neither', () => {
    const programs = join(folder, 'bin');
    mkdirSync(programs);
    for (const name of ['cat', 'mv'])
      writeFileSync(join(programs, name), `#!/bin/sh\necho ${name} "$@" >>'${folder}/calls'\nPATH=/usr/bin:/bin exec ${name} "$@"\n`, {
        mode: 0o755,
      });
    const done = spawnSync('/bin/sh', [script, 'Stop'], { input: '{}', env: environment({ PATH: programs }) });
    expect(done.status).toBe(0);
    expect(readdirSync(spool)).toHaveLength(1);
    const calls = readFileSync(join(folder, 'calls'), 'utf8');
    expect(calls).toMatch(/^cat\s*\nmv .*\n$/);
    expect(calls).not.toContain('seal-of-three');
  });

  test('never overwrites a file: a repeated process id gets a number', () => {
    writeFileSync(script, HOOK_SCRIPT.replaceAll('$$', '77'));
    for (const payload of ['first', 'second', 'third']) drop('Stop', payload);
    const names = readdirSync(spool).sort();
    expect(names).toEqual(['3~Stop~77-1.json', '3~Stop~77-2.json', '3~Stop~77.json']);
    expect(names.map(reported).sort()).toEqual(['first', 'second', 'third']);
  });

  test('fifty at once leave fifty whole files and no draft', async () => {
    const payload = (index: number) => JSON.stringify({ index, filler: 'y'.repeat(20_000) });
    await Promise.all(Array.from({ length: 50 }, (_, index) => runHook(payload(index))));
    const names = readdirSync(spool);
    expect(names.filter((name) => name.startsWith('.'))).toEqual([]);
    const seen = names.map((name) => JSON.parse(reported(name)).index);
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index));
  });

  test.each(['a folder that is gone', 'a file in place of the folder'])('%s never troubles the agent', (what) => {
    rmSync(spool, { recursive: true });
    if (what.startsWith('a file')) writeFileSync(spool, '');
    const done = drop('Stop', 'x'.repeat(200_000));
    expect({ status: done.status, stdout: done.stdout, stderr: done.stderr, error: done.error }).toEqual({
      status: 0,
      stdout: '',
      stderr: '',
      error: undefined,
    });
  });

  test('without a spool in its environment it writes nowhere', () => {
    const done = drop('Stop', '{}', { PATH: process.env.PATH ?? '' });
    expect({ status: done.status, stdout: done.stdout, stderr: done.stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(readdirSync('/').filter((name) => name.includes('~Stop~'))).toEqual([]);
  });

  test('a write that fails leaves no draft behind', () => {
    // A limit on the file size simulates a full disk: both fail in the middle of a write.
    const done = spawnSync('sh', ['-c', `trap '' XFSZ; ulimit -f 1; sh "${script}" Stop`], {
      input: 'z'.repeat(100_000),
      env: environment(),
      encoding: 'utf8',
    });
    expect({ status: done.status, stdout: done.stdout, stderr: done.stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(readdirSync(spool)).toEqual([]);
  });

  test('an unwritable folder does not disturb the agent', () => {
    chmodSync(spool, 0o500);
    expect(drop('Stop', '{}').status).toBe(0);
    chmodSync(spool, 0o700);
  });
});

function runHook(payload: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', [script, 'PostToolUse'], { env: environment(), stdio: ['pipe', 'ignore', 'ignore'] });
    child.on('error', reject);
    child.on('close', () => resolve());
    child.stdin.end(payload);
  });
}
