import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type ScratchTmux, scratchTmux, until } from '../support/scratch-tmux.ts';
import { llmcWorld, type World } from '../support/world.ts';

const COMMAND = join(import.meta.dirname, '../../bin/llmc.cjs');

async function typed(
  outside: ScratchTmux,
  world: World,
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  return await outside.start({ name, argv: [process.execPath, COMMAND, ...args], cwd: world.dir, env: { ...world.env, ...env } });
}

test('at a terminal, accept asks before it lands unreviewed work, keeps lines with # and shows in status what it runs', async () => {
  await using world = await llmcWorld({ workers: ['adam'] });
  await using outside = await scratchTmux();
  await world.ok('start', '--prompt', 'Write a poem', '--wait', '--timeout', '90s');
  const isAsked = ({ lines }: { readonly lines: readonly string[] }) =>
    lines.some((line) => line.includes('Land it without a review? [y/N]'));

  const asks = await typed(outside, world, 'asks', ['accept', 'adam']);
  await asks.waitFor('the question', isAsked);
  await asks.keys('n', 'Enter');
  expect(await asks.exit()).toEqual({ status: 2, signal: null });
  const refused = await asks.history();
  expect(refused).toContain('Nobody has reviewed the work of adam. Land it without a review? [y/N]');
  expect(refused).toMatch(/CANCELLED: nothing landed\n→ llmc review adam/);
  expect(await world.git('log', '--format=%s', 'main')).toBe('Begin');

  world.set('repo', 'validate = ["while [ ! -e ../../../go ]; do sleep 0.1; done"]');
  const editor = join(world.home, 'editor');
  writeFileSync(editor, '#!/bin/sh\nprintf "Close two issues\\n\\n#12 and #13\\n#14\\n" > "$1"\n', { mode: 0o755 });
  const edits = await typed(outside, world, 'edits', ['accept', 'adam', '--edit'], { EDITOR: editor });
  await edits.waitFor('the question', isAsked);
  await edits.keys('y', 'Enter');
  await until('status to show the validation', async () => (await world.worker('adam')).attention_kind === 'landing');
  expect((await world.worker('adam')).attention).toMatch(/^Landing: while .* done, \d+s$/);
  expect(await world.ok('status')).toMatch(/adam +landing /);
  world.write('go', '', world.dir);
  expect(await edits.exit()).toEqual({ status: 0, signal: null });
  expect(await world.git('log', '-1', '--format=%B', 'main')).toBe('Close two issues\n\n#12 and #13\n#14');
  expect(await world.worker('adam')).toMatchObject({ status: 'idle', attention: null });
});

test.each([
  ['Ctrl+C', 'SIGINT', 130, true],
  ['SIGTERM', 'SIGTERM', 143, true],
  ['Ctrl+C without a supervisor', 'SIGINT', 130, false],
] as const)('%s while the validation runs cancels the accept and leaves no failure behind', async (_, signal, status, isSupervised) => {
  await using world = await llmcWorld({ workers: ['adam'] });
  await using outside = await scratchTmux();
  await world.ok('start', '--prompt', 'Write a poem', '--wait', '--timeout', '90s');
  await world.ok('review', 'adam');
  if (!isSupervised) await world.ok('down');
  const before = await world.worker('adam');
  world.set('repo', 'validate = ["touch ../../../began; while [ ! -e ../../../go ]; do sleep 0.1; done"]');

  const accepts = await typed(outside, world, 'accepts', ['accept', 'adam']);
  await until('the validation', async () => existsSync(join(world.dir, 'began')));
  if (signal === 'SIGINT') await accepts.keys('C-c');
  else process.kill(accepts.pid, signal);
  expect(await accepts.exit()).toEqual({ status, signal: null });
  expect(await accepts.history()).toMatch(/CANCELLED: nothing landed; the work of adam still waits for review\n→ llmc accept adam/);
  const { attention, attention_kind, status: now, crash_count } = await world.worker('adam');
  expect({ attention, attention_kind, status: now, crash_count }).toMatchObject({
    attention: before.attention,
    attention_kind: before.attention_kind,
    status: before.status,
    crash_count: 0,
  });
  expect(await world.git('log', '--format=%s', 'main')).toBe('Begin');
  expect(world.rows(z.object({ outcome: z.string() }), 'SELECT outcome FROM landings')).toEqual([
    { outcome: 'cancelled before it landed' },
  ]);
  expect(world.rows(z.unknown(), 'SELECT * FROM validations')).toEqual([]);

  world.write('go', '', world.dir);
  expect(await world.ok('accept', 'adam')).toContain('Landed');
});
