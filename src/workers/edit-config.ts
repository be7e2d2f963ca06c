import { atomicWrite } from '../system/files/atomic-write.ts';
import { readText } from '../system/files/files.ts';

/**
 * Edits config.toml without a pause between reading and writing: a text kept over a slow step would undo edits made meanwhile.
 * Returns a function that takes the edit back if the file has not changed since.
 */
export function editConfig(path: string, edit: (text: string) => string): () => void {
  const before = readText(path);
  const after = edit(before);
  if (after !== before) atomicWrite(path, after);
  return () => {
    if (after !== before && readText(path) === after) atomicWrite(path, before);
  };
}
