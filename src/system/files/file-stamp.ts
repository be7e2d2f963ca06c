import { statSync } from 'node:fs';

/** Two writes within one tick of the kernel's clock (4 ms on Linux) can leave the same time and size. */
const SETTLED_AFTER_MS = 50;

/**
 * Equal as long as nobody wrote the file. Undefined for one that is not there or was
 * written just now: its next change could look the same, so it has to be read.
 */
export function fileStamp(path: string): string | undefined {
  try {
    const { ino, size, mtimeNs, mtimeMs, ctimeNs } = statSync(path, { bigint: true });
    return Date.now() - Number(mtimeMs) < SETTLED_AFTER_MS ? undefined : `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch {
    return undefined;
  }
}
