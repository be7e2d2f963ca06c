import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { STATUSES } from '../../store/statuses.ts';
import { GLOBAL_OPTIONS } from '../global-options.ts';
import { longName } from '../short-options.ts';
import { VERBS } from '../verbs.ts';
import { completionScript, SHELLS } from './completion-script.ts';

const home = mkdtempSync(join(tmpdir(), 'llmc-completion-'));
afterAll(() => rmSync(home, { recursive: true }));
const root = join(home, 'root');
const other = join(home, 'other');
const trap = join(home, 'trapped');
/** Names that run something, or change the command line, in a shell that does not treat them as data. */
const HOSTILE = [
  'a$(touch trapped)',
  'a`touch trapped`',
  'a;touch trapped',
  "a' ;touch trapped;'",
  'a b',
  '-rf',
  'a\ttab',
  'a\nline',
  'a*',
  '~a',
  'a$HOME',
];
for (const folder of ['.worktrees/adam', '.worktrees/abel', '.worktrees/archive', 'runs/swarm-1', 'runs/archive', 'workflows']) {
  mkdirSync(join(root, folder), { recursive: true });
}
for (const name of HOSTILE)
  for (const folder of ['.worktrees', 'runs', 'templates'])
    mkdirSync(join(root, folder, folder === 'templates' ? `${name}.md` : name), { recursive: true });
writeFileSync(join(root, 'templates/fix.md'), '');
writeFileSync(join(root, 'config.toml'), '[agents.aider]\ncommand = "aider"\n[agents."$(touch trapped)"]\n[agents.x;touch trapped]\n');
mkdirSync(join(root, '.git/refs/llmc/rescue/adam'), { recursive: true });
writeFileSync(join(root, '.git/refs/llmc/rescue/adam/20260131T120000Z'), '');
writeFileSync(join(root, '.git/refs/llmc/rescue/adam/$(touch trapped)'), '');
writeFileSync(
  join(root, '.git/packed-refs'),
  '# pack-refs\nabc refs/heads/main\nabc refs/llmc/rescue/abel/20260130T120000Z\nabc refs/llmc/rescue/abel/`touch trapped`\n',
);
mkdirSync(join(other, '.worktrees/carol'), { recursive: true });
mkdirSync(join(home, 'files/folder'), { recursive: true });
writeFileSync(join(home, 'files/task.md'), '');
// In place of llmc itself, which a shell starts for what only llmc can read.
writeFileSync(join(home, 'llmc'), '#!/bin/sh\nprintf \'7\\tFix it\\n\'; echo "$@" > "$HOME/asked"\n');
chmodSync(join(home, 'llmc'), 0o755);
for (const shell of SHELLS) writeFileSync(join(home, `llmc.${shell}`), completionScript(shell, VERBS));

const ENV = { HOME: home, LLMC_ROOT: root, PATH: `${home}:/bin:/usr/bin`, TERM: 'dumb' };
const isThere = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

/** How each shell is asked for its completions of the words, the last one incomplete. */
const ASK: Readonly<Record<(typeof SHELLS)[number], (words: readonly string[]) => readonly string[]>> = {
  bash: (words) => [
    '--norc',
    '-c',
    `. ~/llmc.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _llmc; printf '%s\\n' "\${COMPREPLY[@]}"`,
    'bash',
    'llmc',
    ...words,
  ],
  // The two functions of zsh's own completion system, which needs a terminal, print what they get.
  zsh: (words) => [
    '-f',
    '-c',
    `_files() { ls -d -- \${PREFIX}*(N) }; _describe() { print -rl -- \${\${(P)3}%%:*} | grep -- "^$PREFIX" }; compdef() { }
     . ~/llmc.zsh; words=("$@"); CURRENT=$#; PREFIX=\${words[$#]}; _llmc; true`,
    'zsh',
    'llmc',
    ...words,
  ],
  fish: (words) => ['--no-config', '-c', '. ~/llmc.fish; complete -C "$argv"', ['llmc', ...words].join(' ')],
};

