import { type Dirent, lstatSync, opendirSync } from 'node:fs';
import { join } from 'node:path';
import type { FileEntry, Listing } from '../../base/ports.ts';

/** The entries of a folder that an agent writes to, so their number has a bound: `readdir` would return millions. */
function listEntries(folder: string, most: number): { readonly entries: readonly Dirent[]; readonly more: boolean } {
  const entries: Dirent[] = [];
  try {
    // A link in place of the folder could lead anywhere.
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return { entries, more: false };
    using directory = opendirSync(folder, { bufferSize: 256 });
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
      if (entries.length >= most) return { entries, more: true };
      entries.push(entry);
    }
  } catch {
    // What was read so far counts.
  }
  return { entries, more: false };
}

export function names(folder: string, most: number): readonly string[] {
  return listEntries(folder, most).entries.map(({ name }) => name);
}

export function list(folder: string, most: number): Listing {
  const { entries, more } = listEntries(folder, most);
  const files = entries.flatMap((entry) => (entry.isFile() ? readFileEntry(folder, entry.name) : []));
  return { files, others: entries.filter((entry) => !entry.isFile() && !entry.isDirectory()).map(({ name }) => name), more };
}

/** Nothing for a file that was removed since the folder was read, or replaced by something else. */
function readFileEntry(folder: string, name: string): readonly FileEntry[] {
  const found = lstatSync(join(folder, name), { bigint: true, throwIfNoEntry: false });
  return found?.isFile() === true ? [{ name, size: Number(found.size), mtimeNs: found.mtimeNs }] : [];
}
