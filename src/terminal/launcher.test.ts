import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LAUNCHER_SCRIPT, launchFile } from './launcher.ts';

/** What a program can be handed: anything but NUL. */
const word = fc.oneof(fc.string({ unit: 'binary-ascii' }), fc.string({ unit: 'grapheme' })).map((text) => text.replaceAll('\0', ''));

const PROGRAM = 'process.stdout.write(JSON.stringify({ env: process.env, argv: process.argv.slice(1) }))';

/** Starts a program through the launcher, under the shell as llmc does, and returns what reached it. */
function launched(shell: readonly string[], env: Readonly<Record<string, string | undefined>>, argv: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'llmc-launcher-'));
  try {
    const [script, file] = [join(folder, 'launch.sh'), join(folder, 'environment.1')];
    writeFileSync(script, LAUNCHER_SCRIPT);
    writeFileSync(file, launchFile(env, process.cwd(), [process.execPath, '-e', PROGRAM, '--', ...argv]));
    const [program = 'sh', ...flags] = shell;
    const { stdout, stderr, status } = spawnSync(program, [...flags, script, file], { env: {}, cwd: folder, encoding: 'utf8' });
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    const seen: { env: Record<string, string>; argv: string[] } = JSON.parse(stdout);
    return { ...seen, fileIsGone: !existsSync(file) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// sh is dash on Debian and bash on Fedora and macOS; the second row is what `sh` means there.
const SHELLS = ['sh', 'bash --posix'].filter((shell) => spawnSync(shell.split(' ')[0] ?? '', ['-c', 'true']).status === 0);

describe.each(SHELLS)('a program started by %s', (shell) => {
  const run = (env: Readonly<Record<string, string | undefined>>, argv: readonly string[] = []) => launched(shell.split(' '), env, argv);

  test('gets every value and every word byte for byte', () => {
    const many = { minLength: 60, maxLength: 60 };
    fc.assert(
      fc.property(fc.array(word, many), fc.array(word, many), (values, argv) => {
        const env = Object.fromEntries(values.map((value, index) => [`VALUE_${index}`, value]));
        const seen = run(env, argv);
        expect(seen.env).toMatchObject(env);
        expect(seen.argv).toEqual(argv);
      }),
      { numRuns: 4 },
    );
  });

  test('gets quotes, commands, line breaks, a last backslash and an empty word unchanged', () => {
    const values = ["it's", "''''", '$(touch here) `touch here` $HOME', 'one\ntwo\r\nthree\n', 'C:\\', ''];
    const env = Object.fromEntries(values.map((value, index) => [`VALUE_${index}`, value]));
    expect(run(env, values)).toMatchObject({ env, argv: values });
  });

  test('gets more words than tmux would carry', () => {
    const words = ['x'.repeat(100_000), 'y'.repeat(100_000)];
    expect(run({}, words).argv).toEqual(words);
  });

  test('removes the private file, with any environment', () => {
    // A launcher that kept the path in a variable would delete `production` here.
    expect(run({ environment: 'production', file: 'x', IFS: '/', CDPATH: '/' })).toMatchObject({
      env: { environment: 'production' },
      fileIsGone: true,
    });
  });

  test('starts although the shell reserves some names', () => {
    const kept = { UID: '1000', EUID: '1000', PPID: '1', SHELLOPTS: 'x', BASHOPTS: 'x', BASH_VERSINFO: 'x', OPTIND: 'x' };
    expect(run({ ...kept, AFTER: 'yes' }).env).toMatchObject({ AFTER: 'yes' });
  });
});

test('omits names that a shell cannot assign, and undefined values', () => {
  const text = launchFile({ 'BASH_FUNC_x%%': '() { :; }', 'A-B': 'x', '': 'x', '1A': 'x', GONE: undefined, KEPT: 'y' }, '/work tree', [
    'agent',
  ]);
  expect(text).toBe(
    `unset TMUX TMUX_PANE TMUX_TMPDIR LLMC_DEATHS COLUMNS LINES LLMC_FAULT LLMC_WORKER LLMC_SEAL OLDPWD\nexport KEPT='y'\ncd '/work tree' || exit 1\nset -- "$1" 'agent'\n`,
  );
});
