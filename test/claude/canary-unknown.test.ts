import { describe, expect, test } from 'vitest';
import { canaryWorld } from '../support/canary-world.ts';
import { until } from '../support/scratch-tmux.ts';
import { installedClaude } from './install.ts';

const program = await installedClaude();

describe.skipIf(program === undefined)('the canary and a Claude Code with a version that is not recorded', () => {
  test('up tests a version that is not recorded, beside the workers, and remembers the result', async () => {
    await using canary = await canaryWorld({ workers: ['adam'] });
    const { world } = canary;
    canary.fakeClaude('2.9.0 (Claude Code)', `exec ${JSON.stringify(program)} "$@"`);
    await world.comeUp();
    const agents = async () => (await canary.doctor()).checks.find(({ name }) => name === 'agents');
    await until('the canary to be over', async () => (await agents())?.message.includes('canary: not yet') === false, 180_000);
    expect(await agents()).toMatchObject({
      level: 'ok',
      message: expect.stringMatching(/; claude 2\.9\.0: not recorded; nearest 2\.1\.325; canary: passed on /),
    });
    expect(await world.ok('logs', '--json')).toContain('Canary of claude 2.9.0: passed');
  });

  test('without hooks the canary warns, and names what llmc falls back to', async () => {
    await using canary = await canaryWorld();
    // A settings file of the folder itself switches the hooks off, as an administrator or a new version could.
    canary.fakeClaude(
      '2.9.0',
      `mkdir -p .claude\necho '{"disableAllHooks":true}' >.claude/settings.json\nexec ${JSON.stringify(program)} "$@"`,
    );
    const { healthy, canaries } = await canary.doctor('--canary', '--agent', 'claude');
    expect(healthy).toBe(true);
    const failed = canaries?.[0]?.checks.filter(({ verdict }) => verdict === 'failed');
    expect(failed?.map(({ name }) => name)).toEqual(['acknowledged', 'end of turn']);
    expect(failed?.[0]).toMatchObject({
      evidence: expect.stringContaining('the prompt reached the demo API, but no report came'),
      means: expect.stringContaining('by the transcript'),
    });
  });
});
