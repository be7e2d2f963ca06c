import { chmodSync, chownSync, lstatSync } from 'node:fs';

/** The user that a path belongs to; undefined if there is nothing. A link is not followed. */
export const readOwnerId = (path: string): number | undefined => lstatSync(path, { throwIfNoEntry: false })?.uid;

/** Lets a group pass through folders to names that it knows. It cannot list them. */
export function letPass(gid: number, folders: readonly string[]): void {
  for (const folder of folders) give(folder, gid, 0o710);
}

/** Lets a group read what this user keeps: a folder and its names, or a file. */
export function letRead(gid: number, paths: readonly string[]): void {
  for (const path of paths) give(path, gid, lstatSync(path).isDirectory() ? 0o750 : 0o640);
}

function give(path: string, gid: number, mode: number): void {
  chownSync(path, process.getuid?.() ?? 0, gid);
  chmodSync(path, mode);
}
