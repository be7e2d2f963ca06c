import { openObjectView } from '../object-view.ts';
import { type Git, type GitCall, splitZ } from '../run.ts';
import { predictConflicts } from './conflict.ts';

/** Work beside the one under review. */
export interface OtherWork {
  readonly name: string;
  /** Its newest commit. */
  readonly head: string;
  /** Where it began; null if that is not known. */
  readonly base: string | null;
}

export interface WorkClash {
  readonly name: string;
  readonly files: readonly string[];
}

export interface Clashes {
  readonly found: readonly WorkClash[];
  /** Work that was not compared, because there is too much of it or git cannot read it. */
  readonly unknown: readonly string[];
}

/** Each merge is a process: with more of them, the person who waits for a review would notice. */
const MOST_MERGES = 8;

/** Other work, and the files that each changed. Without an entry, nothing is known about it. */
export interface Touched {
  readonly others: readonly OtherWork[];
  readonly files: ReadonlyMap<string, readonly string[]>;
}

/** Lists with one process what all other work changed. */
export async function readTouched(git: Git, root: string, others: readonly OtherWork[]): Promise<Touched> {
  const [first] = others;
  if (first === undefined) return { others, files: new Map() };
  await using view = await openObjectView(root, first.head);
  return { others, files: await touchedFiles((stdin) => git.run({ ...view.call(...LIST), stdin }), others) };
}

/**
 * Predicts which other work would conflict with a change. Only work that changed one of the same files is merged. Runs where no
 * configuration of an agent names a merge program.
 */
export async function predictClashes(
  git: Git,
  root: string,
  head: string,
  files: ReadonlySet<string>,
  { others, files: touched }: Touched,
): Promise<Clashes> {
  const near = others.filter(({ name }) => touched.get(name)?.some((path) => files.has(path)) ?? true);
  if (near.length === 0) return { found: [], unknown: [] };
  await using view = await openObjectView(root, head);
  const compared = await Promise.all(
    near.slice(0, MOST_MERGES).map(async ({ name, head: other }) => ({
      name,
      files: await predictConflicts({ ...git, run: (call) => git.run({ ...call, env: view.env }) }, view.at, head, other).catch(
        () => undefined,
      ),
    })),
  );
  return {
    found: compared.flatMap(({ name, files }) => (files === undefined || files.length === 0 ? [] : [{ name, files }])),
    unknown: [...compared.filter(({ files }) => files === undefined), ...near.slice(MOST_MERGES)].map(({ name }) => name),
  };
}

/** With more work than this, the order no longer repays its merges. */
const MOST_PAIRS = 120;

/** Predicts which pieces of work would conflict with each other. A pair that cannot be compared counts as one that does not. */
export async function clashesAmong(git: Git, root: string, works: readonly OtherWork[]): Promise<readonly (readonly [string, string])[]> {
  const [first] = works;
  if (first === undefined || works.length === 1) return [];
  await using view = await openObjectView(root, first.head);
  const inView = { ...git, run: (call: GitCall) => git.run({ ...call, env: view.env }) };
  const touched = await touchedFiles((stdin) => git.run({ ...view.call(...LIST), stdin }), works);
  const share = (a: OtherWork, b: OtherWork) => {
    const [one, other] = [touched.get(a.name), touched.get(b.name)];
    if (one === undefined || other === undefined) return true;
    const those = new Set(other);
    return one.some((path) => those.has(path));
  };
  const near = works.flatMap((a, at) => works.slice(at + 1).flatMap((b) => (share(a, b) ? [[a, b] as const] : [])));
  const found: (readonly [string, string])[] = [];
  for (const [a, b] of near.slice(0, MOST_PAIRS)) {
    const files = await predictConflicts(inView, view.at, a.head, b.head).catch(() => []);
    if (files.length > 0) found.push([a.name, b.name]);
  }
  return found;
}

/** With two commits on a line, git compares the first with the second. Without renames, a renamed file counts under both names. */
const LIST = ['diff-tree', '--stdin', '-r', '-m', '--raw', '--no-renames', '-z'] as const;

/** The files that each work changed. Without an entry, nothing is known about it. */
async function touchedFiles(
  list: (stdin: string) => Promise<{ readonly status: number; readonly stdout: string }>,
  others: readonly OtherWork[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const known = others.filter(({ base }) => base !== null);
  const { status, stdout } = await list(known.map(({ head, base }) => `${head} ${base}\n`).join(''));
  const touched = new Map<string, string[]>();
  if (status !== 0) return touched;
  const byHead = Map.groupBy(known, ({ head }) => head);
  const fields = splitZ(stdout);
  let files: string[] = [];
  for (let at = 0; at < fields.length; at += 1) {
    const field = fields[at] ?? '';
    // A record begins with a colon and has its path after it, so no path can pass for the name of a commit.
    if (field.startsWith(':')) {
      at += 1;
      files.push(fields[at] ?? '');
    } else {
      files = [];
      for (const { name } of byHead.get(field) ?? []) touched.set(name, files);
    }
  }
  return touched;
}
