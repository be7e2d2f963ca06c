import * as z from 'zod';
import { visibleLine } from '../../../base/visible-text.ts';
import { checkFile } from './check-file.ts';

/** How far an agent says it is. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly note: string;
}

const LONGEST_NOTE = 200;
const count = z.int().min(0).max(1_000_000);
const progressSchema = z.object({ done: count, total: count, note: z.string().nullish() });

/** Reads the `progress.yaml` of an agent. Null if it is not one: nothing depends on it. */
export function readProgress(text: string): Progress | null {
  const checked = checkFile({ path: 'progress.yaml', schema: undefined }, text);
  const read = checked.kind === 'valid' ? progressSchema.safeParse(checked.value) : undefined;
  if (read?.success !== true) return null;
  const { done, total, note } = read.data;
  return {
    done,
    total,
    note: visibleLine(note ?? '')
      .trim()
      .slice(0, LONGEST_NOTE),
  };
}
