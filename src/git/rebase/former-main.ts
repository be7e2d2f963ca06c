import { basename } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { mergeBase, readTreeId } from '../inspect.ts';
import { commitTree } from '../landing/squash.ts';
import { FORMER_MAINS, localRef } from '../refs.ts';
import { type Git, type GitCall, read } from '../run.ts';
import { typedGit } from '../typed-git.ts';

const keptCall = (root: string): GitCall => read(root, 'for-each-ref', '--format=%(objectname)', FORMER_MAINS);
/** What a user has done with main in the last months. A rewrite that is older than so many moves has been met long ago. */
const MOST_MOVES = 1_000;
const movesCall = (source: string, branch: string): GitCall =>
  read(source, 'log', '--walk-reflogs', '--format=%H', `--max-count=${MOST_MOVES}`, '--end-of-options', localRef(branch), '--');
const commitsCall = (at: string, main: string, head: string): GitCall =>
  read(at, '-c', 'core.commitGraph=false', 'rev-list', '--topo-order', '--parents', '--end-of-options', `${main}..${head}`, '--');
const subjectsCall = (at: string, commits: readonly string[]): GitCall =>
  read(at, 'log', '--no-walk=unsorted', '--no-show-signature', '--encoding=UTF-8', '--format=%H %s', '--end-of-options', ...commits, '--');

/** What main was at any time, as far as the source and the root remember. A bare source usually remembers nothing. */
export async function readFormerMains(git: Git, root: string, source: string, branch: string): Promise<ReadonlySet<string>> {
  const [kept, moves] = await Promise.all([git.run(keptCall(root)), git.run(movesCall(source, branch))]);
  return new Set(`${kept.stdout}\n${moves.stdout}`.split('\n').filter(Boolean));
}

/** Returns what main was at any time. */
export type FormerMains = () => Promise<ReadonlySet<string>>;

/** The commits of a branch that main does not have. */
export interface WorkRange {
  /** The worker's own, newest first. */
  readonly own: readonly string[];
  /** Commits of main from before it was rewritten, newest first. They are not the worker's and must not land with its work. */
  readonly leftOut: readonly string[];
  /** What the own commits build on: main, and the newest of those that are left out. */
  readonly upstreams: readonly [main: string, ...formerMains: string[]];
}

/** Tells the commits of a worker from those that main had once. `former` is asked only if there are commits to tell apart. */
export async function readWorkRange(git: Git, at: string, main: string, head: string, former: FormerMains): Promise<WorkRange> {
  const listed = (await git.ok(commitsCall(at, main, head))).split('\n').filter(Boolean);
  return listed.length === 0 ? { own: [], leftOut: [], upstreams: [main] } : parseRange(main, listed, await former());
}

/** Each line is a commit and its parents, after all of its children. */
function parseRange(main: string, lines: readonly string[], former: ReadonlySet<string>): WorkRange {
  const own: string[] = [];
  const tips: string[] = [];
  const below = new Set<string>();
  const leftOut: string[] = [];
  for (const line of lines) {
    const [commit = '', ...parents] = line.split(' ');
    if (!below.has(commit) && !former.has(commit)) own.push(commit);
    else {
      if (!below.has(commit)) tips.push(commit);
      leftOut.push(commit);
      for (const parent of parents) below.add(parent);
    }
  }
  return { own, leftOut, upstreams: [main, ...tips] };
}

/**
 * Returns a commit on no branch that stands for main in a merge or a rebase: it has main's files, and behind it main and what main was
 * when the work began. To git, main has then removed what it no longer has. Its hash depends only on its input.
 */
export async function standInForMain(git: Git, at: string, { upstreams }: Pick<WorkRange, 'upstreams'>): Promise<string> {
  return await joined(git, at, upstreams);
}

/**
 * Returns the commit that the own commits of a range follow, with its files: what main was then. If the work has several such commits
 * behind it, because its worker merged main, it is a commit on no branch that has all of them as parents.
 */
export async function rangeBase(
  git: Git,
  at: string,
  head: string,
  { upstreams }: Pick<WorkRange, 'upstreams'>,
): Promise<string | undefined> {
  const [main, newest, ...more] = upstreams;
  return newest === undefined ? await mergeBase(git, at, main, head) : await joined(git, at, [newest, ...more]);
}

/** The first of the commits; with more than one, a commit with its files that has all of them behind it. */
async function joined(git: Git, at: string, commits: readonly [string, ...string[]]): Promise<string> {
  const [first] = commits;
  if (commits.length === 1) return first;
  const author = { name: 'llmc', email: 'llmc@localhost', date: '0 +0000' };
  const tree = await readTreeId(git, at, first);
  return await commitTree(git, at, { tree, parents: commits, message: 'llmc: what main was', author, committed: '0 +0000' });
}

/** Main was replaced by other commits, and nothing says which commits of the branch are the worker's. */
export function unrelatedHistory(worktree: string, main: string): LlmcError {
  const worker = basename(worktree);
  const choose = typedGit(worktree, 'rebase', '--interactive', '--root', '--onto', main);
  return new LlmcError(
    'GIT_FAILED',
    `the work of ${worker} has no commit in common with main: main was replaced by another history, or its agent began one (git checkout --orphan)`,
    {
      hint: `Choose its commits yourself: ${choose}; or save the work as a rescue and begin again at main: ${commandLine('llmc', 'reset', worker)}`,
    },
  );
}

/** A commit as a person recognises it. */
export interface NamedCommit {
  readonly commit: string;
  readonly subject: string;
}

export async function nameCommits(git: Git, at: string, commits: readonly string[]): Promise<readonly NamedCommit[]> {
  if (commits.length === 0) return [];
  const lines = (await git.ok(subjectsCall(at, commits))).split('\n').filter(Boolean);
  return lines.map((line) => ({ commit: line.slice(0, line.indexOf(' ')), subject: line.slice(line.indexOf(' ') + 1) }));
}
