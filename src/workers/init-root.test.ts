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

test('of two at once, the second to finish is told that the root is there, and leaves the first one as it is', async () => {
  await using repo = await scratchRepo();
  const never = new AbortController().signal;
  const overtaken: Processes = {
    async run(command, options) {
      if (command.args.includes('clone')) await init(repo, repo.processes, never);
      return await repo.processes.run(command, options);
    },
  };
  const place = join(repo.dir, 'deep', 'er');
  await expect(init(repo, overtaken, never)).rejects.toMatchObject({
    code: 'ROOT_EXISTS',
    message: `${join(place, 'root')} is an llmc root already`,
  });
  expect(await readdir(place)).toEqual(['root']);
  expect(await readdir(join(place, 'root'))).toContain('config.toml');
});
