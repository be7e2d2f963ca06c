import { basename } from 'node:path';
import type { Files } from '../../base/ports.ts';
import type { Layout } from '../../store/layout.ts';

const MOST_LOGS = 100_000;

/** The log of a run, and the logs and screens of the workers that it made, by their names. Not those of a worker that is still there. */
export function logsOfRun(
  files: Pick<Files, 'list'>,
  { logs, log }: Pick<Layout, 'logs' | 'log'>,
  run: string,
  workers: readonly string[],
): readonly string[] {
  const own = basename(log(run));
  return files
    .list(logs, MOST_LOGS)
    .files.map(({ name }) => name)
    .filter((name) => name === own || name === `${own}.1` || name.startsWith(`${run}-`))
    .filter((name) => !workers.some((worker) => name.startsWith(`${worker}.`)))
    .toSorted();
}
