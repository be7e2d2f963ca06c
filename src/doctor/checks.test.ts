import { describe, expect, test } from 'vitest';
import { pastTime } from '../base/clock-time.ts';
import { LlmcError } from '../base/error.ts';
import type { Processes, ProcessOutcome } from '../base/ports.ts';
import type { WrongPattern } from '../store/findings/wrong-patterns.ts';
import { PANE_FIELDS } from '../terminal/tmux-commands.ts';
import type { Finding } from './check.ts';
import { nodeSuffices } from './checks/machine/node.ts';
import { CHECKS } from './checks.ts';
import { machine, programs, worker } from './doubles.ts';
import { runDoctor } from './run.ts';

type Changes = Parameters<typeof machine>[0];

async function verdict(name: string, changes: Changes): Promise<Finding | undefined> {
  const results = await runDoctor(
    CHECKS.filter((check) => check.name === name),
    machine(changes),
  );
  return results[0];
}

const git = (...lines: readonly string[]) =>
  programs(Object.fromEntries(lines.map((line) => [line.split(' => ')[0] ?? '', { stdout: line.split(' => ')[1] ?? '' }])));
const clockAt = (now: number) => ({ now: () => now, sleep: () => new Promise<void>(() => undefined) });
const EPOCH = pastTime(0, 0);
const PLAIN = '[defaults]\nagent = "mine"\n[agents.mine]\ncommand = "mine"';
const aWrongPattern = (changes: Partial<WrongPattern> = {}): WrongPattern => ({
  agent: 'mine',
  pattern: 'ready',
  source: '^> ',
  kind: 'never_matched',
  worker: 'adam',
  at_ms: 0,
  lines: ['Welcome', 'any> '],
  typed: null,
  ...changes,
});
const MINE = '[defaults]\nagent = "mine"\n[agents.mine]\ncommand = "mine"\nready = ["^> "]\nbox = "^> (.*)"';
const failing = (status: number): ProcessOutcome => ({ kind: 'exited', status });
const WALLED = { config: '[sandbox]\nkind = "bubblewrap"\n[workers.adam]\n' };
/** A machine on which every program ends like this. */
const answering = (status: number, stderr = ''): Processes => ({
  run: async (command) => ({ command, outcome: failing(status), stdout: '', stderr, truncated: false }),
});
/** Each file with its origin and its problems. */
const workflows = (...files: readonly (readonly [file: string, origin: 'root' | 'repository', ...messages: string[]])[]) => ({
  workflows: async () => ({
    files: files.map(([file, origin, ...messages]) => ({
      file,
      origin,
      problems: messages.map((message) => ({ line: 2, column: 3, message })),
    })),
    unread: undefined,
  }),
});
const pane = (session: string, dead: '0' | '1') => [session, '%1', '1', dead, ...Array<string>(PANE_FIELDS.length - 4).fill('')].join('\t');

const at = (now: number) => ({ now: () => now, sleep: () => new Promise<void>(() => undefined) });

