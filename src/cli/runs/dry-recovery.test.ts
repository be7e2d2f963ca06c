import { createHash } from 'node:crypto';
import { cpSync, globSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import { makeLayout } from '../../store/layout.ts';
import { StoredStory } from '../../workflow/checkpoint/samples.ts';
import { readRecovery, recoveryText } from './dry-recovery.ts';

const REQUEST = { run: 'swarm-1', retryFailedStage: true, keepAgents: false, dropMessages: false };

/** Every file of the root by name and content. SQLite's -shm holds locks of readers and no content: after a kill, any reader rebuilds it. */
function hashOf(root: string): string {
  const hash = createHash('sha256');
  for (const name of globSync('**', { cwd: root }).toSorted()) {
    const path = join(root, name);
    hash.update(`${name}\0`);
    if (lstatSync(path).isFile() && !name.endsWith('-shm')) hash.update(readFileSync(path));
  }
  return hash.digest('hex');
}

async function failedRun(scratch: ReturnType<typeof scratchStore>): Promise<StoredStory> {
  const story = await StoredStory.begin({}, scratch.open().database);
  await story.work('research');
  await story.lose('develop');
  return story;
}

test('a dry run leaves every file of the root as it is, beside a supervisor, after one was killed, and without one', async () => {
  using scratch = scratchStore();
  const { database } = await failedRun(scratch);
  writeFileSync(join(scratch.layout.root, 'config.toml'), '');
  const beside = hashOf(scratch.layout.root);
  const recovery = await readRecovery(scratch, REQUEST);
  expect(recovery).toMatchObject({ outcome: 'planned' });
  expect(hashOf(scratch.layout.root)).toBe(beside);
  // What a killed supervisor leaves.
  using killed = scratchFolder();
  cpSync(scratch.layout.root, join(killed.path, 'root'), { recursive: true });
  const layout = makeLayout(join(killed.path, 'root'));
  const left = hashOf(layout.root);
  expect(await readRecovery({ layout }, REQUEST)).toMatchObject({ checkpoint: recovery.checkpoint });
  expect(hashOf(layout.root)).toBe(left);
  database.close();
  const alone = hashOf(scratch.layout.root);
  expect(await readRecovery(scratch, REQUEST)).toMatchObject({ checkpoint: recovery.checkpoint });
  expect(hashOf(scratch.layout.root)).toBe(alone);
});

test('the six steps are printed, and what follows', async () => {
  using scratch = scratchStore();
  await failedRun(scratch);
  writeFileSync(join(scratch.layout.root, 'config.toml'), '');
  const recovery = await readRecovery(scratch, REQUEST);
  const lines = recoveryText(recovery).split('\n');
  expect(lines.filter((line) => /^\d\. /.test(line))).toHaveLength(6);
  expect(lines.at(-1)).toBe('Nothing was changed.');
  expect(recoveryText({ ...recovery, outcome: 'recorded' })).toContain('takes effect when the supervisor runs: llmc up --detach');
});
