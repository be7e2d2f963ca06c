import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepCanary } from '../../store/findings/canaries.ts';
import { systemClock } from '../../system/clock.ts';
import { systemRandom } from '../../system/random.ts';
import { programs } from '../doubles.ts';
import { canariesAtUp, triedOutText } from './at-up.ts';
import type { TriedOut } from './try-out.ts';

const tried = (changes: Partial<TriedOut>): TriedOut => ({
  agent: 'claude',
  adapter: 'claude',
  version: '2.2.0',
  outcome: 'passed',
  why: null,
  way: null,
  checks: [],
  ...changes,
});
const check = { evidence: '', took_ms: 0 };

test.each<[Partial<TriedOut>, string]>([
  [{}, 'Canary of claude 2.2.0: passed; llmc understands this version like the recorded ones'],
  [
    { agent: 'codex', version: '0.170.0', way: 'protocol' },
    'Canary of codex 0.170.0, protocol channel: passed; llmc understands this version like the recorded ones',
  ],
  [
    {
      agent: 'codex',
      version: '0.90.0',
      way: 'keyboard',
      outcome: 'failed',
      checks: [{ ...check, name: 'protocol', verdict: 'failed', means: 'llmc uses the keyboard channel instead.' }],
    },
    'Canary of codex 0.90.0, keyboard channel: failed: protocol (llmc uses the keyboard channel instead.) See: llmc doctor',
  ],
  [{ outcome: 'not_run', why: 'tmux is not installed' }, 'Canary of claude 2.2.0: did not run: tmux is not installed'],
  [
    {
      outcome: 'failed',
      checks: [
        { ...check, name: 'ready', verdict: 'passed', means: null },
        { ...check, name: 'exit', verdict: 'failed', means: 'llmc ends it by a signal.' },
      ],
    },
    'Canary of claude 2.2.0: failed: exit (llmc ends it by a signal.) See: llmc doctor',
  ],
])('up reports %j in one line', (changes, line) => {
  expect(triedOutText(tried(changes))).toBe(line);
});

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'llmc-at-up-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** The programs that `up` starts for canaries, and its reports. tmux is missing here, so a canary ends early. */
async function atUp(config: string, version: string, stopped = false): Promise<{ asked: readonly string[]; reported: readonly string[] }> {
  writeFileSync(join(root, 'config.toml'), `[repo]\nsource = "/src"\n${config}`);
  const processes = programs({ 'claude --version': { stdout: version } });
  const reported: string[] = [];
  const stop = new AbortController();
  if (stopped) stop.abort();
  const ports = { processes, random: systemRandom, clock: systemClock };
  await canariesAtUp({ root, llmc: '0.1.0', ports, report: (line) => reported.push(line), signal: stop.signal });
  return { asked: [...new Set(processes.calls.map(({ file }) => file))], reported };
}

test('up runs a canary for a version that is not recorded', async () => {
  expect(await atUp('', '9.9.9')).toEqual({
    asked: ['claude', 'tmux'],
    reported: ['Canary of claude 9.9.9: did not run: tmux is not installed'],
  });
});

test('up runs no canary for a recorded version, or with canary = false', async () => {
  expect(await atUp('', '2.1.325')).toEqual({ asked: ['claude'], reported: [] });
  expect(await atUp('[defaults]\ncanary = false', '9.9.9')).toEqual({ asked: [], reported: [] });
});

test('up runs no second canary for the same version, also after a failure', async () => {
  const checks = [{ name: 'ready', verdict: 'failed', evidence: '', took_ms: 1 } as const];
  keepCanary(join(root, 'canaries.json'), {
    adapter: 'claude',
    version: '9.9.9',
    llmc: '0.1.0',
    channel: 'typing',
    at_unix: 1,
    checks: [...checks],
  });
  expect(await atUp('', '9.9.9')).toEqual({ asked: ['claude'], reported: [] });
});

test('up reports a configuration that broke in the meantime, and reports nothing when the supervisor stops', async () => {
  expect((await atUp('[', '9.9.9')).reported).toEqual([expect.stringContaining('The canary did not run')]);
  expect((await atUp('', '9.9.9', true)).reported).toEqual([]);
});
