import { LlmcError } from '../../base/error.ts';
import type { Run } from '../model/run.ts';
import type { RunStore } from './ports.ts';

/** A run for a list of runs: one whose record cannot be read must not hide the others. */
export async function readIfSound(runs: Pick<RunStore, 'load'>, id: string): Promise<Run | 'unreadable' | undefined> {
  try {
    return await runs.load(id);
  } catch (error) {
    if (error instanceof LlmcError && error.code === 'STATE_INVALID') return 'unreadable';
    throw error;
  }
}
