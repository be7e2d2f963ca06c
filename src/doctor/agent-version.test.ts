import { expect, test } from 'vitest';
import type { Canary } from '../store/findings/canaries.ts';
import { type AgentVersion, agentVersion, judgeVersion } from './agent-version.ts';

const claude = { name: 'mine', adapter: 'claude', channel: 'auto' } as const;
const check = (name: string, verdict: Canary['checks'][number]['verdict']) => ({ name, verdict, evidence: '', took_ms: 1 });
const canary = (...checks: Canary['checks']): Canary => ({
  adapter: 'claude',
  version: '2.2.0',
  llmc: '0.1.0',
  channel: 'typing',
  host: 'here',
  at_unix: Date.parse('2026-11-15T23:59:59Z') / 1_000,
  checks,
});
const version = (changes: Partial<AgentVersion>): AgentVersion => ({
  agent: 'mine',
  adapter: 'claude',
  version: '2.2.0',
  recorded: false,
  nearest: '2.1.325',
  canary: null,
  ...changes,
});

test.each<[string, Partial<AgentVersion>, string]>([
  ['recorded', { recorded: true }, 'ok: mine 2.2.0: recorded'],
  ['unknown', {}, 'warning: mine 2.2.0: not recorded; nearest 2.1.325; canary: not yet'],
  ['unlike any', { nearest: null }, 'warning: mine 2.2.0: not recorded; nearest none; canary: not yet'],
  [
    'tried out',
    { canary: canary(check('ready', 'passed')) },
    'ok: mine 2.2.0: not recorded; nearest 2.1.325; canary: passed on 2026-11-15',
  ],
  [
    'tried out though recorded',
    { recorded: true, canary: canary(check('ready', 'passed')) },
    'ok: mine 2.2.0: recorded; canary: passed on 2026-11-15',
  ],
  [
    'the protocol channel',
    { recorded: true, canary: { ...canary(check('protocol', 'passed'), check('server', 'passed')), adapter: 'codex' } },
    'ok: mine 2.2.0: recorded; canary: passed, protocol channel, on 2026-11-15',
  ],
  [
    'the keyboard channel of an agent with a protocol',
    { canary: { ...canary(check('protocol', 'failed'), check('ready', 'passed')), adapter: 'codex' } },
    'warning: mine 2.2.0: not recorded; nearest 2.1.325; canary: failed, keyboard channel, on 2026-11-15 (protocol)',
  ],
  [
    'neither, as it does not answer',
    { canary: { ...canary(check('probe', 'failed'), check('server', 'not_tried')), adapter: 'codex' } },
    'warning: mine 2.2.0: not recorded; nearest 2.1.325; canary: failed on 2026-11-15 (probe)',
  ],
  [
    'not understood',
    { canary: canary(check('ready', 'passed'), check('busy', 'failed'), check('exit', 'failed'), check('record', 'not_tried')) },
    'warning: mine 2.2.0: not recorded; nearest 2.1.325; canary: failed on 2026-11-15 (busy, exit)',
  ],
])('a version that is %s', (_, changes, expected) => {
  const finding = judgeVersion(version(changes));
  expect(`${finding.level}: ${finding.message}`).toBe(expected);
  expect(finding.level === 'ok' || finding.hint?.includes('llmc doctor --canary --agent mine')).toBe(true);
});

test('the hint of a failed canary says what the failure means', () => {
  const { hint } = judgeVersion(version({ canary: canary(check('end of turn', 'failed'), check('of a later llmc', 'failed')) }));
  expect(hint).toBe('llmc detects the end of a turn on the screen, a second later. With details: llmc doctor --canary --agent mine');
});

test('the lookup of a canary uses adapter, version and channel', () => {
  const asked: object[] = [];
  const read = (said: string, agent: Parameters<typeof agentVersion>[0] = claude) =>
    agentVersion(agent, said, ['2.1.325'], (key) => {
      asked.push(key);
      return undefined;
    });
  expect(read('2.1.325 (Claude Code)')).toMatchObject({ agent: 'mine', recorded: true, nearest: '2.1.325', canary: null });
  expect(read('hello')).toBeUndefined();
  for (const channel of ['auto', 'typing'] as const) read('codex-cli 2.1.325', { name: 'codex', adapter: 'codex', channel });
  expect(asked).toEqual([
    { adapter: 'claude', version: '2.1.325', channel: 'typing' },
    { adapter: 'codex', version: '2.1.325', channel: 'auto' },
    { adapter: 'codex', version: '2.1.325', channel: 'typing' },
  ]);
});
