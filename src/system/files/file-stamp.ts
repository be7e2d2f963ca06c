import { lstatSync, statSync } from 'node:fs';

/** Two writes within one tick of the kernel's clock (4 ms on Linux) can give the same time and size. */
const SETTLED_AFTER_MS = 50;

/**
 * Equal while no process writes the file. Undefined for a missing file, and for a file
 * written just now, because its next change could have the same stamp.
 */
export function fileStamp(path: string): string | undefined {
  try {
    const { ino, size, mtimeNs, mtimeMs, ctimeNs } = statSync(path, { bigint: true });
    return Date.now() - Number(mtimeMs) < SETTLED_AFTER_MS ? undefined : `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch {
    return undefined;
  }
}

/** Equal while the file is written in place; another one after it was replaced. Undefined for a missing file. */
export function readInode(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

/** When a plain file was last written; undefined for anything else. */
export function plainFileModifiedAt(path: string): number | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? found.mtimeMs : undefined;
}
