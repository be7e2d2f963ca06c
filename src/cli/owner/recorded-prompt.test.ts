import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LlmcError } from '../../base/error.ts';
import { openDatabase } from '../../store/database.ts';
import { insertDelivery } from '../../store/tables/deliveries.ts';
import { sendPrompt } from './recorded-prompt.ts';

const killed = () => new LlmcError('SUPERVISOR_FAILED', 'the supervisor ended before it answered', { hint: 'llmc up --detach' });

test('after the end of the supervisor, the error says whether the prompt is recorded', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'llmc-recorded-'));
  const path = join(folder, 'llmc.db');
  try {
    using database = openDatabase(path);
    const record = (id: string, text: string, created_ms: number) =>
      insertDelivery(database, { id, worker: 'adam', purpose: 'task', text, fresh_conversation: 1, created_ms });
    // The same task of yesterday does not count.
    record('old', 'Fix it', Date.now() - 86_400_000);
    await expect(sendPrompt(path, 'Fix it', () => Promise.reject(killed()))).rejects.toMatchObject({
      code: 'SUPERVISOR_FAILED',
      message: 'the supervisor ended before it answered; nothing was recorded',
      hint: 'llmc up --detach, then send it again',
    });
    const recorded = sendPrompt(path, 'Fix it', async () => {
      record('new', '## Task\n\nFix it\n', Date.now());
      throw killed();
    });
    await expect(recorded).rejects.toMatchObject({ message: 'the supervisor ended before it answered; the prompt is recorded for adam' });
    await expect(sendPrompt(join(folder, 'none.db'), 'Fix it', () => Promise.reject(killed()))).rejects.toMatchObject({
      message: 'the supervisor ended before it answered',
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
