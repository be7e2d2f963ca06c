import { join, relative } from 'node:path';
import { z } from 'zod';
import { atomicWrite } from '../../system/files/atomic-write.ts';
import { makeDirectory, writePrivate } from '../../system/files/files.ts';
import { linkOnce, readKind, readNoFollow } from '../../system/files/no-follow.ts';
import { configText } from './config-text.ts';
import { privateSettings, type Written } from './judge.ts';
import { withUsersFiles } from './users-files.ts';

const settings = z.array(z.object({ key: z.string(), value: z.string() }));
const recordSchema = z.object({
  source: z.string(),
  copied: settings,
  format: settings,
  adopted: settings,
  /** The stamp of the repository's configuration when llmc last judged it. */
  judged: z.string().nullable(),
  /** The settings that llmc wrote by itself. */
  version: z.string(),
});

/** What llmc wrote, beside its own configuration. */
export type PrivateRecord = Written & { readonly judged: string | null; readonly version: string };

/** A configuration file that is larger is not one. */
export const LARGEST_CONFIG = 1_000_000;

/** A repository, and the folder through which llmc's own git uses it. */
export interface GuardedPlace {
  readonly folder: string;
  readonly private: string;
  /** llmc's store, which may be the repository itself. */
  readonly store: string;
}

const recordFile = (place: GuardedPlace): string => join(place.private, 'llmc.json');

/** Undefined before the folder is made, and if its record cannot be read. */
export function readPrivateRecord(place: GuardedPlace): PrivateRecord | undefined {
  const text = readNoFollow(recordFile(place), LARGEST_CONFIG);
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
export function writePrivateFolder(place: GuardedPlace, record: PrivateRecord): void {
  const folder = place.private;
  makeDirectory(join(folder, 'info'));
  // git cannot make a folder behind a link. What else an agent has put there is replaced before a rebase.
  if (readKind(join(place.folder, 'rr-cache')) === 'missing') makeDirectory(join(place.folder, 'rr-cache'));
  for (const name of SHARED) linkOnce(relative(folder, join(place.folder, name)), join(folder, name));
  linkOnce(relative(join(folder, 'info'), join(place.folder, 'info', 'exclude')), join(folder, 'info', 'exclude'));
  if (readKind(join(folder, 'HEAD')) === 'missing') begin(place);
  atomicWrite(join(folder, 'config'), configText(withUsersFiles(privateSettings(record), record.source)));
  writeRecord(place, record);
}

export function writeRecord(place: GuardedPlace, record: PrivateRecord): void {
  atomicWrite(recordFile(place), `${JSON.stringify(record, null, 1)}\n`);
}

function begin({ private: folder, store }: GuardedPlace): void {
  // A clone of a shallow source has no commits before these.
  const shallow = readNoFollow(join(store, 'shallow'), LARGEST_CONFIG);
  if (shallow !== undefined) writePrivate(join(folder, 'shallow'), shallow);
  // A branch that does not exist: the store has nothing checked out.
  writePrivate(join(folder, 'HEAD'), 'ref: refs/heads/nothing-checked-out\n');
}
