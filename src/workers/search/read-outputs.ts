import { join } from 'node:path';
import type { Files } from '../../base/ports.ts';
import { type Layout, workerOfOutput } from '../../store/layout.ts';

/** What the user's commands printed for a worker the last time, such as its validation. */
export interface CommandOutput {
  readonly worker: string;
  /** When the last of it was written. */
  readonly at: number;
  readonly text: string;
}

/** The newest files, and the end of each, where the failures are: 50 MB at the most. */
const MOST_FILES = 50;
const MOST_BYTES = 1_000_000;
/** The folder also holds the logs of all workers. */
const MOST_NAMES = 10_000;

/** Reads the output of setup, format and validation commands, of one worker or of all; the newest first. */
export function readOutputs(
  layout: Pick<Layout, 'logs'>,
  files: Pick<Files, 'list' | 'readEnd'>,
  worker?: string,
): readonly CommandOutput[] {
  return files
    .list(layout.logs, MOST_NAMES)
    .files.flatMap(({ name, mtimeNs }) => {
      const owner = workerOfOutput(name);
      return owner === undefined || (worker !== undefined && owner !== worker) ? [] : [{ name, owner, at: Number(mtimeNs / 1_000_000n) }];
    })
    .toSorted((one, other) => other.at - one.at)
    .slice(0, MOST_FILES)
    .map(({ name, owner, at }) => ({ worker: owner, at, text: files.readEnd(join(layout.logs, name), MOST_BYTES)?.text ?? '' }));
}
