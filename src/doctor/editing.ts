import { basename } from 'node:path';
import type { Repair } from '../recovery/records/repair-step.ts';

/** Only its person can say what the file has to hold. */
export const editing = (path: string): Repair => ({
  title: basename(path),
  does: `open ${path} in your editor, and check it again`,
  safe: false,
  step: { kind: 'edit', path },
});
