import { describeError } from '../../base/error.ts';
import { jsonText } from '../../base/visible-text.ts';
import type { ArchiveFile } from '../../system/files/archive.ts';
import type { Part, PartContent } from './part.ts';
import type { Redacted, Redactor } from './redact.ts';

export interface Gathered {
  readonly files: readonly ArchiveFile[];
  readonly listed: readonly ListedPart[];
  readonly leftOut: readonly LeftOutPart[];
}

export interface ListedPart {
  readonly name: string;
  readonly bytes: number;
  /** Places that were replaced by `[redacted]`. */
  readonly redacted: number;
}

export interface LeftOutPart {
  readonly name: string;
  readonly reason: string;
}

/** Of all files together, before they are compressed. */
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_OF_ONE = 1024 * 1024;
const LONGEST_STRING = 20_000;
/** More than any secret, so that half a secret at the cut does not stay. */
const CUT_MARGIN = 4_096;

/** Reads and redacts the parts, one after the other. A part that cannot be read does not stop the others. */
export async function gather(parts: readonly Part[], redact: Redactor, mostBytes = MOST_BYTES): Promise<Gathered> {
  const files: ArchiveFile[] = [];
  const listed: ListedPart[] = [];
  const leftOut: LeftOutPart[] = [];
  let total = 0;
  for (const { name, read } of parts) {
    const found = await tryRead(read, redact);
    if (found === undefined) continue;
    const problem = found.reason ?? findFlaw(found.text, redact, mostBytes - total);
    if (problem !== undefined) {
      leftOut.push({ name, reason: redact.text(problem).value });
      continue;
    }
    const bytes = Buffer.byteLength(found.text);
    total += bytes;
    files.push({ name, text: found.text });
    listed.push({ name, bytes, redacted: found.places });
  }
  return { files, listed, leftOut };
}

interface Found {
  readonly text: string;
  readonly places: number;
  readonly reason?: string;
}

async function tryRead(read: Part['read'], redact: Redactor): Promise<Found | undefined> {
  try {
    const content = await read();
    if (content === undefined) return undefined;
    const { value: text, places } = cleaned(content, redact);
    return { text, places };
  } catch (error) {
    return { text: '', places: 0, reason: describeError(error) };
  }
}

function findFlaw(text: string, redact: Redactor, room: number): string | undefined {
  const bytes = Buffer.byteLength(text);
  if (bytes > MOST_OF_ONE) return `larger than ${MOST_OF_ONE} bytes`;
  if (bytes > room) return 'the archive is full';
  return redact.holds(text) ? 'it still holds a known secret after redaction' : undefined;
}

function cleaned(content: PartContent, redact: Redactor): Redacted<string> {
  if (content.kind === 'value') {
    const { value, places } = redact.json(shortened(content.value, 10 * LONGEST_STRING));
    return { value: `${jsonText(shortened(value, LONGEST_STRING) ?? null, 2)}\n`, places };
  }
  const result = content.kind === 'text' ? redact.text(content.text) : jsonLines(content.text, redact);
  return content.cut ? { ...result, value: `[the beginning is left out]\n${result.value.slice(CUT_MARGIN)}` } : result;
}

/** Strings are cut before they are redacted, because of the time, and after it: half a secret may stand at the first cut. */
function shortened(value: unknown, longest: number): unknown {
  if (typeof value === 'string') return value.length > longest ? `${value.slice(0, longest)}…` : value;
  if (Array.isArray(value)) return value.map((each) => shortened(each, longest));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner, longest)]));
}

/** Lines that are not JSON are one text, so that a secret over two of them is found. */
function jsonLines(text: string, redact: Redactor): Redacted<string> {
  const done: string[] = [];
  let plain: string[] = [];
  let places = 0;
  const add = (result: Redacted<unknown>, line: (value: unknown) => string) => {
    done.push(line(result.value));
    places += result.places;
  };
  const flush = () => {
    if (plain.length > 0) add(redact.text(plain.join('\n')), String);
    plain = [];
  };
  for (const line of text.split('\n')) {
    const value = parsed(line);
    if (value === undefined) plain.push(line);
    else {
      flush();
      add(redact.json(value), jsonText);
    }
  }
  flush();
  return { value: done.join('\n'), places };
}

function parsed(line: string): unknown {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
