import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processesWith } from '../package/processes-with.ts';
import { until } from '../support/scratch-tmux.ts';
import { llmcWorld } from '../support/world.ts';

test('removing a root ends all of its processes', async () => {
  await using world = await llmcWorld({ workers: ['adam', 'baker'] });
  const running = () => processesWith(`LLMC_ROOT=${world.root}`);
  expect(running().length).toBeGreaterThan(0);
  // Retry: the running agents still write files into it.
  await rm(world.root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  await until('all of its processes to end', async () => running().length === 0);
  expect(existsSync(join(world.root, 'llmc.db'))).toBe(false);
});
