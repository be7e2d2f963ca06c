import { type Git, type GitCall, read } from './run.ts';

export interface Commit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Author;
  /** Seconds since the epoch and zone, as git writes them. */
  readonly committed: string;
  readonly message: string;
}

export interface Author {
  readonly name: string;
  readonly email: string;
  readonly date: string;
}

const FORMAT = '%H%n%T%n%P%n%an%n%ae%n%ad%n%cd%n%B';

const commitsCall = (at: string, base: string, tip: string, without: readonly string[], ...options: readonly string[]): GitCall =>
  read(
    at,
    // `log` takes the tree and the parents of a commit from the commit graph, an unchecked file that an agent can write (git 2.39).
    '-c',
    'core.commitGraph=false',
    'log',
    '-z',
    '--reverse',
    '--topo-order',
    '--no-show-signature',
    '--encoding=UTF-8',
    '--date=raw',
    `--format=${FORMAT}`,
    ...options,
    '--end-of-options',
    `${base}..${tip}`,
    ...without.map((commit) => `^${commit}`),
    '--',
  );

/** Lists the commits of `tip` that neither `base` nor one of `without` has, oldest first. */
export async function commitsBetween(git: Git, at: string, base: string, tip = 'HEAD', without: readonly string[] = []): Promise<Commit[]> {
  return parseCommits(await git.ok(commitsCall(at, base, tip, without)));
}

/**
 * The commits of `tip` on `base`, one of its ancestors, and the tree of `base`: with one process, because an accept waits for it.
 * Without a commit, the tree is not known.
 */
export async function commitsOnBase(
  git: Git,
  at: string,
  base: string,
  tip: string,
): Promise<{ commits: Commit[]; before: string | undefined }> {
  const listed = parseCommits(await git.ok(commitsCall(at, base, tip, [], '--boundary', `--format=%m${FORMAT}`)));
  // git marks what is not in the range, such as the base, with a minus.
  const ofMark = (mark: string) => listed.flatMap((each) => (each.sha.startsWith(mark) ? [{ ...each, sha: each.sha.slice(1) }] : []));
  return { commits: ofMark('>'), before: ofMark('-').find(({ sha }) => sha === base)?.tree };
}

/** The subject of a commit, for a person; empty if git cannot read it. */
export async function readSubject(git: Git, at: string, commit: string): Promise<string> {
  const [found] = await commitsBetween(git, at, `${commit}~1`, commit).catch(() => []);
  return found?.message.split('\n')[0] ?? '';
}

export function parseCommits(text: string): Commit[] {
  return text
    .split('\0')
    .filter((record) => record !== '')
    .map((record) => {
      const [sha = '', tree = '', parents = '', name = '', email = '', date = '', committed = '', ...message] = record.split('\n');
      return {
        sha,
        tree,
        parents: parents.split(' ').filter(Boolean),
        author: { name, email, date },
        committed,
        message: message.join('\n').trimEnd(),
      };
    });
}
