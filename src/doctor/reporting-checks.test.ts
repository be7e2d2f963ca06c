import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hookFiles } from '../agents/claude/launch.ts';
import { findAdapter } from '../agents/registry.ts';
import { makeLayout } from '../store/layout.ts';
import { hooksCheck } from './checks/hooks.ts';
import { loginsCheck } from './checks/logins.ts';
import { socketsCheck } from './checks/sockets.ts';
import { machine, programs, worker } from './doubles.ts';

const HOME = { HOME: '/home/u' };
const KEYCHAIN = { '/usr/bin/security find-generic-password -s Claude Code-credentials': {} };
const USES = (agent: string, more = '') => `[defaults]\nagent = "${agent}"\n${more}`;

/** A machine on which only these files exist. */
const withFiles = (files: Readonly<Record<string, string>>) => ({
  exists: async (path: string) => path in files,
  readText: (path: string) => files[path],
});

test.each<[string, Parameters<typeof machine>[0]]>([
  ['the file of Claude Code', withFiles({ '/home/u/.claude/.credentials.json': '' })],
  ['a file in another folder', { ...withFiles({ '/else/.credentials.json': '' }), env: { ...HOME, CLAUDE_CONFIG_DIR: '/else' } }],
  ['a variable', { ...withFiles({}), env: { ...HOME, ANTHROPIC_API_KEY: 'x' } }],
  ['a variable in config.toml', { ...withFiles({}), config: USES('claude', '[agents.claude.env]\nCLAUDE_CODE_USE_BEDROCK = "1"\n') }],
  ['a program that prints the key', withFiles({ '/home/u/.claude/settings.json': '{"apiKeyHelper":"/bin/key"}' })],
  ['a variable in its settings', withFiles({ '/home/u/.claude/settings.json': '{"env":{"ANTHROPIC_AUTH_TOKEN":"x"}}' })],
  ['the keychain of macOS', { ...withFiles({}), processes: programs(KEYCHAIN) }],
  ['the file of Codex', { ...withFiles({ '/home/u/.codex/auth.json': '' }), config: USES('codex') }],
  ['a provider of Codex', { ...withFiles({ '/home/u/.codex/config.toml': 'model_provider = "mine"\n' }), config: USES('codex') }],
  ['none, because the demo agent needs none', { ...withFiles({}), config: USES('demo') }],
])('a login is found: %s', async (_, changes) => {
  const finding = await loginsCheck.run(machine({ adapterOf: findAdapter, env: HOME, config: USES('claude'), ...changes }));
  expect(finding).toMatchObject({ level: 'ok' });
});

test.each([
  ['claude', 'claude, then /login', {}],
  ['codex', 'codex login', {}],
  ['claude', 'claude, then /login', { '/home/u/.claude/settings.json': 'not JSON' }],
  ['claude', 'claude, then /login', { '/home/u/.claude/settings.json': '{"env":{"LANG":"C"}}' }],
  ['codex', 'codex login', { '/home/u/.codex/config.toml': '# model_provider = "mine"\n' }],
])('an agent without a login is a warning: %s', async (agent, hint, files) => {
  const finding = await loginsCheck.run(
    machine({ adapterOf: findAdapter, env: { ...HOME, ANTHROPIC_API_KEY: '' }, config: USES(agent), ...withFiles(files) }),
  );
  expect(finding).toMatchObject({ level: 'warning', message: `no login found for ${agent}`, hint });
});

test('the hint names every login that is missing, each in the folder of its account', async () => {
  const accounts = USES('claude', '[agents.work]\nextends = "claude"\nenv = { CLAUDE_CONFIG_DIR = "/home/u/my work" }\n');
  const config = `${accounts}[workers.adam]\nagent = "work"\n[workers.eve]\nagent = "codex"\n`;
  expect(await loginsCheck.run(machine({ adapterOf: findAdapter, env: HOME, config, ...withFiles({}) }))).toMatchObject({
    level: 'warning',
    message: 'no login found for claude, work, codex',
    hint: "claude, then /login; env 'CLAUDE_CONFIG_DIR=/home/u/my work' claude, then /login; codex login",
  });
});

const SCRATCH = makeLayout('/root').scratch('adam');
const WRITTEN = Object.fromEntries(Object.entries(hookFiles).map(([name, text]) => [join(SCRATCH, name), text]));
const SCRIPT = join(SCRATCH, 'claude-hook.sh');
const claude = worker('adam', { agent: 'claude' });

test.each<[string, Parameters<typeof machine>[0], readonly string[]]>([
  ['are as llmc wrote them', withFiles(WRITTEN), []],
  ['have another text', withFiles({ ...WRITTEN, [SCRIPT]: 'exit 0\n' }), ['claude-hook.sh']],
  ['are missing', withFiles({}), ['claude-settings.json', 'claude-hook.sh']],
  ['are missing, of a worker that is offline', { ...withFiles({}), workers: [{ ...claude, status: 'offline' }] }, []],
  ['are missing, of an agent that was never started', { ...withFiles({}), workers: [{ ...claude, incarnation: 0 }] }, []],
  ['are missing, of an agent that has none', { ...withFiles({}), workers: [worker('adam')] }, []],
  [
    'are missing, of an agent on the protocol channel',
    { ...withFiles({ [makeLayout('/root').agentSocket('adam')]: '' }), workers: [worker('adam', { agent: 'codex' })] },
    [],
  ],
])('the hooks of a running agent %s', async (_, changes, broken) => {
  const finding = await hooksCheck.run(machine({ adapterOf: findAdapter, workers: [claude], ...changes }));
  if (broken.length === 0) expect(finding).toMatchObject({ level: 'ok' });
  else
    expect(finding).toMatchObject({
      level: 'warning',
      message: `hooks are changed or missing: ${broken.join(', ')} of adam`,
      repairs: [{ safe: true, step: { kind: 'hooks', worker: 'adam' } }],
    });
});

const TMUX = '/root/run/tmux.sock';
const refused = { outcome: { kind: 'exited', status: 1 }, stderr: `error connecting to ${TMUX} (Connection refused)` } as const;
const tmuxAnswers = (answer: object): ReturnType<typeof programs> => ({
  calls: [],
  run: async (command) => ({ command, outcome: { kind: 'exited', status: 0 }, stdout: '', stderr: '', truncated: false, ...answer }),
});

test.each<[string, Parameters<typeof machine>[0], 'ok' | 'warning']>([
  ['a server answers', { processes: tmuxAnswers({}) }, 'ok'],
  ['nobody answers', { processes: tmuxAnswers(refused) }, 'warning'],
  ['a server hangs', { processes: tmuxAnswers({ outcome: { kind: 'timeout' } }) }, 'ok'],
  ['tmux is not installed', {}, 'ok'],
  ['nobody answers, and a supervisor runs', { processes: tmuxAnswers(refused), isSupervised: async () => true }, 'ok'],
])('a tmux socket: %s', async (_, changes, level) => {
  const finding = await socketsCheck.run(machine({ isSupervised: async () => false, exists: async (path) => path === TMUX, ...changes }));
  expect(finding.level).toBe(level);
  if (level === 'warning') expect(finding).toMatchObject({ repairs: [{ does: `remove ${TMUX}`, step: { kind: 'sockets' } }] });
});
