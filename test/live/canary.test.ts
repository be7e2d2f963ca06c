import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { canaryWorld } from '../support/canary-world.ts';
import { testOfFullRun } from '../support/full-run.ts';
import { until } from '../support/scratch-tmux.ts';

const EXITS = 'echo "no such option"; exit 3';
/** Runs and prints nothing for longer than the canary waits. */
const STAYS = 'exec sleep 600';

describe('llmc doctor --canary', () => {
  test('leads the built-in agent through a whole turn, and leaves nothing behind', async () => {
    await using canary = await canaryWorld();
    const { healthy, canaries } = await canary.doctor('--canary');
    expect(healthy).toBe(true);
    expect(canaries).toMatchObject([{ agent: 'demo', outcome: 'passed', why: null, way: null }]);
    expect(canaries?.[0]?.checks.map(({ name, verdict }) => `${name}: ${verdict}`)).toEqual([
      'ready: passed',
      'typed: passed',
      'acknowledged: passed',
      'busy: passed',
      'record: passed',
      'end of turn: passed',
      'ready again: passed',
      'exit: passed',
    ]);
    expect(canaries?.[0]?.checks.every(({ evidence }) => evidence !== '')).toBe(true);
    expect([canary.folders(), canary.processes()]).toEqual([[], []]);
    expect(statSync(join(canary.world.root, 'canaries.json')).mode & 0o777).toBe(0o600);
  });

  test('a failed canary is a warning with its meaning, and the doctor remembers it', async () => {
    await using canary = await canaryWorld();
    canary.fakeClaude('9.9.9 (Claude Code)', EXITS);
    const agents = async () => (await canary.doctor()).checks.find(({ name }) => name === 'agents');
    expect(await agents()).toMatchObject({
      level: 'warning',
      message: expect.stringContaining('; claude 9.9.9: not recorded; nearest 2.1.325; canary: not yet'),
      hint: expect.stringContaining('llmc doctor --canary --agent claude'),
    });

    const { healthy, canaries } = await canary.doctor('--canary', '--agent', 'claude');
    expect(healthy).toBe(true);
    expect(canaries).toMatchObject([{ agent: 'claude', version: '9.9.9', outcome: 'failed' }]);
    const [ready, ...rest] = canaries?.[0]?.checks ?? [];
    expect(ready).toMatchObject({ name: 'ready', verdict: 'failed', evidence: expect.stringMatching(/status 3.*no such option/) });
    expect(ready?.means).toContain('holds prompts back');
    expect(new Set(rest.map(({ verdict }) => verdict))).toEqual(new Set(['not_tried']));

    const after = await agents();
    expect(after).toMatchObject({ level: 'warning', hint: expect.stringContaining('holds prompts back') });
    expect(after?.message).toMatch(/; claude 9\.9\.9: not recorded; nearest 2\.1\.325; canary: failed on \d{4}-\d\d-\d\d \(ready\)$/);
    expect(after?.details).toMatchObject([{ agent: 'claude', version: '9.9.9', recorded: false, canary: { llmc: expect.any(String) } }]);
    const text = await canary.world.ok('doctor', '--canary', '--agent', 'claude');
    expect(text).toContain('canary  claude 9.9.9: failed; llmc still uses it');
  });

  test('only PATH and the language of the user reach the agent', async () => {
    await using canary = await canaryWorld();
    canary.fakeClaude('9.9.9', EXITS);
    const secret = { ANTHROPIC_API_KEY: 'sk-real', CLAUDE_CONFIG_DIR: '/home/u/.claude', HTTPS_PROXY: 'http://proxy', MY_TOKEN: 'hunter2' };
    const { status } = await canary.world.run(['doctor', '--canary', '--agent', 'claude'], { env: secret });
    expect(status).toBe(0);
    const { count, env } = canary.starts();
    expect(count).toBe(1);
    expect(env).toMatch(/^ANTHROPIC_BASE_URL=http:\/\/127\.0\.0\.1:\d+$/m);
    expect(env).not.toMatch(/sk-real|\/home\/u|http:\/\/proxy|hunter2/);
    expect(env).toMatch(new RegExp(`^HOME=${canary.world.temporary}/${canary.prefix}.*/home$`, 'm'));
  });

  // src/doctor/canary/trials.test.ts has the reasons and the names of agents; a failed canary, above, shows how a reason is reported.
  testOfFullRun('an agent that cannot be tested reports why, and the canary tests the others', async () => {
    await using canary = await canaryWorld();
    canary.fakeClaude('Please log in', EXITS);
    const { canaries } = await canary.doctor('--canary');
    expect(canaries).toMatchObject([
      { agent: 'demo', outcome: 'passed' },
      { agent: 'claude', version: null, outcome: 'not_run', why: expect.stringContaining('names no version') },
    ]);
    expect(canary.starts().count).toBe(0);
    expect(await canary.world.refused(['doctor', '--canary', '--agent', 'nobody'])).toMatchObject({ code: 'AGENT_NOT_FOUND' });
    expect(await canary.world.refused(['doctor', '--agent', 'demo'])).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  test('of two canaries at once, the second waits', async () => {
    await using canary = await canaryWorld();
    const both = await Promise.all([canary.doctor('--canary'), canary.doctor('--canary')]);
    expect(both.map(({ canaries }) => canaries?.[0]?.outcome)).toEqual(['passed', 'passed']);
    expect(canary.folders()).toEqual([]);
  });

  test('a canary removes the folder of an earlier one whose caretaker was killed too', async () => {
    await using canary = await canaryWorld();
    const left = join(canary.world.temporary, `${canary.prefix}abcdef`);
    mkdirSync(left);
    execFileSync('tmux', ['-f', '/dev/null', '-S', join(left, 't.sock'), 'new-session', '-d', `sleep 600; : ${left}`]);
    expect(canary.processes()).not.toEqual([]);
    expect(await canary.doctor('--canary')).toMatchObject({ canaries: [{ outcome: 'passed' }] });
    await canary.untilNothingIsLeft();
  });
});

test('Ctrl+C in the middle of a canary leaves nothing behind, and the error says so', async () => {
  await using canary = await canaryWorld();
  canary.fakeClaude('9.9.9', STAYS);
  const { world } = canary;
  const ended = world.shell(
    '"$@" doctor --canary --agent claude & pid=$!; until [ -e starts ]; do sleep 0.1; done; kill -INT $pid; wait $pid',
  );
  expect(await ended).toMatchObject({
    status: 130,
    stderr: expect.stringContaining('CANCELLED: interrupted; the canary left nothing behind'),
  });
  expect([canary.folders(), canary.processes()]).toEqual([[], []]);
});

describe('llmc up', () => {
  test('runs one canary for a version that is not recorded, beside the workers, and logs the result', async () => {
    await using canary = await canaryWorld({ workers: ['adam'] });
    const { world } = canary;
    canary.fakeClaude('9.9.9', EXITS);
    await world.comeUp();
    const canaryLines = async () =>
      (await world.ok('logs', '--json')).split('\n').filter((line) => line.includes('Canary of claude 9.9.9'));
    await until('the log line of the canary', async () => (await canaryLines()).length > 0);
    expect((await canaryLines())[0]).toContain('failed: ready');
    await world.ok('start', '--prompt', 'A note', '--wait', '--timeout', '90s');
    await world.ok('down');
    await world.comeUp();
    await world.ok('down');
    expect(canary.starts().count).toBe(1);
    expect(await canaryLines()).toHaveLength(1);
  });

  test('down ends a canary in the middle, and so does the death of the supervisor', async () => {
    await using canary = await canaryWorld({ workers: ['adam'] });
    const { world } = canary;
    canary.fakeClaude('9.9.9', STAYS);
    await world.comeUp();
    await until('the canary to run', async () => canary.starts().count === 1);
    await world.ok('down');
    await canary.untilNothingIsLeft();

    await world.comeUp();
    await until('the canary to run again', async () => canary.starts().count === 2);
    await world.killSupervisor();
    await canary.untilNothingIsLeft();
    expect((await world.worker('adam')).name).toBe('adam');
  });
});
