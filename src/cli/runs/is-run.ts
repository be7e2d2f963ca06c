import { LlmcError } from '../../base/error.ts';
import { nearest } from '../../config/nearest.ts';
import { readStateLeniently } from '../../store/read-state-leniently.ts';
import { readIfSound } from '../../workflow/store/read-if-sound.ts';
import type { Shell } from '../shell.ts';
import { openRuns, refuseArchived } from './open-runs.ts';

/** Whether a word names a run. A worker with the same name wins. Never throws: what cannot be read is left to the command itself. */
export async function isRun({ layout }: Pick<Shell, 'layout'>, word: string): Promise<boolean> {
  try {
    using opened = openRuns(layout);
    // The command itself says what is wrong with a run that cannot be read.
    if ((await readIfSound(opened.runs, word)) === undefined) return false;
    return !Object.hasOwn(readStateLeniently(layout).workers, word);
  } catch (error) {
    if (error instanceof LlmcError) return false;
    throw error;
  }
}

/** Refuses a word that names neither a worker nor a run. Where there are no runs, or the root cannot be read, the command itself decides. */
export async function requireName({ layout }: Pick<Shell, 'layout'>, word: string): Promise<void> {
  const { workers, runs } = await namesIn(layout).catch((): Names => ({ workers: [], runs: [] }));
  if (workers.includes(word) || runs.includes(word)) return;
  await refuseArchived(layout, word);
  if (runs.length === 0) return;
  const close = nearest(word, [...runs, ...workers]);
  const looksLikeARun = close === undefined ? /-\d+$/.test(word) : runs.includes(close);
  const meant = close === undefined ? '' : `; did you mean "${close}"?`;
  throw new LlmcError(looksLikeARun ? 'RUN_NOT_FOUND' : 'WORKER_NOT_FOUND', `there is no worker or run named "${word}"${meant}`, {
    hint: 'llmc runs, llmc status',
  });
}

interface Names {
  readonly workers: readonly string[];
  readonly runs: readonly string[];
}

async function namesIn(layout: Shell['layout']): Promise<Names> {
  using opened = openRuns(layout);
  return { workers: Object.keys(readStateLeniently(layout).workers), runs: (await opened.runs.list()).map(({ id }) => id) };
}
