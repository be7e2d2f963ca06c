import { expect, test } from 'vitest';
import { runningIncarnation } from './rebuild.ts';

test('a tmux that does not answer proves nothing about the agents, so nothing is rebuilt', async () => {
  const terminal = { panes: async () => undefined, startedWith: async () => '' };
  await expect(runningIncarnation(terminal, 'llmc-adam')).rejects.toMatchObject({ code: 'TMUX_SESSION_FAILED' });
});

test('without a tmux server no agent runs', async () => {
  const terminal = { panes: async () => [], startedWith: async () => '' };
  expect(await runningIncarnation(terminal, 'llmc-adam')).toBeUndefined();
});
