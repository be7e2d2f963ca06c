import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The bytes of all files in a folder, or of one file. A link counts as itself and is not followed. What vanishes meanwhile, or cannot be read, counts as nothing. */
export async function treeBytes(path: string): Promise<number> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.size;
  let bytes = 0;
  const folders = [path];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of listEntries(folder)) {
      const inner = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(inner);
      else bytes += lstatSync(inner, { throwIfNoEntry: false })?.size ?? 0;
    }
    // Ctrl+C ends the command also in the middle of a large worktree.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return bytes;
}

function listEntries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
