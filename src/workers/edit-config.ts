import { atomicWrite } from '../system/files/atomic-write.ts';
import { readText } from '../system/files/files.ts';

/** Read, changed and written without a pause: a text held over a slow step would undo what was written meanwhile. */
export function editConfig(path: string, edit: (text: string) => string): void {
  const before = readText(path);
  const after = edit(before);
  if (after !== before) atomicWrite(path, after);
}
