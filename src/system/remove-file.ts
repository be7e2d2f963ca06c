import { accessSync, constants, rmSync, unlinkSync } from 'node:fs';

/** Removes a file or a link; does nothing when it is not there. Not `rmSync`, which hides a read-only file system (Node 24). */
export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

/** Removes a file or a whole folder; does nothing when it is not there. */
export function removeTree(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    // Node 24 reports a read-only file system as "Unknown error" without a code. The kernel says what it is.
    if (error instanceof Error && 'code' in error && error.code === '') accessSync(path, constants.W_OK);
    throw error;
  }
}
