import { homedir } from 'node:os';
import { join } from 'node:path';

/** `~/x` as a shell would read it. */
export function homePath(path: string): string {
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : path;
}
