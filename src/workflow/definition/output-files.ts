import { basename, extname } from 'node:path';
import type * as z from 'zod';
import type { OutputFile } from './plan.ts';
import type { outputs } from './schema-parts.ts';

export type OutputSpec = z.output<ReturnType<typeof outputs>>;

/** The files of an output that is neither a commit nor an answer. */
export function listOutputFiles(output: OutputSpec): readonly OutputFile[] {
  const entries = Array.isArray(output) ? output : [output];
  return entries.flatMap((entry): OutputFile[] => {
    if (typeof entry === 'string') return [{ path: entry, schema: undefined }];
    return Object.entries(entry).map(([path, schema]) => ({ path, schema }));
  });
}

/** What paths call a file: `outline` for `outline.yaml`. */
export function artifactName(path: string): string {
  return basename(path, extname(path));
}

/** Whether the fields of a file can be named. */
export function isStructured(path: string): boolean {
  return ['.yaml', '.yml', '.json'].includes(extname(path).toLowerCase());
}
