import { homedir } from 'node:os';
import { join } from 'node:path';

export const homeFolder: () => string = homedir;

/** Expands `~` and `~/…` like a shell; keeps `~user`. */
export function expandHome(path: string, home: string = homedir()): string {
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path;
}
