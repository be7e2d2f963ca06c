import { join } from 'node:path';
import { z } from 'zod';
import { atomicWrite } from '../../system/files/atomic-write.ts';
import { makeDirectory, writePrivate } from '../../system/files/files.ts';
import { kindOf, linkOnce, readNoFollow } from '../../system/files/no-follow.ts';
import { configText } from './config-text.ts';
import { privateSettings, type Written } from './judge.ts';
import { privateFolder } from './place.ts';
import { withUsersFiles } from './users-files.ts';

const settings = z.array(z.object({ key: z.string(), value: z.string() }));
const recordSchema = z.object({
  source: z.string(),
  copied: settings,
  format: settings,
  adopted: settings,
  /** The stamp of the clone's configuration when llmc last judged it. */
  judged: z.string().nullable(),
  /** The settings that llmc wrote by itself. Earlier versions left it out. */
  version: z.string().default(''),
});

/** What llmc wrote, beside its own configuration. */
export type PrivateRecord = Written & { readonly judged: string | null; readonly version: string };

/** A configuration file that is larger is not one. */
export const LARGEST_CONFIG = 1_000_000;

const recordFile = (root: string): string => join(privateFolder(root), 'llmc.json');

/** Undefined before the folder is made, and if its record cannot be read. */
export function readRecord(root: string): PrivateRecord | undefined {
  const text = readNoFollow(recordFile(root), LARGEST_CONFIG);
  if (text === undefined) return undefined;
  try {
    return recordSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** What llmc shares with the agents' git. Hooks, attributes, grafts and the list of worktrees are not among it. */
const SHARED = ['objects', 'refs', 'packed-refs', 'rr-cache', 'lfs'] as const;

/** Makes the folder, or completes one that a crash left half-made. The record comes last: it says that the folder is whole. */
export function writePrivateFolder(root: string, record: PrivateRecord): void {
  const folder = privateFolder(root);
  makeDirectory(join(folder, 'info'));
  // git cannot make a folder behind a link.
  makeDirectory(join(root, '.git', 'rr-cache'));
  for (const name of SHARED) linkOnce(join('..', '..', '.git', name), join(folder, name));
  linkOnce(join('..', '..', '..', '.git', 'info', 'exclude'), join(folder, 'info', 'exclude'));
  if (kindOf(join(folder, 'HEAD')) === 'missing') begin(root, folder);
  atomicWrite(join(folder, 'config'), configText(withUsersFiles(privateSettings(record), record.source)));
  writeRecord(root, record);
}

export function writeRecord(root: string, record: PrivateRecord): void {
  atomicWrite(recordFile(root), `${JSON.stringify(record, null, 1)}\n`);
}

function begin(root: string, folder: string): void {
  // A clone of a shallow source has no commits before these.
  const shallow = readNoFollow(join(root, '.git', 'shallow'), LARGEST_CONFIG);
  if (shallow !== undefined) writePrivate(join(folder, 'shallow'), shallow);
  // A branch that does not exist: the clone has nothing checked out.
  writePrivate(join(folder, 'HEAD'), 'ref: refs/heads/nothing-checked-out\n');
}
