import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { llmcWorld } from '../support/world.ts';

const TASK = 'Write down that walls are high';
const SANDBOX = '[sandbox]\nkind = "bubblewrap"\n';

const review = z.object({ worker: z.string(), base: z.string(), head: z.string(), diff: z.string() });

test('a whole task in the sandbox: the agent commits, the review shows it, and it lands', async () => {
  await using world = await llmcWorld({ workers: ['adam'], config: SANDBOX });
  await world.ok('start', '--worker', 'adam', '--prompt', TASK);
  await world.ok('wait', 'adam', '--for', 'needs_review', '--timeout', '90s');
  expect(existsSync(join(world.root, 'sandbox/adam/git/objects'))).toBe(true);

  const shown = await world.json(review, 'review', 'adam');
  expect(shown.diff).toContain(TASK);
  await world.ok('accept', 'adam');
  expect(readFileSync(join(world.source, 'llmc-demo/adam.md'), 'utf8')).toContain(TASK);
  expect(await world.worker('adam')).toMatchObject({ status: 'idle', current_prompt: null });
});
