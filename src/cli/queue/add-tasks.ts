import { LlmcError } from '../../base/error.ts';
import { openReadOnly } from '../../store/database.ts';
import { queuedSince } from '../../store/tables/queue.ts';
import type { ArgsOf } from '../../supervisor/api/operations.ts';
import type { Shell } from '../shell.ts';

/** Puts tasks into the queue. If the supervisor ends before it answers, llmc.db says whether it has them, so that nobody adds them twice. */
export async function addTasks(shell: Pick<Shell, 'call' | 'layout'>, request: ArgsOf<'queueAdd'>): Promise<readonly number[]> {
  const began = Date.now();
  try {
    return (await shell.call('queueAdd', request)).numbers;
  } catch (error) {
    if (!(error instanceof LlmcError) || error.code !== 'SUPERVISOR_FAILED') throw error;
    const numbers = recorded(shell.layout.database, request.prompts, began);
    if (numbers === 'unknown') throw error;
    if (numbers !== undefined) return numbers;
    throw new LlmcError('SUPERVISOR_FAILED', `${error.message}; nothing was put into the queue`, {
      hint: 'llmc up --detach, then send it again',
      cause: error,
    });
  }
}

function recorded(path: string, prompts: readonly string[], since: number): readonly number[] | undefined | 'unknown' {
  try {
    using database = openReadOnly(path);
    return queuedSince(database, prompts, since);
  } catch {
    return 'unknown';
  }
}
