import { afterEach, expect, test, vi } from 'vitest';
import { scratchTmux } from '../../../test/support/scratch-tmux.ts';
import { agentEnvironments } from './agent-environments.ts';

afterEach(() => vi.unstubAllEnvs());

test.runIf(process.platform === 'linux')('the variables of an agent and of the tmux server above it are known', async () => {
  vi.stubEnv('OF_THE_SERVER', 'purple-monkey');
  await using tmux = await scratchTmux();
  vi.unstubAllEnvs();
  await tmux.start({ name: 'adam', argv: ['sleep', '600'], cwd: tmux.directory, env: { OF_THE_AGENT: 'green-monkey' } });
  // The program of a pane begins as a copy of the server.
  const seen = async () =>
    (await agentEnvironments(tmux.socket)).flatMap((each) => each.split('\0')).filter((line) => /^OF_THE_/.test(line));
  await expect
    .poll(async () => [...new Set(await seen())].toSorted())
    .toEqual(['OF_THE_AGENT=green-monkey', 'OF_THE_SERVER=purple-monkey']);
});

test('without a tmux server there are none', async () => {
  expect(await agentEnvironments('/nowhere/tmux.sock')).toEqual([]);
});