describe('each check', () => {
  test.each<[string, string, Changes, string]>([
    ['node', 'a good Node', {}, 'ok: Node 24.15.0'],
    ['node', 'an old Node', { nodeVersion: '20.19.0' }, 'failed: Node 20.19.0 is too old: llmc needs 24.15.0 or newer'],
    ['git', 'a good git', { processes: git('git --version => git version 2.39.5 (Apple Git-154)') }, 'ok: git 2.39.5'],
    [
      'git',
      'an old git',
      { processes: git('git --version => git version 2.30.2') },
      'failed: git 2.30.2 is too old: llmc needs 2.38 or newer',
    ],
    ['git', 'no git', {}, 'failed: git is not installed'],
    ['supervisor', 'no supervisor', { isSupervised: async () => false, lastHeartbeat: () => ({ pid: 7, at: 0 }) }, 'ok: not running'],
    ['supervisor', 'one without a record', {}, 'ok: running'],
    [
      'supervisor',
      'one that was stopped a moment ago',
      {
        silence: async () => new LlmcError('SUPERVISOR_SILENT', 'it was stopped', { hint: 'llmc up' }),
        lastHeartbeat: () => ({ pid: 7, at: 0 }),
      },
      'failed: it was stopped',
    ],
    [
      'supervisor',
      'one at work',
      { clock: clockAt(119_999), lastHeartbeat: () => ({ pid: 7, at: 0 }) },
      `ok: process 7, at work at ${EPOCH}`,
    ],
    [
      'supervisor',
      'one that lives and does nothing',
      { clock: clockAt(120_000), lastHeartbeat: () => ({ pid: 7, at: 0 }) },
      `failed: the supervisor has done nothing since ${EPOCH}`,
    ],
    [
      'supervisor',
      'one that waits for a full disk',
      { clock: clockAt(120_000), lastHeartbeat: () => ({ pid: 7, at: 0 }), freeBytes: async () => 0 },
      'warning: it cannot record that it works, because the root cannot be written',
    ],
    [
      'supervisor',
      'one that waits for a read-only root',
      { clock: clockAt(120_000), lastHeartbeat: () => ({ pid: 7, at: 0 }), isWritable: () => false },
      'warning: it cannot record that it works, because the root cannot be written',
    ],
    ['access', 'a private root', {}, 'ok: only this user can read /root'],
    [
      'access',
      'an open file',
      { accessTo: (path) => (path === '/root' ? 'private' : 'open') },
      'warning: other users may have access to /root/llmc.db',
    ],
    ['access', 'a file of another user', { accessTo: () => 'foreign' }, 'failed: /root, /root/llmc.db belong to another user'],
    ['sandbox', 'no sandbox', {}, 'ok: none configured: agents may do what you may do (docs/sandbox.md)'],
    [
      'sandbox',
      'a missing bubblewrap',
      { config: '[workers.adam]\nsandbox = "bubblewrap"\n[workers.baker]' },
      'failed: bubblewrap is not installed; agents that should run in it do not start: adam',
    ],
    [
      'sandbox',
      'a wall that is demanded and has holes',
      {
        config: '[sandbox]\nkind = "bubblewrap"\nrequired = true\n[workers.adam]\n[workers.baker]\nsandbox = "none"\n',
        processes: answering(0),
      },
      'failed: the wall that config.toml demands has holes: no sandbox for baker, so their agents do not start; network is "full"; environment has no list, so agents get every variable',
    ],
    [
      'sandbox',
      'a wall that is demanded and stands',
      {
        config: '[sandbox]\nkind = "bubblewrap"\nrequired = true\nnetwork = "hosts"\nenvironment = []\n[workers.adam]\n',
        processes: answering(0),
      },
      'ok: bubblewrap works, for adam',
    ],
    ['sandbox', 'a working bubblewrap', { ...WALLED, processes: answering(0) }, 'ok: bubblewrap works, for adam'],
    [
      'sandbox',
      'a kernel that refuses it',
      { ...WALLED, processes: answering(1, 'bwrap: No permissions to create new namespace\n') },
      'failed: bubblewrap cannot make a sandbox: bwrap: No permissions to create new namespace; agents that should run in it do not start: adam',
    ],
    ['tmux', 'a good tmux', { processes: git('tmux -V => tmux 3.3a') }, 'ok: tmux 3.3a'],
    ['tmux', 'an old tmux', { processes: git('tmux -V => tmux 2.8') }, 'failed: tmux 2.8 is too old: llmc needs 3.2 or newer'],
    [
      'tmux',
      'a tmux of no known version',
      { processes: git('tmux -V => tmux openbsd-7.5') },
      'warning: tmux is there, but its version cannot be read; llmc needs 3.2 or newer',
    ],
    ['tmux', 'no tmux', {}, 'failed: tmux is not installed'],
    [
      'identity',
      'a known committer',
      { processes: git('git var GIT_COMMITTER_IDENT => Ada L <ada@example.org> 1700000000 +0100') },
      'ok: commits are made by Ada L <ada@example.org>',
    ],
    [
      'identity',
      'no git identity',
      { processes: programs({ 'git var GIT_COMMITTER_IDENT': { outcome: failing(128) } }) },
      'warning: git knows no name to commit with',
    ],
    [
      'identity',
      'the identity llmc has set itself',
      { processes: git('git var GIT_COMMITTER_IDENT => llmc <llmc@localhost> 1700000000 +0100') },
      'warning: workers commit as llmc <llmc@localhost>: git had no name and address of yours at llmc init',
    ],
    ['identity', 'no home', { home: undefined }, 'failed: HOME is not set: neither git nor an agent finds its settings'],
    ['disk', 'plenty of room', {}, 'ok: 50 GB free for /root'],
    ['disk', 'little room', { freeBytes: async () => 999_000_000 }, 'warning: 999 MB free for /root'],
    ['disk', 'no room', { freeBytes: async () => 99_000_000 }, 'failed: 99 MB free for /root'],
    ['configuration', 'a valid file', {}, 'ok: /root/config.toml is valid'],
    [
      'configuration',
      'an invalid file',
      { config: '[pane]\nwidth = 1' },
      'failed: /root/config.toml:4:9: pane.width: found the number 1, expected an integer from 40 to 1000',
    ],
    [
      'configuration',
      'two errors in the file',
      { config: '[pane]\nwidth = 1\nheight = 1' },
      'failed: /root/config.toml:4:9: pane.width: found the number 1, expected an integer from 40 to 1000\n/root/config.toml:5:10: pane.height: found the number 1, expected an integer from 10 to 500',
    ],
    ['workflows', 'no files', {}, 'ok: none of your own'],
    [
      'workflows',
      'a broken file in the root',
      workflows(['/root/workflows/a.yaml', 'root', 'name is missing', 'stages is missing'], ['main:workflows/b.yaml', 'repository']),
      'failed: /root/workflows/a.yaml:2:3: name is missing\n/root/workflows/a.yaml:2:3: stages is missing',
    ],
    [
      'workflows',
      'a file in the repository that may be for another program',
      workflows(['main:workflows/b.yaml', 'repository', 'name is missing']),
      'warning: main:workflows/b.yaml:2:3: name is missing',
    ],
    ['workflows', 'sound files', workflows(['/root/workflows/a.yaml', 'root'], ['b.yaml', 'repository']), 'ok: 2 of your own are valid'],
    [
      'workflows',
      'a repository that cannot be read',
      { workflows: async () => ({ files: [], unread: 'it has no branch' }) },
      'warning: the workflows of the repository cannot be read: it has no branch',
    ],
    ['workflows', 'no configuration', { config: 'x = 1' }, 'warning: not checked: there is no usable configuration'],
    ['source', 'a source that is gone', { exists: async () => false }, 'failed: the source /src does not exist'],
    ['source', 'no configuration', { config: 'x = 1' }, 'warning: not checked: there is no usable configuration'],
    ['state', 'a valid state', { workers: [worker('adam')] }, 'ok: state.json is valid: 1 worker, revision 0'],
    [
      'state',
      'a broken state',
      { readState: () => ({ kind: 'broken', problem: 'version: no' }) },
      'failed: /root/state.json is damaged: version: no',
    ],
    ['state', 'a lost state', { readState: () => ({ kind: 'missing' }) }, 'failed: /root/state.json is missing'],
    [
      'clock',
      'a clock that runs on',
      { clock: at(1_000_000), lastHeartbeat: () => ({ pid: 1, at: 1_100_000 }) },
      'ok: not behind what llmc recorded',
    ],
    [
      'clock',
      'a clock that was set back',
      { clock: at(1_000_000), lastHeartbeat: () => ({ pid: 1, at: 8_200_000 }) },
      'warning: the clock is 2h behind what llmc recorded',
    ],
    ['folder watches', 'a system without such limits', {}, 'ok: the limits of this system are high enough'],
    [
      'folder watches',
      'a limit that is too low',
      { readNumber: (path: string) => (path.endsWith('instances') ? 16 : 100_000) },
      'warning: fs.inotify.max_user_instances is only 16',
    ],
    ['database', 'a sound database', {}, 'ok: llmc.db is valid'],
    ['database', 'a lost database', { readDatabase: () => ({ kind: 'missing' }) }, 'failed: /root/llmc.db is missing'],
    [
      'database',
      'a damaged database',
      { readDatabase: () => ({ kind: 'damaged', problem: 'file is not a database' }) },
      'failed: /root/llmc.db is damaged: file is not a database',
    ],
    [
      'database',
      'an unreadable database',
      { readDatabase: () => ({ kind: 'unreadable', problem: 'unable to open database file' }) },
      'failed: /root/llmc.db cannot be read: unable to open database file',
    ],
    ['database', 'a root that cannot be written', { isWritable: () => false }, 'failed: /root cannot be written'],
    ['database', 'only a database', { exists: async (path) => path === '/root/llmc.db' }, 'ok: llmc.db is valid'],
    [
      'database',
      'a root without config.toml and database',
      { exists: async (path) => path === '/root/state.json', readDatabase: () => ({ kind: 'missing' }) },
      'failed: /root/llmc.db is missing',
    ],
    [
      'state',
      'only a database',
      { readState: () => ({ kind: 'missing' }), exists: async (path) => path === '/root/llmc.db' },
      'failed: /root/state.json is missing',
    ],
    ['database', 'no root', { exists: async () => false }, 'warning: no root here yet, so no database'],
    ['state', 'no root', { readState: () => ({ kind: 'missing' }), exists: async () => false }, 'warning: no root here yet, so no state'],
    [
      'configured workers',
      'a table without a worker',
      { config: '[workers.adam]\n[workers.evee]', workers: [worker('adam'), worker('eve')] },
      'warning: in config.toml, but not added: evee',
    ],
    ['configured workers', 'a worker without a table', { workers: [worker('adam')] }, 'ok: every table in config.toml has a worker'],
    ['git-lfs', 'no source', { processes: programs({}) }, 'warning: not checked: the source cannot be read'],
    ['orphaned branches', 'no git', {}, 'warning: not checked: git is not installed'],
    ['root settings', 'no repository', { exists: async () => false }, 'warning: not checked: the root has no repository'],
    ['agents', 'an agent on PATH', { processes: git('claude --version => 2.1.325 (Claude Code)') }, 'ok: claude 2.1.325: recorded'],
    [
      'agents',
      'an agent version that is not recorded',
      { processes: git('claude --version => 2.2.0 (Claude Code)') },
      'warning: claude 2.2.0: not recorded; nearest 2.1.325; canary: not yet',
    ],
    [
      'agents',
      'an older one than any recorded',
      { processes: git('claude --version => 1.0.3') },
      'warning: claude 1.0.3: not recorded; nearest 2.0.10; canary: not yet',
    ],
    [
      'agents',
      'a program that talks of something else',
      { processes: git('claude --version => Please log in first') },
      'warning: claude: --version prints "Please log in first", which contains no version',
    ],
    [
      'agents',
      'a program that says nothing',
      { processes: git('claude --version => ') },
      'warning: claude: --version prints "", which contains no version',
    ],
    ['agents', 'an agent that is not there', {}, 'failed: claude: claude is not on PATH'],
    [
      'agents',
      'an agent that hangs',
      { processes: programs({ 'claude --version': { outcome: { kind: 'timeout' } } }) },
      'warning: claude: claude --version did not answer within 5 s',
    ],
    [
      'agents',
      'an agent that fails',
      { processes: programs({ 'claude --version': { outcome: failing(3) } }) },
      'warning: claude: claude --version ended with status 3',
    ],
    [
      'agents',
      'a declared agent: searched, never run',
      { config: MINE, processes: programs({ 'sh -c command -v -- "$1" sh mine': { stdout: '/opt/bin/mine\n' } }) },
      'ok: mine is /opt/bin/mine',
    ],
    [
      'agents',
      'a declared agent that is not there',
      { config: MINE, processes: programs({ 'sh -c command -v -- "$1" sh mine': { outcome: failing(127) } }) },
      'failed: mine: mine is not a program on PATH',
    ],
    [
      'agents',
      'a declared agent without patterns',
      { config: PLAIN, processes: programs({ 'sh -c command -v -- "$1" sh mine': { stdout: '/opt/bin/mine\n' } }) },
      'ok: mine is /opt/bin/mine; it works without patterns for its input box, and these would make it surer: ready, busy, dialog, box (docs/agents.md)',
    ],
    [
      'agents',
      'a declared agent with a pattern that matches nothing',
      {
        config: MINE,
        processes: programs({ 'sh -c command -v -- "$1" sh mine': { stdout: '/opt/bin/mine\n' } }),
        wrongPatterns: () => [aWrongPattern()],
      },
      'warning: mine is /opt/bin/mine; the pattern ready = "^> " of mine is wrong and not used: it matches no line of a screen that waits for a prompt: the screen of adam said "Welcome", "any>"',
    ],
    [
      'agents',
      'a declared agent whose wrong pattern was changed since',
      {
        config: MINE,
        processes: programs({ 'sh -c command -v -- "$1" sh mine': { stdout: '/opt/bin/mine\n' } }),
        wrongPatterns: () => [aWrongPattern({ source: '^never' })],
      },
      'ok: mine is /opt/bin/mine',
    ],
    [
      'agents',
      'a declared agent that is a command of the shell',
      { config: PLAIN, processes: programs({ 'sh -c command -v -- "$1" sh mine': { stdout: 'mine\n' } }) },
      'failed: mine: mine is a command of the shell, not a program',
    ],
    [
      'agents',
      'a declared agent with its arguments in the command',
      {
        config: PLAIN.replace('command = "mine"', 'command = "mine run"'),
        processes: programs({ 'sh -c command -v -- "$1" sh mine run': { outcome: failing(127) } }),
      },
      'failed: mine: there is no program with the name "mine run"',
    ],
    [
      'agents',
      'a declared agent that is not executable',
      {
        config: PLAIN.replace('command = "mine"', 'command = "/opt/mine"'),
        processes: programs({ 'sh -c command -v -- "$1" sh /opt/mine': { outcome: failing(127) } }),
      },
      'failed: mine: /opt/mine is not executable',
    ],
    ['agents', 'the agent that comes with llmc', { config: '[defaults]\nagent = "demo"' }, 'ok: demo is built into llmc'],
    [
      'agents',
      'an adapter this version lacks',
      { config: '[defaults]\nagent = "codex"' },
      'failed: codex: this version of llmc has no adapter "codex"',
    ],
    [
      'agents',
      'a script that is there',
      { config: '[defaults]\nagent = "demo"\n[agents.demo]\ncommand = "/x/demo.js"' },
      'ok: demo is /x/demo.js',
    ],
    ['difftastic', 'difft', { processes: git('difft --version => Difftastic 0.60.0') }, 'ok: Difftastic 0.60.0'],
    ['difftastic', 'no difft', {}, 'ok: not installed; llmc review shows plain diffs'],
    ['worktrees', 'no workers', {}, 'ok: no workers yet'],
    ['worktrees', 'no state', { readState: () => ({ kind: 'missing' }) }, 'warning: not checked: there is no usable state file'],
  ])('%s: %s', async (name, _, changes, expected) => {
    const finding = await verdict(name, changes);
    expect(`${finding?.level}: ${finding?.message}`).toBe(expected);
    expect(finding?.level === 'failed' && finding.hint === undefined).toBe(false);
  });

  test('a wrong pattern comes with one to write instead', async () => {
    const processes = programs({ 'sh -c command -v -- "$1" sh mine': { stdout: '/opt/bin/mine\n' } });
    const hint = async (wrong: Partial<WrongPattern>) =>
      (await verdict('agents', { config: MINE, processes, wrongPatterns: () => [aWrongPattern(wrong)] }))?.hint;
    expect(await hint({})).toBe("Write, for example: ready = ['any>'] (llmc inspect --worker adam).");
    const typed: Partial<WrongPattern> = {
      pattern: 'box',
      source: '^> (.*)',
      kind: 'misses_text',
      lines: ['any> Write about'],
      typed: 'Write about',
    };
    expect(await hint(typed)).toBe("Write, for example: box = '^any> ?(.*)$' (llmc inspect --worker adam).");
    expect(await hint({ ...typed, kind: 'never_matched', lines: ['any> '], typed: null })).toContain("box = '^any> ?(.*)$'");
  });

  test('a missing root is not a failure before llmc init', async () => {
    const finding = await verdict('configuration', {
      exists: async () => false,
      loadConfig: async () => {
        throw new LlmcError('ROOT_NOT_FOUND', 'no root', { hint: 'llmc init' });
      },
    });
    expect(finding).toMatchObject({ level: 'warning', hint: 'llmc init' });
  });
});

