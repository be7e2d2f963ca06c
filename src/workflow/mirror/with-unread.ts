import { LlmcError } from '../../base/error.ts';
import type { RunStore } from '../store/ports.ts';
import type { RunsInFiles } from './runs-in-files.ts';

/**
 * A database that was restored from a copy lacks the runs that were under way, until a supervisor has read them back from their files.
 * Until then they are listed, and loading one throws what brings it back.
 */
export function withUnread(runs: Pick<RunStore, 'load' | 'list'>, inFiles: RunsInFiles): Pick<RunStore, 'load' | 'list'> {
  return {
    list: async () => {
      const known = await runs.list();
      return [...(await inFiles.list(new Set(known.map(({ id }) => id)))), ...known];
    },
    load: async (id) => {
      const run = await runs.load(id);
      if (run !== undefined || (await inFiles.load(id)) === undefined) return run;
      throw new LlmcError(
        'STATE_INVALID',
        `llmc.db does not have ${id} any more: the supervisor reads it back from its files when it starts`,
        {
          hint: 'llmc up --detach',
        },
      );
    },
  };
}
