import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { canaryWorld } from '../support/canary-world.ts';
import { installedCodex } from './install.ts';

const program = await installedCodex();

describe.skipIf(program === undefined)('the canary and the real Codex', () => {
  test('it passes with all the evidence llmc relies on, and leaves nothing behind', async () => {
    await using canary = await canaryWorld();
    appendFileSync(join(canary.world.root, 'config.toml'), `\n[agents.codex]\ncommand = ${JSON.stringify(program)}\n`);
    const { canaries } = await canary.doctor('--canary', '--agent', 'codex');
    expect(canaries).toMatchObject([
      { agent: 'codex', version: '0.166.0', outcome: 'passed', untried: expect.stringContaining('protocol') },
    ]);
    expect(canaries?.[0]?.checks.map(({ name }) => name)).toEqual([
      ...['ready', 'typed', 'acknowledged', 'busy', 'record', 'end of turn', 'ready again', 'exit'],
    ]);
    expect([canary.folders(), canary.processes()]).toEqual([[], []]);
  });
});
