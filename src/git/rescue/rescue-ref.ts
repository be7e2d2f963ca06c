import * as z from 'zod';
import type { Instant } from '../../base/ports.ts';
import type { GitCall } from '../run.ts';
import { read } from '../run.ts';
import { type NestedRescue, objectName, parseRecord, recordLine } from './rescue-record.ts';

export const RESCUE_PREFIX = 'refs/llmc/rescue/';

export interface Rescue {
  readonly ref: string;
  /** `<worker>/<time>`, as users type it. */
  readonly name: string;
  readonly worker: string;
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly at: Instant;
  readonly reason: string;
  /** How many files were not committed. */
  readonly files: number;
  /** How many commits main did not have; null if git could not say. */
  readonly commits: number | null;
  /** The commits that neither HEAD nor the branch had: of the reflog, of other branches. */
  readonly others: readonly string[];
  /** What the worker was working on. */
  readonly task: string | null;
}

/** `20260131T235959Z`; a second rescue in the same second gets `-2`. */
export function rescueName(worker: string, at: Instant, nth = 1): string {
  const stamp = new Date(at).toISOString().replace(/[-:]|\.\d+/g, '');
  return nth === 1 ? `${worker}/${stamp}` : `${worker}/${stamp}-${nth}`;
}

/** The size of each object says whether git may print it. */
export const rescueSizesCall = (root: string, worker?: string): GitCall =>
  read(
    root,
    'for-each-ref',
    '--format=%(refname)%00%(objectsize)%00',
    worker === undefined ? RESCUE_PREFIX.slice(0, -1) : `${RESCUE_PREFIX}${worker}`,
  );

export const listRescuesCall = (root: string, { refs, contents }: Portion): GitCall =>
  read(
    root,
    'for-each-ref',
    `--format=%(refname)%00%(objectname)%00%(tree)%00${contents ? '%(parent)' : ''}%00%(committerdate:unix)%00${
      contents ? '%(contents:subject)%00%(contents:body)' : `${TOO_LARGE}%00`
    }%00`,
    ...refs,
  );

const TOO_LARGE = 'rescue x: its message is too long to read';

/** What one call lists: with the parents and messages, or without them. */
export interface Portion {
  readonly refs: readonly string[];
  readonly contents: boolean;
}

const REF = /^refs\/llmc\/rescue\/[a-z][a-z0-9-]*\/\d{8}T\d{6}Z(?:-\d+)?$/;
/** A message names each uncommitted file: this is enough for 100,000 of them. */
const LARGEST = 8 * 1024 * 1024;
/** Of all messages together. The smallest come first, so that large forged ones do not hide the others. */
const MOST_BYTES = 32 * 1024 * 1024;
/** The names of this many refs fit in one command line. */
const MOST_REFS = 5_000;

/** Divides the rescues among calls whose output llmc can read: an agent can write a message of any length. */
export function portions(sizes: string): readonly Portion[] {
  const fields = sizes.split('\0').map((field) => field.trim());
  const found = fields.flatMap((ref, index) => (index % 2 === 0 && REF.test(ref) ? [{ ref, size: Number(fields[index + 1]) }] : []));
  let bytes = 0;
  const { small = [], large = [] } = Object.groupBy(
    found.toSorted((a, b) => a.size - b.size),
    ({ size }) => {
      bytes += size;
      return size <= LARGEST && bytes <= MOST_BYTES ? 'small' : 'large';
    },
  );
  return [inPortions(small, true), inPortions(large, false)].flat();
}

function inPortions(found: readonly { readonly ref: string }[], contents: boolean): readonly Portion[] {
  const refs = found.map(({ ref }) => ref);
  return Array.from({ length: Math.ceil(refs.length / MOST_REFS) }, (_, nth) => ({
    refs: refs.slice(nth * MOST_REFS, (nth + 1) * MOST_REFS),
    contents,
  }));
}

const rowSchema = z.tuple([
  z.string().regex(REF),
  objectName,
  objectName,
  z.string().transform((text) => text.split(' ').filter(Boolean)),
  // The last second that a Date can hold.
  z.coerce.number().int().nonnegative().max(8_640_000_000_000),
  z.string(),
  z.string(),
]);

/** Ignores what is not a rescue: an agent can write to these refs. */
export function parseRescues(text: string): Rescue[] {
  const fields = text.split('\0');
  const rescues: Rescue[] = [];
  for (let start = 0; start + 7 <= fields.length; start += 7) {
    const [first = '', ...rest] = fields.slice(start, start + 7);
    const row = rowSchema.safeParse([first.trim(), ...rest]);
    if (!row.success) continue;
    const [ref, sha, tree, parents, seconds, subject, body] = row.data;
    const name = ref.slice(RESCUE_PREFIX.length);
    const { files, commits, others, task } = parseRecord(body);
    rescues.push({
      ref,
      name,
      worker: name.slice(0, name.indexOf('/')),
      sha,
      tree,
      parents,
      at: seconds * 1_000,
      reason: subject.replace(/^rescue \S+: /, ''),
      files,
      commits,
      others,
      task,
    });
  }
  return rescues.sort((a, b) => b.at - a.at || b.name.localeCompare(a.name, 'en', { numeric: true }));
}

export interface RescueNotes {
  readonly inside?: readonly NestedRescue[];
  readonly commits?: number | undefined;
  readonly others?: readonly string[];
  /** Commits that were named somewhere, and that git does not have. */
  readonly unreadable?: readonly string[];
  readonly task?: string | undefined;
}

/** A message names this many commits. The rescue holds all of them. */
const MOST_NAMED = 1_000;

/** The list is for people; llmc reads only the last line. */
export function rescueMessage(worker: string, reason: string, files: readonly string[], notes: RescueNotes = {}): string {
  const { inside = [], commits = null, task = null } = notes;
  const [others = [], unreadable = []] = [notes.others, notes.unreadable].map((shas) => shas?.slice(0, MOST_NAMED));
  const listed = files.length === 0 ? 'Nothing was uncommitted.' : `Uncommitted:\n${files.map((file) => `  ${shown(file)}`).join('\n')}`;
  const subject = `rescue ${worker}: ${reason.replaceAll(/\s+/g, ' ').trim()}`;
  const gone = unreadable.length === 0 ? [] : [`Not saved, because git cannot read it:\n${unreadable.map((sha) => `  ${sha}`).join('\n')}`];
  return [subject, listed, ...gone, recordLine({ files: files.length, commits, task, inside, others })].join('\n\n');
}

/** Quotes a path with control characters, so that it stays one line. */
const shown = (path: string): string => (/\p{Cc}/u.test(path) ? JSON.stringify(path) : path);
