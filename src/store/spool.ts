import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SpoolEvent } from '../agents/events.ts';

/** A prompt of 256 KB, escaped, still fits; anything larger is not one of our hooks. */
const LARGEST_FILE = 8 * 1024 * 1024;
/** A full directory is read in portions of this size. */
const MOST_PER_READING = 500;

export interface SpoolFile {
  readonly path: string;
  /** undefined: not a file of an llmc hook, or not JSON. */
  readonly event: SpoolEvent | undefined;
}

/** Reads the files that hooks wrote, oldest first. The modification time is the time of the event: the hook reads no clock. */
export function readSpool(directory: string, worker: string): readonly SpoolFile[] {
  return listFiles(directory)
    .map((name) => ({ name, path: join(directory, name), mtimeNs: modified(join(directory, name)) }))
    .filter((file) => file.mtimeNs !== undefined)
    .sort((a, b) => Number((a.mtimeNs ?? 0n) - (b.mtimeNs ?? 0n)) || uniquePart(a.name).localeCompare(uniquePart(b.name)))
    .slice(0, MOST_PER_READING)
    .map(({ name, path, mtimeNs }) => ({ path, event: parseFile(path, name, worker, mtimeNs ?? 0n) }));
}

export function discard(file: SpoolFile): void {
  rmSync(file.path, { force: true });
}

export function ensureSpool(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
}

/** Linux notifies five times per report: also while it is written under a dot name, and when a report was deleted. */
export function tellsOfReport(directory: string, file: string | null): boolean {
  return file === null || (!file.startsWith('.') && listFiles(directory).length > 0);
}

/** `<incarnation>~<event>~<unique>.json` */
export function parseSpoolName(name: string): { incarnation: number; event: string } | undefined {
  const match = /^(\d{1,9})~([A-Za-z_]+)~[^~]+\.json$/.exec(name);
  return match === null ? undefined : { incarnation: Number(match[1]), event: match[2] ?? '' };
}

function parseFile(path: string, name: string, worker: string, mtimeNs: bigint): SpoolEvent | undefined {
  const parsed = parseSpoolName(name);
  if (parsed === undefined) return undefined;
  try {
    if (statSync(path).size > LARGEST_FILE) return undefined;
    const payload: unknown = JSON.parse(readFileSync(path, 'utf8'));
    // Process ids are reused, so a file name alone is not unique over a night.
    return {
      id: `${name}@${mtimeNs}`,
      worker,
      incarnation: parsed.incarnation,
      name: parsed.event,
      at: Number(mtimeNs / 1_000_000n),
      payload,
    };
  } catch {
    return undefined;
  }
}

/** Linux rounds file times down to a tick of up to 4 ms. Within a tick, only this part of the name gives the order. */
function uniquePart(name: string): string {
  return name.slice(name.lastIndexOf('~') + 1);
}

function listFiles(directory: string): readonly string[] {
  try {
    // A dot file is still being written.
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => entry.name);
  } catch {
    return [];
  }
}

function modified(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.mtimeNs;
}
