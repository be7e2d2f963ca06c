import { LlmcError } from '../../base/error.ts';
import type { RunWorkers, RunWorkerView } from './run-workers.ts';

export function requireView(workers: Pick<RunWorkers, 'view'>, name: string): RunWorkerView {
  const view = workers.view(name);
  if (view === undefined) throw new LlmcError('WORKER_NOT_FOUND', `the run's worker ${name} is gone`);
  return view;
}
