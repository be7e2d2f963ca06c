import { closeSync, constants, fchownSync, fstatSync, openSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { AT_ONCE, type OpenFolder, openFolder, within } from './beneath.ts';

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Gives a folder, and the folders and files in it, to another user. Each is opened first, so no link can take its place. A file with a
 * second name stays as it is: pnpm, bun and uv link packages from a cache in the home, and the user could write there.
 */
export async function giveTree(path: string, owner: Owner): Promise<void> {
  await using folder = await openFolder(path);
  if (folder !== undefined) await giveFolder(folder, owner);
}

async function giveFolder(folder: OpenFolder, owner: Owner): Promise<void> {
  const entries = await readdir(folder.here, { encoding: 'buffer', withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  for (let start = 0; start < files.length; start += AT_ONCE) {
    for (const { name } of files.slice(start, start + AT_ONCE)) giveFile(within(folder.here, name), owner);
    await setImmediate();
  }
  for (const entry of entries) {
    if (!entry.isDirectory()) continue;
    await using inner = await openFolder(within(folder.here, entry.name));
    if (inner !== undefined) await giveFolder(inner, owner);
  }
  // Last: until now the other user cannot change what is in it.
  fchownSync(folder.fd, owner.uid, owner.gid);
}

function giveFile(path: Buffer, { uid, gid }: Owner): void {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    // Gone, or a link or a socket by now.
    return;
  }
  try {
    const found = fstatSync(fd);
    if (found.isFile() && found.nlink === 1) fchownSync(fd, uid, gid);
  } finally {
    closeSync(fd);
  }
}
