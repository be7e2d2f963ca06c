import { createHash } from 'node:crypto';
import { readlinkSync, realpathSync } from 'node:fs';
import { lstat, mkdtemp, readdir } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { trySignal } from '../processes/signal.ts';
import { removeBeneath } from './beneath.ts';

/** `private`: git in a sandbox may write to it. `plain`: no sandbox shows it. */
const PREFIXES = { private: 'llmc-private-', plain: 'llmc-' } as const;

/** Makes a folder that only this user may enter. Its name says which process it belongs to. */
export async function makeScratchFolder(kind: keyof typeof PREFIXES): Promise<string> {
  return await mkdtemp(join(realpathSync(tmpdir()), `${PREFIXES[kind]}${process.pid}-${processSpace()}-`));
}

/** The private scratch folder that a path lies in; undefined for any other path. */
export function findScratchFolder(path: string): string | undefined {
  const prefix = join(realpathSync(tmpdir()), PREFIXES.private);
  if (!path.startsWith(prefix)) return undefined;
  const [name = ''] = path.slice(prefix.length).split('/');
  return `${prefix}${name}`;
}

/**
 * Removes the scratch folders that killed processes left. Keeps those of other users, of processes that live, and of another container
 * or machine that shares the folder: its processes have other ids. Never follows a link. Returns how many there were.
 */
export async function sweepScratchFolders(directory = realpathSync(tmpdir()), uid = process.getuid?.()): Promise<number> {
  let removed = 0;
  for (const name of await readdir(directory)) {
    const [, pid = '', space] = /^llmc-(?:private-)?(\d{1,10})-([0-9a-f]{8})-\w{6}$/.exec(name) ?? [];
    if (space !== processSpace() || trySignal(Number(pid), 0)) continue;
    const found = await lstat(join(directory, name)).catch(() => undefined);
    if (found?.isDirectory() !== true || found.uid !== uid) continue;
    // A command that outlived its llmc may still write there; the next sweep removes the rest.
    await removeBeneath(directory, name).catch(() => undefined);
    removed += 1;
  }
  return removed;
}

/** In another space of process ids, the same id is another process. */
function processSpace(): string {
  return createHash('sha256').update(`${hostname()}\n${namespaceOfIds()}`).digest('hex').slice(0, 8);
}

function namespaceOfIds(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
