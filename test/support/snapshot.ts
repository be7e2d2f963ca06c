import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Files that change without a command or by a read-only one: the journal and its log, the running processes, git's FETCH_HEAD. */
const RESTLESS = /^(?:llmc\.db.*|logs|run|events|FETCH_HEAD)$/;

/** Every file below these directories with a fingerprint of its type and content, to compare by equality. */
export function snapshot(...directories: string[]): Record<string, string> {
  const seen: Record<string, string> = {};
  for (const directory of directories) addFiles(directory, seen);
  return seen;
}

function addFiles(path: string, seen: Record<string, string>): void {
  if (!existsSync(path)) return;
  for (const name of readdirSync(path).sort()) {
    if (RESTLESS.test(name)) continue;
    const at = join(path, name);
    const found = lstatSync(at);
    if (found.isDirectory()) addFiles(at, seen);
    seen[at] = `${found.mode.toString(8)} ${contentOf(at)}`;
  }
}

function contentOf(path: string): string {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return readlinkSync(path);
  return found.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : '';
}
