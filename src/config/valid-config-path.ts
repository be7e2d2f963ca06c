import { join } from 'node:path';

/** The copy of the last valid config.toml. */
export function validConfigPath(root: string): string {
  return join(root, 'run', 'valid-config.toml');
}
