import { isAbsolute, join } from 'node:path';
import { readConfigLeniently } from '../config/read-config-leniently.ts';
import type { Layout } from '../store/layout.ts';
import { readTextIfThere } from '../system/files/files.ts';
import { expandHome } from '../system/home.ts';

const RUN = '{run}';

/** Where the log of a run is written, by `log_file` of the configuration. */
export function runLogPath({ root }: Pick<Layout, 'root'>, run: string, logFile: string): string {
  const path = expandHome(logFile.replaceAll(RUN, run));
  return isAbsolute(path) ? path : join(root, path);
}

/** The same by the config.toml of a root as it is, also while it has mistakes. */
export function configuredRunLog(layout: Pick<Layout, 'root' | 'config'>, run: string): string {
  return runLogPath(layout, run, readConfigLeniently(readTextIfThere(layout.config) ?? '').runLog);
}

/** Whether all runs are written to one file, so that each line has to name its run. */
export function sharesItsLog(logFile: string): boolean {
  return !logFile.includes(RUN);
}