describe('the agents check', () => {
  test('asks every agent in use once, fallbacks included, and no other', async () => {
    const processes = programs({ 'a --version': { stdout: '2.0.10' }, 'b --version': { stdout: '2.1.325' } });
    const config = `[agents.claude]\ncommand = "a"\nfallback = "two"\n[agents.two]\nextends = "claude"\ncommand = "b"\n[agents.unused]\nextends = "claude"
[workers.adam]\n[workers.eve]\nagent = "two"`;
    expect(await verdict('agents', { processes, config })).toMatchObject({
      name: 'agents',
      level: 'ok',
      message: 'claude 2.0.10: recorded; two 2.1.325: recorded',
    });
    expect(processes.calls.map(({ file, args, stdin }) => [file, ...args, stdin])).toEqual([
      ['a', '--version', ''],
      ['b', '--version', ''],
    ]);
  });

  test('gives the program its environment and keeps it out of the report', async () => {
    const processes = programs({ 'claude --version': { outcome: failing(1) } });
    const finding = await verdict('agents', { processes, config: '[agents.claude]\nenv = { KEY = "hunter2" }' });
    expect(processes.calls[0]?.env).toEqual({ KEY: 'hunter2' });
    expect(JSON.stringify(finding)).not.toContain('hunter2');
  });
});

