import { join } from 'node:path';
import type { SpoolEvent } from '../agents/events.ts';
import type { FileEntry, Files } from '../base/ports.ts';

/** A prompt of 256 KB, escaped, still fits; anything larger is not one of our hooks. */
const LARGEST_FILE = 8 * 1024 * 1024;
/** A full directory is read in portions of this size. */
const MOST_PER_READING = 500;
const MOST_BYTES_PER_READING = 32 * 1024 * 1024;
/** An agent that uses a tool every ten seconds reports 6,000 times in a night. Reading the times of this many files takes 0.15 s. */
export const MOST_WAITING = 20_000;
/** Per reading, which then takes another 0.1 s. */
const MOST_DISCARDED = 5_000;

export interface SpoolFile {
  readonly path: string;
  /** undefined: not a file of an llmc hook, or not JSON. */
  readonly event: SpoolEvent | undefined;
  /** The first line of the file, if it is not part of the payload. */
  readonly seal: string | undefined;
}

export interface SpoolReading {
  readonly read: readonly SpoolFile[];
  /** Paths of files that are removed unread, because more are waiting than any agent reports. */
  readonly discarded: readonly string[];
}

/** Reads the files that hooks wrote, oldest first. The modification time is the time of the event: the hook reads no clock. */
export function readSpool(files: Files, directory: string, worker: string): SpoolReading {
  const { files: found, others, more } = files.list(directory, MOST_WAITING);
  const sorted = found.toSorted((a, b) => Number(a.mtimeNs - b.mtimeNs) || uniquePart(a.name).localeCompare(uniquePart(b.name)));
  const at = ({ name }: { readonly name: string }) => join(directory, name);
  // Only then also unfinished files, links and pipes: an agent that fills the folder with them would hide its later reports.
  const discarded = more ? [...others.map((name) => ({ name })), ...sorted].slice(0, MOST_DISCARDED).map(at) : [];
  const gone = new Set(discarded);
  const portion = withinBytes(sorted.filter((entry) => isWritten(entry.name) && !gone.has(at(entry))).slice(0, MOST_PER_READING));
  return { read: portion.map((entry) => ({ path: at(entry), ...parseFile(files, directory, entry, worker) })), discarded };
}

/** The first files that are together not too large for one reading; always at least one. */
function withinBytes(entries: readonly FileEntry[]): readonly FileEntry[] {
  let bytes = 0;
  const end = entries.findIndex(({ size }, index) => {
    bytes += Math.min(size, LARGEST_FILE);
    return index > 0 && bytes > MOST_BYTES_PER_READING;
  });
  return end === -1 ? entries : entries.slice(0, end);
}

/** How many names to look at before a folder counts as having a report. */
const MOST_LOOKED_AT = 1_000;

/** Linux notifies five times per report: also while it is written under a dot name, and when a report was deleted. */
export function announcesReport(files: Files, directory: string, file: string | null): boolean {
  if (file === null) return true;
  if (!isWritten(file)) return false;
  const names = files.names(directory, MOST_LOOKED_AT);
  return names.length === MOST_LOOKED_AT || names.some(isWritten);
}

/** Dot-files are still being written. */
const isWritten = (name: string): boolean => !name.startsWith('.');

/** `<incarnation>~<event>~<unique>.json` */
export function parseSpoolName(name: string): { incarnation: number; event: string } | undefined {
  const match = /^(\d{1,9})~([A-Za-z_]+)~[^~]+\.json$/.exec(name);
  return match === null ? undefined : { incarnation: Number(match[1]), event: match[2] ?? '' };
}

const GARBAGE = { event: undefined, seal: undefined };
/** No payload begins like this: it is an object. */
const SEAL_LINE = /^([\w-]{8,64})\n/;

function parseFile(files: Files, directory: string, { name, size, mtimeNs }: FileEntry, worker: string): Omit<SpoolFile, 'path'> {
  const parsed = parseSpoolName(name);
  if (parsed === undefined || size > LARGEST_FILE) return GARBAGE;
  try {
    const text = files.readForeign(join(directory, name), LARGEST_FILE) ?? '';
    const [line = '', seal] = SEAL_LINE.exec(text) ?? [];
    const payload: unknown = JSON.parse(text.slice(line.length));
    // Process ids are reused, so a file name alone is not unique over a night.
    const event: SpoolEvent = {
      id: `${name}@${mtimeNs}`,
      worker,
      incarnation: parsed.incarnation,
      name: parsed.event,
      at: Number(mtimeNs / 1_000_000n),
      payload,
    };
    return { event, seal };
  } catch {
    return GARBAGE;
  }
}

/** Linux rounds file times down to a tick of up to 4 ms. Within a tick, only this part of the name gives the order. */
function uniquePart(name: string): string {
  return name.slice(name.lastIndexOf('~') + 1);
}
