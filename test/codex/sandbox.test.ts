import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { rowsOfThisRun } from '../support/full-run.ts';
import { walledTest } from '../support/walled-test.ts';
import { type CodexWorldOptions, codexWorld, program } from './llmc-world.ts';
import type { Step } from './responses-steps.ts';

const OVER: Step = { kind: 'text', text: 'Done.' };
const exec = (cmd: string): Step => ({ kind: 'tool', name: 'exec_command', input: { cmd } });
const commits = (message: string): Step => exec(`echo "${message}" >> notes.txt && git add notes.txt && git commit -qm "${message}"`);

describe.skipIf(program === undefined)('the real Codex behind the wall of init --hardened', () => {
  // Codex on the keyboard channel behind a wall is in test/codex/sandbox-user.test.ts in each run.
  walledTest.for(rowsOfThisRun(['auto', 'typing'] as const, (channel) => channel === 'auto'))(
    'does a whole task with channel = "%s", and goes on in its conversation',
    (channel) => wholeTask({ channel }),
  );

  // As root the kernel lets no process without capabilities make a user namespace: it would map user 0 (CAP_SETFCAP).
  walledTest('confines its own tools a second time inside', async ({ skip }) => {
    skip(process.getuid?.() === 0, 'root cannot make a sandbox inside a sandbox');
    await wholeTask({ skipPermissions: false });
  });
});

async function wholeTask(options: Pick<CodexWorldOptions, 'channel' | 'skipPermissions'>): Promise<void> {
  await using world = await codexWorld({ workers: ['adam'], ...options, hardened: true });
  const reach = `touch ${join(world.source, 'canary')} ${join(world.root, 'state.json')}x; ls ${world.root}`;
  world.script('adam', exec(reach), commits('Add the sea'), OVER, commits('Add the wind'), OVER);
  await world.ok('start', '--worker', 'adam', '--prompt', 'Write about the sea');
  await world.reaches('adam', 'needs_review');
  expect(await world.ok('review', 'adam')).toContain('+Add the sea');
  expect([join(world.source, 'canary'), `${join(world.root, 'state.json')}x`].filter((path) => existsSync(path))).toEqual([]);
  expect(globSync(join(world.root, 'sandbox/adam/agent/sessions/**/*.jsonl'))).toHaveLength(1);
  await world.until('its tokens to be recorded', async () => /used \d+ tokens in, \d+ out/.test(await world.ok('why', 'adam')));

  await world.ok('down');
  await world.up();
  await world.ok('reject', '--worker', 'adam', 'Write about the wind too');
  await world.reaches('adam', 'needs_review');
  expect(JSON.stringify(world.requests('adam').at(-1)?.body)).toContain('Write about the sea');
  await world.ok('review', 'adam');
  await world.ok('accept', 'adam');
  expect(await world.git('show', 'main:notes.txt')).toBe('Add the sea\nAdd the wind');
}