describe('sessions', () => {
  const tmux = (...panes: readonly string[]) => ({
    run: async (command: { file: string; args: readonly string[] }) => ({
      command,
      outcome: { kind: 'exited', status: 0 } as const,
      stdout: command.args.includes('list-panes') ? panes.join('\n') : '',
      stderr: '',
      truncated: false,
    }),
  });

  test.each<[string, readonly string[], string]>([
    ['one for the worker that is up', [pane('llmc-adam', '0')], 'ok: 1 running'],
    ['none for a worker that is up', [], 'warning: no running session for adam (working)'],
    ['a dead one is none', [pane('llmc-adam', '1')], 'warning: no running session for adam (working)'],
    ['one too many', [pane('llmc-adam', '0'), pane('llmc-gone', '0')], 'warning: sessions without a worker: llmc-gone'],
  ])('%s', async (_, panes, expected) => {
    const workers = [worker('adam', { status: 'working' }), worker('eve', { status: 'offline' })];
    const finding = await verdict('sessions', { workers, processes: tmux(...panes) });
    expect(`${finding?.level}: ${finding?.message}`).toBe(expected);
  });

  test('without a supervisor are a warning with the command to type', async () => {
    const processes = tmux(pane('llmc-adam', '0'));
    expect(await verdict('sessions', { workers: [worker('adam')], processes, isSupervised: async () => false })).toMatchObject({
      level: 'warning',
      message: '1 running without a supervisor',
      hint: expect.stringContaining('llmc up --detach'),
    });
  });
});

test.each([
  ['24.15.0', true],
  ['v24.15.1', true],
  ['24.21.0', true],
  ['25.0.0', true],
  ['26.0.0-nightly', true],
  ['24.14.9', false],
  ['22.30.0', false],
  ['', false],
  ['x.y.z', false],
])('Node %j is enough: %s', (version, enough) => {
  expect(nodeSuffices(version)).toBe(enough);
});
