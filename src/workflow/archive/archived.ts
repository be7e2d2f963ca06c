import { join } from 'node:path';
import { z } from 'zod';
import type { Files } from '../../base/ports.ts';
import type { Layout } from '../../store/layout.ts';
import { RUN_STATUSES } from '../store/run-schema.ts';

const ARCHIVE_FOLDER = 'archive';
export const ARCHIVE_FILE = 'archive.json';
/** What to read first. */
export const ARCHIVED_LOG = 'log.yaml';
const MOST_RUNS = 100_000;
const LARGEST_RECORD = 16 * 1024;

const archivedSchema = z.object({
  run: z.string(),
  workflow: z.string(),
  status: z.enum(RUN_STATUSES),
  created_ms: z.int(),
  ended_ms: z.int().nullable(),
  archived_ms: z.int(),
});

/** A run whose rows are gone: what is left of it lies in a folder. The names are part of the contract of `--json`. */
export type ArchivedRun = Readonly<z.output<typeof archivedSchema>> & { readonly folder: string };

export function locateArchive({ runs }: Pick<Layout, 'runs'>): string {
  return join(runs, ARCHIVE_FOLDER);
}

export function archivedFolder(layout: Pick<Layout, 'runs'>, run: string): string {
  return join(locateArchive(layout), run);
}

/** Also of runs whose record cannot be read. Their names are not given to new runs. */
export function archivedNames(files: Pick<Files, 'names'>, layout: Pick<Layout, 'runs'>): readonly string[] {
  return files.names(locateArchive(layout), MOST_RUNS);
}

/** The newest first. */
export function archivedRuns(files: Pick<Files, 'names' | 'readForeign'>, layout: Pick<Layout, 'runs'>): readonly ArchivedRun[] {
  return archivedNames(files, layout)
    .flatMap((name) => readArchived(files, layout, name) ?? [])
    .toSorted((one, other) => other.archived_ms - one.archived_ms || (one.run < other.run ? -1 : 1));
}

/** Undefined for a run that is not archived. */
export function readArchived(files: Pick<Files, 'readForeign'>, layout: Pick<Layout, 'runs'>, run: string): ArchivedRun | undefined {
  const folder = archivedFolder(layout, run);
  const text = run.includes('/') ? undefined : files.readForeign(join(folder, ARCHIVE_FILE), LARGEST_RECORD);
  if (text === undefined) return undefined;
  try {
    const read = archivedSchema.parse(JSON.parse(text));
    return read.run === run ? { ...read, folder } : undefined;
  } catch {
    return undefined;
  }
}