function offered(shell: (typeof SHELLS)[number], words: readonly string[]): readonly string[] {
  const { stdout, stderr } = spawnSync(shell, ASK[shell](words), { cwd: join(home, 'files'), env: ENV, encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t', 1)[0] ?? '');
}

const NAMES = VERBS.flatMap(({ name, alias }) => (alias === undefined ? [name] : [name, alias]));

test.for(SHELLS)('%s is there to be asked', (shell, { skip }) => {
  skip(!isThere(shell), `${shell} is not installed`);
});

describe.each(SHELLS.filter(isThere).map((shell) => [shell] as const))('pressing Tab in %s', (shell) => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['begins with the verbs', ['rese'], ['reset']],
    ['offers workers where one is meant', ['attach', 'a'], ['abel', 'adam', 'archive']],
    ['offers workers again for a command that takes several', ['accept', 'adam', 'ab'], ['abel']],
    ['offers them behind an alias', ['rm', 'ad'], ['adam']],
    ['offers runs where one is meant', ['show', ''], ['swarm-1']],
    ['offers runs and workers where both are', ['why', ''], ['abel', 'adam', 'archive', 'swarm-1']],
    ['offers workers behind a short option', ['start', 'Fix', '-w', 'ad'], ['adam']],
    ['offers the actions of a command', ['queue', 'c'], ['cancel']],
    ['offers the numbers of tasks', ['queue', 'show', ''], ['7']],
    ['offers tasks again for an option that may be repeated', ['start', '--after', '3', '--after', ''], ['7']],
    [
      'offers rescues, packed or not',
      ['rescue', 'show', 'a'],
      ['abel', 'abel/20260130T120000Z', 'adam', 'adam/20260131T120000Z', 'archive'],
    ],
    ['offers templates', ['start', '--template', ''], ['fix']],
    ['offers agents of llmc and of the root', ['add', 'eve', '--agent', ''], ['aider', 'claude', 'codex', 'demo']],
    ['offers statuses', ['wait', 'adam', '--for', ''], [...STATUSES]],
    ['offers a second status', ['wait', 'adam', '--for', 'idle,err'], ['idle,error']],
    ['offers words of an option', ['review', '--interface', 'd'], ['diff', 'difftastic']],
    ['offers files where one is meant', ['start', '-f', 't'], ['task.md']],
    ['reads the root of the command line', ['--root', other, 'attach', ''], ['carol']],
    ['reads the root behind the verb', ['attach', '--root', other, ''], ['carol']],
    ['offers no worker where a new name is meant', ['add', 'a'], []],
    ['offers no worker inside of a text', ['start', 'adam', ''], []],
    ['offers nothing for a verb that does not exist', ['fly', ''], []],
    ['offers nothing for a value that only a person knows', ['wait', '--timeout', ''], []],
  ])('%s', (_, words, expected) => {
    expect(offered(shell, words).toSorted()).toEqual(expected.toSorted());
    expect(existsSync(trap) || existsSync(join(home, 'files/trapped'))).toBe(false);
  });

  test('offers all verbs, also for help', () => {
    expect(offered(shell, ['']).toSorted()).toEqual([...NAMES, 'help'].toSorted());
    expect(offered(shell, ['help', '']).toSorted()).toEqual([...NAMES, 'help'].toSorted());
  });

  test('offers the options of a verb and those of every command', () => {
    const own = VERBS.find(({ name }) => name === 'up')?.options ?? [];
    const flags = [...own, ...GLOBAL_OPTIONS].map(({ flags: each }) => `--${longName(each)}`);
    expect(offered(shell, ['up', '--']).toSorted()).toEqual([...flags, '--help'].toSorted());
  });
});

test.each(VERBS.filter(({ arguments: [first] }) => first?.syntax.includes('worker')).map(({ name }) => name))(
  'workers are offered for %s',
  (verb) => {
    expect(offered('bash', [verb, 'ad'])).toContain('adam');
  },
);

test.each(
  VERBS.flatMap((verb) =>
    verb.arguments.filter(({ syntax }) => syntax.includes('action')).map((argument) => [verb.name, argument] as const),
  ),
)('the actions of %s are words of its declaration', (_, { words, about }) => {
  for (const word of words ?? ['none']) expect(about).toContain(word);
});

test.each<[string, readonly string[]]>([
  ['--worker=ad', ['--worker=adam']],
  ['--worker=', ['--worker=abel', '--worker=adam', '--worker=archive']],
  ['--expect=a', ['--expect=answer']],
  ['--prompt-file=t', []],
  ['--wait=', []],
])('a value behind an equals sign is offered by the shells that do not split it: %s', (word, expected) => {
  for (const shell of SHELLS) if (shell !== 'bash' && isThere(shell)) expect(offered(shell, ['start', word])).toEqual(expected);
});

test('a pipe in place of a file does not hold the shell', () => {
  const piped = join(home, 'piped');
  mkdirSync(join(piped, '.git'), { recursive: true });
  spawnSync('mkfifo', [join(piped, 'config.toml'), join(piped, '.git/packed-refs')]);
  expect(offered('bash', ['--root', piped, 'add', 'eve', '--agent', 'c'])).toEqual(['claude', 'codex']);
  expect(offered('bash', ['--root', piped, 'rescue', 'show', ''])).toEqual([]);
});

test('bash offers a root behind an equals sign, which it takes for a word of its own', () => {
  expect(offered('bash', ['--root', '=', other, 'attach', ''])).toEqual(['carol']);
});
