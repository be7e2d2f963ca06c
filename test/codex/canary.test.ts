import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CanaryWorld, canaryWorld } from '../support/canary-world.ts';
import { installedCodex } from './install.ts';

const program = await installedCodex();

/** A root that runs Codex, with these lines in its table. */
async function codexCanary(lines = ''): Promise<CanaryWorld> {
  const canary = await canaryWorld();
  appendFileSync(join(canary.world.root, 'config.toml'), `\n[agents.codex]\ncommand = ${JSON.stringify(program)}\n${lines}\n`);
  return canary;
}

const verdicts = (canaries: Awaited<ReturnType<CanaryWorld['doctor']>>['canaries']) =>
  canaries?.[0]?.checks.map(({ name, verdict, evidence }) => (verdict === 'passed' ? name : `${name} ${verdict}: ${evidence}`));

describe.skipIf(program === undefined)('the canary and the real Codex', () => {
  test('passes on the protocol channel with every check, and leaves nothing behind', async () => {
    await using canary = await codexCanary();
    const { canaries, checks } = await canary.doctor('--canary', '--agent', 'codex');
    expect(verdicts(canaries)).toEqual([
      'probe',
      'protocol',
      'server',
      'conversation',
      'taken',
      'at work',
      'turn over',
      'at rest',
      'taken up',
      'kept',
      'viewer',
    ]);
    expect(canaries).toMatchObject([{ agent: 'codex', version: '0.166.0', outcome: 'passed', way: 'protocol' }]);
    expect(checks.find(({ name }) => name === 'agents')?.level).toBe('ok');
    expect([canary.folders(), canary.processes()]).toEqual([[], []]);
  });

  test('passes on the keyboard channel with every check, and leaves nothing behind', async () => {
    await using canary = await codexCanary('channel = "typing"');
    const { canaries } = await canary.doctor('--canary', '--agent', 'codex');
    expect(verdicts(canaries)).toEqual(['ready', 'typed', 'acknowledged', 'busy', 'record', 'end of turn', 'ready again', 'exit']);
    expect(canaries).toMatchObject([{ agent: 'codex', version: '0.166.0', outcome: 'passed', way: 'keyboard' }]);
    expect([canary.folders(), canary.processes()]).toEqual([[], []]);
  });

  test('leaves nothing behind when it is killed beside its server', async () => {
    await using canary = await codexCanary();
    const { status } = await canary.world.run(['doctor', '--canary', '--agent', 'codex'], { env: { LLMC_FAULT: 'canary:after-session' } });
    expect(status).toBe(137);
    await canary.untilNothingIsLeft();
  });
});
