import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Before the random part of the name of a scratch folder. */
export function scratchPrefix(): string {
  return join(realpathSync(tmpdir()), 'llmc-private-');
}

/** The scratch folder that a path lies in; undefined for any other path. */
export function scratchFolderOf(path: string): string | undefined {
  const prefix = scratchPrefix();
  if (!path.startsWith(prefix)) return undefined;
  const [name = ''] = path.slice(prefix.length).split('/');
  return `${prefix}${name}`;
}
