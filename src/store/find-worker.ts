import { LlmcError } from '../base/error.ts';
import { commandLine } from '../base/shell-quote.ts';
import type { State, Worker } from './state.ts';

/** Each run has several workers of its own: a list of all of them would hide what to type. */
const MOST_NAMES = 8;

export function findWorker(state: State, name: string): Worker {
  const worker = Object.hasOwn(state.workers, name) ? state.workers[name] : undefined;
  if (worker !== undefined) return worker;
  throw new LlmcError('WORKER_NOT_FOUND', `there is no worker named "${name}"`, { hint: hintFor(Object.values(state.workers), name) });
}

function hintFor(workers: readonly Worker[], name: string): string {
  if (workers.length === 0) return commandLine('llmc', 'add', /^[a-z][a-z0-9-]{0,31}$/.test(name) ? name : 'adam');
  if (workers.length <= MOST_NAMES) return `The workers are: ${joinNames(workers)}.`;
  const own = workers.filter(({ run }) => run === null).slice(0, MOST_NAMES);
  return own.length === 0 ? 'llmc status' : `Workers: ${joinNames(own)}; all of them: llmc status`;
}

const joinNames = (workers: readonly Worker[]): string => workers.map(({ name }) => name).join(', ');
