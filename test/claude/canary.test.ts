import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { canaryWorld } from '../support/canary-world.ts';
import { installedClaude } from './install.ts';

const program = await installedClaude();

const EVERYTHING = ['ready', 'typed', 'acknowledged', 'busy', 'status file', 'record', 'end of turn', 'ready again', 'exit'];

describe.skipIf(program === undefined)('the canary and the real Claude Code', () => {
  test('the canary passes with all the evidence that llmc relies on', async () => {
    await using canary = await canaryWorld();
    appendFileSync(join(canary.world.root, 'config.toml'), `\n[agents.claude]\ncommand = ${JSON.stringify(program)}\n`);
    const { canaries } = await canary.doctor('--canary', '--agent', 'claude');
    expect(canaries).toMatchObject([{ agent: 'claude', version: '2.1.325', outcome: 'passed' }]);
    expect(canaries?.[0]?.checks.map(({ name }) => name)).toEqual(EVERYTHING);
    expect([canary.folders(), canary.processes()]).toEqual([[], []]);
  });
});
