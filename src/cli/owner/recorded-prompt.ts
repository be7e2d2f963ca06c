import { LlmcError } from '../../base/error.ts';
import { openReadOnly } from '../../store/database.ts';
import { recordedSince } from '../../store/tables/delivery-summary.ts';

/** Sends a prompt. If the supervisor ends before it answers, the error says whether the prompt is on disk, so that nobody sends it twice. */
export async function sendPrompt<T>(database: string, text: string, send: () => Promise<T>): Promise<T> {
  const began = Date.now();
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof LlmcError) || error.code !== 'SUPERVISOR_FAILED') throw error;
    throw withRecord(error, recordedFor(database, text, began));
  }
}

/** Null if it is not recorded, undefined if the database cannot tell. */
function recordedFor(path: string, text: string, since: number): string | null | undefined {
  try {
    using database = openReadOnly(path);
    return recordedSince(database, text, since);
  } catch {
    return undefined;
  }
}

function withRecord(error: LlmcError, worker: string | null | undefined): LlmcError {
  if (worker === undefined) return error;
  return worker === null
    ? new LlmcError('SUPERVISOR_FAILED', `${error.message}; nothing was recorded`, {
        hint: 'llmc up --detach, then send it again',
        cause: error,
      })
    : new LlmcError('SUPERVISOR_FAILED', `${error.message}; the prompt is recorded for ${worker}`, {
        hint: 'Do not send it again: llmc up --detach continues with it',
        cause: error,
      });
}
