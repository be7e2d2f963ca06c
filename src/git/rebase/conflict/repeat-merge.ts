import { type Git, type GitCall, gitFailed, read, write } from '../../run.ts';
import { type IndexEntry, parseEntry } from './index-entries.ts';
import type { Stopped } from './stop.ts';

/** The shape of the conflict markers that the facts describe: with the base version between the two sides. */
export const CONFLICT_STYLE = ['-c', 'merge.conflictStyle=diff3'] as const;

export interface MergeMessage {
  readonly paths: readonly string[];
  /** A stable word of git, such as `CONFLICT (rename/delete)`. */
  readonly type: string;
}

/** The merge at which the rebase stopped, done again without index and files. */
export interface RepeatedMerge {
  readonly tree: string;
  readonly entries: readonly IndexEntry[];
  readonly messages: readonly MergeMessage[];
  /** The words after the conflict markers. */
  readonly labels: Labels;
}

export interface Labels {
  readonly main: string;
  readonly worker: string;
  readonly base: string;
}

/** The same at each call, so that calling it again leaves no further object behind. */
const NO_ONE = {
  GIT_AUTHOR_NAME: 'llmc',
  GIT_AUTHOR_EMAIL: 'llmc@localhost',
  GIT_AUTHOR_DATE: '2000-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'llmc',
  GIT_COMMITTER_EMAIL: 'llmc@localhost',
  GIT_COMMITTER_DATE: '2000-01-01T00:00:00Z',
};

const stemCall = (worktree: string, tree: string, parent: string): GitCall => ({
  ...write(worktree, '-c', 'commit.gpgSign=false', 'commit-tree', '-p', parent, '-m', 'main', tree),
  env: NO_ONE,
});
const mergeCall = (worktree: string, main: string, worker: string): GitCall =>
  read(worktree, ...CONFLICT_STYLE, 'merge-tree', '--write-tree', '-z', '--messages', main, worker);

/**
 * Merges the commit at which the rebase stopped with HEAD, on the base that a rebase uses: the parent of that commit. git 2.39 finds
 * the base of `merge-tree` itself, so a commit with HEAD's files is made on top of that parent. Undefined if there is nothing to repeat.
 */
export async function repeatMerge(git: Git, worktree: string, { commit, parent, head }: Stopped): Promise<RepeatedMerge | undefined> {
  if (parent === undefined) return undefined;
  const main = (await git.ok(stemCall(worktree, head.tree, parent))).trim();
  const call = mergeCall(worktree, main, commit);
  const answer = await git.run(call);
  if (answer.status > 1) throw gitFailed(call, answer);
  return { ...parseMergeTree(answer.stdout), labels: { main, worker: commit, base: parent } };
}

/** Reads `<tree> (<entry>)* "" (<count> <path>* <type> <text>)*`, each field ended by NUL. */
function parseMergeTree(output: string): Omit<RepeatedMerge, 'labels'> {
  const [tree = '', ...fields] = output.split('\0');
  const gap = fields.indexOf('');
  const entries = (gap === -1 ? fields : fields.slice(0, gap)).flatMap((field) => parseEntry(field) ?? []);
  const messages: MergeMessage[] = [];
  for (let at = gap === -1 ? fields.length : gap + 1; at < fields.length; ) {
    const count = Number(fields[at]);
    // Each message ends with a line feed of its own, and the last one with an empty field.
    if (!Number.isInteger(count) || fields[at]?.trim() === '') break;
    messages.push({ paths: fields.slice(at + 1, at + 1 + count), type: fields[at + 1 + count] ?? '' });
    at += count + 3;
  }
  return { tree, entries, messages };
}
