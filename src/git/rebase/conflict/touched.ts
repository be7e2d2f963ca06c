import { LlmcError } from '../../../base/error.ts';
import { type Git, type GitCall, read } from '../../run.ts';
import type { MainCommit, Rebasing, VersionPart } from './facts.ts';

const MOST_COMMITS = 5;
const MOST_RANGES = 20;
/** A hint is not worth more. */
const LIMIT = { timeoutMs: 10_000 };

const blameCall = (worktree: string, at: string, without: string, path: string, ranges: readonly VersionPart[]): GitCall =>
  read(
    worktree,
    'blame',
    '--porcelain',
    '--encoding=UTF-8',
    '--no-textconv',
    // Without the commits that a setting of the user leaves out.
    '--ignore-revs-file=',
    ...ranges.map(({ start, lines }) => `-L${start},+${lines.length}`),
    at,
    `^${without}`,
    '--',
    path,
  );
const logCall = (worktree: string, { head, onto }: Rebasing, path: string): GitCall =>
  read(
    worktree,
    'log',
    '-z',
    `-${MOST_COMMITS}`,
    '--no-show-signature',
    '--encoding=UTF-8',
    '--format=%H%n%s',
    onto,
    `^${head}`,
    '--',
    `:(top,literal)${path}`,
  );
const replayedCall = (worktree: string, at: string, onto: string): GitCall =>
  read(worktree, 'rev-list', '--max-count=1000', at, `^${onto}`);

/** Lists the worker's own commits that the rebase has applied already: they are in HEAD, and not of main. */
export async function replayedCommits(git: Git, worktree: string, at: string, { onto }: Rebasing): Promise<ReadonlySet<string>> {
  return new Set((await readOrEmpty(git, replayedCall(worktree, at, onto))).split('\n'));
}

/**
 * Lists the commits of main, since the worker began, that wrote these lines of `path` in `at`. For lines that main deleted, and for a
 * file without lines, those that changed the file. None if git cannot say it in time.
 */
export async function mainCommits(
  git: Git,
  worktree: string,
  rebasing: Rebasing,
  { at, path, parts, own }: { at: string; path: string; parts: readonly VersionPart[]; own: ReadonlySet<string> },
): Promise<readonly MainCommit[]> {
  const ranges = parts.filter(({ lines }) => lines.length > 0).slice(0, MOST_RANGES);
  const blamed = ranges.length === 0 ? [] : parseBlame(await readOrEmpty(git, blameCall(worktree, at, rebasing.head, path, ranges)));
  const found = blamed.filter(({ hash }) => !own.has(hash)).slice(0, MOST_COMMITS);
  return found.length > 0 ? found : parseLog(await readOrEmpty(git, logCall(worktree, rebasing, path)));
}

async function readOrEmpty(git: Git, call: GitCall): Promise<string> {
  try {
    const { status, stdout } = await git.run(call, LIMIT);
    return status === 0 ? stdout : '';
  } catch (error) {
    if (error instanceof LlmcError && error.code === 'GIT_FAILED') return '';
    throw error;
  }
}

function parseLog(output: string): readonly MainCommit[] {
  return output
    .split('\0')
    .map((record) => record.split('\n'))
    .flatMap(([hash = '', subject = '']) => (hash === '' ? [] : [{ hash, subject }]));
}

/** Reads `git blame --porcelain`: a line of the file begins with a tab, and each commit is described once. Newest first. */
function parseBlame(output: string): readonly MainCommit[] {
  const commits = new Map<string, { subject: string; time: number; isOlder: boolean }>();
  let current = { subject: '', time: 0, isOlder: false };
  for (const line of output.split('\n')) {
    const hash = /^([0-9a-f]{40,64}) \d+ \d+/.exec(line)?.[1];
    if (hash !== undefined) {
      current = commits.get(hash) ?? { subject: '', time: 0, isOlder: false };
      commits.set(hash, current);
    } else if (line.startsWith('summary ')) current.subject = line.slice('summary '.length);
    else if (line.startsWith('committer-time ')) current.time = Number(line.slice('committer-time '.length));
    else if (line === 'boundary') current.isOlder = true;
  }
  return [...commits]
    .filter(([, { isOlder }]) => !isOlder)
    .sort(([, left], [, right]) => right.time - left.time)
    .map(([hash, { subject }]) => ({ hash, subject }));
}
