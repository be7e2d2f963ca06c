import { homedir } from 'node:os';
import { join } from 'node:path';

/** `~` and `~/…` as a shell reads them; `~someone` is left alone. */
export function expandHome(path: string, home: string = homedir()): string {
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path;
}
