import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import { until } from '../../../test/support/scratch-tmux.ts';
import { runNow } from '../../system/processes/owned-process.ts';
import { processesWith } from '../../system/processes/strays.ts';
import { tearDown, tearDownNow } from './tear-down.ts';

// Only Linux shows the environment of other processes.
test.runIf(process.platform === 'linux').for([
  ['in good order', tearDown],
  ['at once', tearDownNow],
] as const)('an agent that ignores a hang-up is also gone when the demo ends %s', async ([, end]) => {
  using scratch = scratchFolder();
  const folder = join(scratch.path, 'demo');
  const resources = {
    root: folder,
    supervisor: undefined,
    commands: new Set<never>(),
    tmuxSocket: join(folder, 't.sock'),
    folders: [folder],
  };
  mkdirSync(folder);
  const stubborn = ['sh', '-c', 'trap "" HUP TERM; : > there; while :; do sleep 0.1; done'];
  const args = ['-f', '/dev/null', '-S', resources.tmuxSocket, 'new-session', '-d', '-s', 'llmc-adam', '-c', folder, '--', ...stubborn];
  expect(runNow({ file: 'tmux', args, env: { LLMC_ROOT: folder } })).toBe(true);
  await until('the agent to be there', async () => existsSync(join(folder, 'there')));

  await end(resources);
  expect(processesWith([`LLMC_ROOT=${folder}`])).toEqual([]);
  expect(existsSync(folder)).toBe(false);
});
