import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The workflows that come with llmc: at the top of the repository, and of the package. */
export function builtInFolder(): string {
  return builtInFolderFrom(fileURLToPath(import.meta.url));
}

export function builtInFolderFrom(here: string): string {
  const folder = dirname(here);
  if (here.endsWith('.ts')) return join(folder, '../../../workflows');
  return join(basename(folder) === 'chunks' ? dirname(folder) : folder, '../workflows');
}
