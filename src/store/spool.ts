import { join } from 'node:path';
import type { SpoolEvent } from '../agents/events.ts';
import type { FileEntry, Files } from '../base/ports.ts';

/** A prompt of 256 KB, escaped, still fits; anything larger is not one of our hooks. */
const LARGEST_FILE = 8 * 1024 * 1024;
/** A full directory is read in portions of this size. */
const MOST_PER_READING = 500;

export interface SpoolFile {
  readonly path: string;
  /** undefined: not a file of an llmc hook, or not JSON. */
  readonly event: SpoolEvent | undefined;
  /** The first line of the file, if it is not part of the payload. */
  readonly seal: string | undefined;
}

/** Reads the files that hooks wrote, oldest first. The modification time is the time of the event: the hook reads no clock. */
export function readSpool(files: Files, directory: string, worker: string): readonly SpoolFile[] {
  return files
    .list(directory)
    .filter(({ name }) => isWritten(name))
    .toSorted((a, b) => Number(a.mtimeNs - b.mtimeNs) || uniquePart(a.name).localeCompare(uniquePart(b.name)))
    .slice(0, MOST_PER_READING)
    .map((entry) => ({ path: join(directory, entry.name), ...parseFile(files, directory, entry, worker) }));
}

/** Linux notifies five times per report: also while it is written under a dot name, and when a report was deleted. */
export function announcesReport(files: Files, directory: string, file: string | null): boolean {
  return file === null || (isWritten(file) && files.list(directory).some(({ name }) => isWritten(name)));
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
    const text = files.readText(join(directory, name)) ?? '';
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
