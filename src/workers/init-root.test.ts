import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ScratchRepo, scratchRepo } from '../../test/support/scratch-repo.ts';
import type { Processes } from '../base/ports.ts';
import { systemClock } from '../system/clock.ts';
import { initRoot } from './init-root.ts';

/** Calls `then` when the clone has begun. */
function whenCloning({ processes }: ScratchRepo, then: () => void): Processes {
  return {
    run(command, options) {
      const running = processes.run(command, options);
      if (command.args.includes('clone')) then();
      return running;
    },
  };
}

const init = (repo: ScratchRepo, processes: Processes, signal: AbortSignal) =>
  initRoot(
    { source: repo.path, target: join(repo.dir, 'deep', 'er', 'root'), agent: 'demo', branch: undefined },
    { processes, clock: systemClock, say: () => undefined, signal },
  );

test('an init that is interrupted ends its git and leaves nothing behind, not even the folders above the root', async () => {
  await using repo = await scratchRepo();
  const stop = new AbortController();
  const processes = whenCloning(repo, () => stop.abort());
  await expect(init(repo, processes, stop.signal)).rejects.toMatchObject({ code: 'CANCELLED' });
  expect((await readdir(repo.dir)).toSorted()).toEqual(['home', 'source']);
});

test('an init that succeeds leaves the root and nothing beside it', async () => {
  await using repo = await scratchRepo();
  await init(repo, repo.processes, new AbortController().signal);
  expect(await readdir(join(repo.dir, 'deep', 'er'))).toEqual(['root']);
});
