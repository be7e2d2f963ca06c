import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchWork } from '../../../test/support/scratch-work.ts';
import { hookFiles } from '../../agents/claude/launch.ts';
import { repairRoot } from './repair-root.ts';

test('hooks that are changed, missing or a link are written again, once, and nothing is written through the link', async () => {
  await using work = await scratchWork({ worker: { agent: 'claude' } });
  const { context } = work;
  const scratch = context.layout.scratch('adam');
  mkdirSync(scratch, { recursive: true });
  const elsewhere = join(context.layout.root, 'elsewhere');
  writeFileSync(elsewhere, 'mine');
  symlinkSync(elsewhere, join(scratch, 'claude-hook.sh'));
  const repair = () => repairRoot(context, [{ kind: 'hooks', worker: 'adam' }]);
  expect(await repair()).toMatchObject([
    { outcome: 'repaired', lines: ['adam: its hooks were written again: claude-settings.json, claude-hook.sh'] },
  ]);
  for (const [name, text] of Object.entries(hookFiles)) {
    expect(readFileSync(join(scratch, name), 'utf8')).toBe(text);
    expect(statSync(join(scratch, name)).mode & 0o077).toBe(0);
  }
  expect(readFileSync(elsewhere, 'utf8')).toBe('mine');
  expect(await repair()).toMatchObject([{ outcome: 'unneeded' }]);
});

test('an agent without hooks needs none', async () => {
  await using work = await scratchWork();
  expect(await repairRoot(work.context, [{ kind: 'hooks', worker: 'adam' }])).toMatchObject([{ outcome: 'unneeded' }]);
});
