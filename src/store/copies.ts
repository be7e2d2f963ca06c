import { join } from 'node:path';
import type { Clock, Files } from '../base/ports.ts';
import { copyDatabase } from '../system/copy-database.ts';
import { sweepTemporaries } from '../system/files/sweep.ts';
import { inspectDatabase } from './database.ts';
import type { Layout } from './layout.ts';

/** Copies of llmc.db: how many, how often, and up to which size of the database. Together they take at most 600 MB. */
export const COPIES = { kept: 3, everyMs: 3_600_000, largestBytes: 200_000_000 } as const;

export interface Copy {
  readonly path: string;
  /** When it was made. */
  readonly at: number;
}

/** The copies of llmc.db, the newest first. */
export function listCopies(folder: string, files: Pick<Files, 'names'>): readonly Copy[] {
  return files
    .names(folder, 1_000)
    .flatMap((name) => {
      const at = /^llmc\.db\.(\d{1,15})$/.exec(name)?.[1];
      return at === undefined ? [] : [{ path: join(folder, name), at: Number(at) }];
    })
    .toSorted((one, other) => other.at - one.at);
}

/** The newest copy that can take the place of the database. `usable` asks for more. */
export function newestSound(
  folder: string,
  files: Pick<Files, 'names'>,
  usable: (path: string) => boolean = (path) => inspectDatabase(path).kind === 'ok',
): Copy | undefined {
  return listCopies(folder, files).find(({ path }) => usable(path));
}

/** Copies llmc.db if the last copy is old, and deletes all but the newest copies. Returns whether it made one. */
export async function keepCopy(layout: Layout, { clock, files }: { readonly clock: Clock; readonly files: Files }): Promise<boolean> {
  const now = clock.now();
  // A copy from the future, made while the clock was ahead, says nothing about when the next one is due.
  const newest = listCopies(layout.copies, files).find(({ at }) => at <= now);
  if (newest !== undefined && now - newest.at < COPIES.everyMs) return false;
  const size = files.size(layout.database);
  if (size === 0 || size > COPIES.largestBytes) return false;
  files.makeFolder(layout.copies);
  sweepTemporaries(layout.copies);
  await copyDatabase(layout.database, join(layout.copies, `llmc.db.${now}`));
  const copies = listCopies(layout.copies, files);
  const kept = copies.filter(({ at }) => at <= now).slice(0, COPIES.kept);
  for (const copy of copies) if (!kept.includes(copy)) files.remove(copy.path);
  return true;
}
