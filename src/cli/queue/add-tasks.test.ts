import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import { LlmcError } from '../../base/error.ts';
import { openDatabase } from '../../store/database.ts';
import { makeLayout } from '../../store/layout.ts';
import { insertQueued } from '../../store/tables/queue.ts';
import { Shell } from '../shell.ts';
import { addTasks } from './add-tasks.ts';

const FLAGS = { json: false, quiet: true, verbose: false, color: false, yes: false, patrol: true };

/** A root whose supervisor writes these tasks down, and ends before it answers. */
async function addedTo(written: readonly string[], prompts: string[]) {
  using scratch = scratchFolder();
  const { database: path } = makeLayout(scratch.path);
  using database = openDatabase(path);
  const record = (prompt: string, created_ms: number) =>
    insertQueued(database, { prompt, created_ms, priority: 0, expects: 'commit', worker: null, agent: null, after: [] });
  // The same task of yesterday does not count.
  record('Fix it', Date.now() - 86_400_000);
  const shell = new Shell({ ...FLAGS, root: scratch.path, version: '1', declarations: [] }, async () => {
    for (const prompt of written) record(prompt, Date.now());
    throw new LlmcError('SUPERVISOR_FAILED', 'the supervisor ended before it answered', { hint: 'llmc up --detach' });
  });
  return await addTasks(shell, { prompts });
}

test('tasks that the queue has are there, although the supervisor ended before it said so', async () => {
  expect(await addedTo(['Fix it', 'Test it'], ['Fix it', 'Test it'])).toEqual([2, 3]);
});

test('after the end of a supervisor that wrote nothing, the error says so', async () => {
  await expect(addedTo([], ['Fix it'])).rejects.toMatchObject({
    code: 'SUPERVISOR_FAILED',
    message: 'the supervisor ended before it answered; nothing was put into the queue',
  });
});
