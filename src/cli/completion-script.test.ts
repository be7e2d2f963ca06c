import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { completionScript, SHELLS } from './completion-script.ts';
import { VERBS } from './verbs.ts';

/** The completions that bash offers for these words, the last one incomplete, in a root with two workers. */
function offered(words: readonly string[]): readonly string[] {
  const root = mkdtempSync(join(tmpdir(), 'llmc-completion-'));
  try {
    for (const worker of ['adam', 'abel']) mkdirSync(join(root, '.worktrees', worker), { recursive: true });
    const script = `${completionScript('bash', VERBS)}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _llmc; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script, 'bash', 'llmc', ...words], {
      env: { LLMC_ROOT: root, PATH: '/bin:/usr/bin' },
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    return stdout.split('\n').filter(Boolean);
  } finally {
    rmSync(root, { recursive: true });
  }
}

describe('pressing Tab in bash', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['begins with the verbs', ['re'], ['review', 'reject', 'rebase', 'report', 'rescue', 'reset']],
    ['offers workers where one is meant', ['attach', 'a'], ['abel', 'adam']],
    ['offers a verb’s own flags and those of all', ['up', '--'], ['--detach', '--replace', '--root', '--json', '--help']],
    ['offers no worker where a new name is meant', ['add', 'a'], []],
    ['offers nothing for a verb nobody knows', ['fly', ''], []],
  ])('%s', (_, words, expected) => {
    expect(offered(words).toSorted()).toEqual(expected.toSorted());
  });

  test('offers all verbs and help', () => {
    expect(offered([''])).toEqual([...VERBS.map(({ name }) => name), 'help']);
  });

  test.each(VERBS.filter(({ arguments: [first] }) => first?.syntax.includes('worker')).map(({ name }) => name))(
    'offers workers for %s',
    (verb) => {
      expect(offered([verb, 'ad'])).toContain('adam');
    },
  );
});

describe('the script of each shell', () => {
  test.each(SHELLS)('%s: names every verb and does not start Node', (shell) => {
    const script = completionScript(shell, VERBS);
    for (const { name } of VERBS) expect(script).toContain(name);
    expect(script).not.toMatch(/\bnode\b|\$\(llmc/);
  });

  test('zsh: loads bashcompinit, then the script of bash', () => {
    expect(completionScript('zsh', VERBS)).toBe(`autoload -U +X bashcompinit && bashcompinit\n${completionScript('bash', VERBS)}`);
  });

  test('fish: each line is one complete command, even with quotes in a summary', () => {
    const odd = { name: 'fly', summary: "the agent's way", arguments: [], options: [], examples: [] };
    for (const line of completionScript('fish', [...VERBS, odd])
      .trimEnd()
      .split('\n')) {
      expect(line).toMatch(/^complete -c llmc -n /);
      expect(line.replaceAll("\\'", '').split("'").length % 2).toBe(1);
    }
  });
});
