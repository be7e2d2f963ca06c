import { lstatSync, readlinkSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { removeFile } from '../remove-file.ts';

/**
 * Removes the files of a killed server, which would prevent the next one from listening. Codex 0.166 listens in its own
 * folder and leaves a link to it, with a lock beside the socket.
 */
export function removeSocket(path: string): void {
  const kind = lstatSync(path, { throwIfNoEntry: false });
  if (kind?.isSymbolicLink() === true) {
    const target = resolve(dirname(path), readlinkSync(path));
    if (lstatSync(target, { throwIfNoEntry: false })?.isSocket() === true) for (const each of [target, `${target}.lock`]) removeFile(each);
  }
  removeFile(path);
}

/** The socket with the name that a link ends in, in the folder of the link; the path itself if it is not a link. */
export function socketBeside(path: string): string {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return path;
  const beside = join(dirname(path), basename(readlinkSync(path)));
  return lstatSync(beside, { throwIfNoEntry: false })?.isSocket() === true ? beside : `${path}.missing`;
}
