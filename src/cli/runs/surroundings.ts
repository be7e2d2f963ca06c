import { join } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import type { Layout } from '../../store/layout.ts';
import { readStateLeniently } from '../../store/read-state-leniently.ts';
import type { State } from '../../store/state.ts';
import { exists } from '../../system/files/files.ts';
import { standing } from '../../workers/status/transitions.ts';
import { PARTIAL_FOLDER } from '../../workflow/perform/artifacts.ts';
import type { RunSurroundings } from '../../workflow/view/run-view.ts';

/** What the root says about a run beside its record: its folder, and where its workers are in the flow of work. */
export function surroundingsIn(layout: Layout): (run: string) => Required<Omit<RunSurroundings, 'services' | 'errors'>> {
  const workers = readWorkers(layout);
  return (run) => ({
    standingOf: (name) => {
      const worker = Object.hasOwn(workers, name) ? workers[name] : undefined;
      return worker && standing(worker);
    },
    folder: join(layout.root, 'runs', run),
    unfinished: () => {
      const folder = join(layout.root, 'runs', run, PARTIAL_FOLDER);
      return exists(folder) ? folder : null;
    },
    repository: layout.root,
  });
}

/** The record of a run is readable without the state of the workers. */
function readWorkers(layout: Layout): State['workers'] {
  try {
    return readStateLeniently(layout).workers;
  } catch (error) {
    if (error instanceof LlmcError) return {};
    throw error;
  }
}
