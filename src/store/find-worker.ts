import { LlmcError } from '../base/error.ts';
import { commandLine } from '../base/shell-quote.ts';
import type { State, Worker } from './state.ts';

export function findWorker(state: State, name: string): Worker {
  const worker = Object.hasOwn(state.workers, name) ? state.workers[name] : undefined;
  if (worker !== undefined) return worker;
  const names = Object.keys(state.workers);
  throw new LlmcError('WORKER_NOT_FOUND', `there is no worker named "${name}"`, {
    hint:
      names.length === 0
        ? commandLine('llmc', 'add', /^[a-z][a-z0-9-]{0,31}$/.test(name) ? name : 'adam')
        : `The workers are: ${names.join(', ')}.`,
  });
}
