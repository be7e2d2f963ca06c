import { join } from 'node:path';
import { describeError } from '../../base/error.ts';
import { saveObject } from '../exchange/exchange.ts';
import { asSha } from '../exchange/list-refs.ts';
import { commitTree } from '../landing/squash.ts';
import { FORMER_MAINS, localRef, workerBranch } from '../refs.ts';
import { type Git, type GitCall, read, write } from '../run.ts';
import { filesAt } from '../walled-files.ts';
import type { GitPlaces } from './places.ts';

/** Files in the git folder of a worktree whose lines begin with hashes: its reflog, and what an operation in progress would go back to. */
const OF_WORKTREE = [
  'logs/HEAD',
  'ORIG_HEAD',
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'REBASE_HEAD',
  'BISECT_HEAD',
  'MERGE_AUTOSTASH',
  ...['rebase-merge', 'rebase-apply'].flatMap((folder) => ['orig-head', 'autostash'].map((name) => `${folder}/${name}`)),
  'sequencer/head',
];
/** The same of further worktrees, which an agent can make of its repository. */
const OF_OTHERS = /^[^/]+\/(?:HEAD|ORIG_HEAD|logs\/HEAD)$/;
/** The source has these, or they stay until a person prunes them. */
const KEPT_BY = ['refs/remotes/origin', 'refs/tags', 'refs/llmc/rescue', 'refs/llmc/landed', 'refs/llmc/runs', FORMER_MAINS];
/** A reflog of 100,000 entries has about 20 MB. */
const LONGEST = 64 * 1024 * 1024;

const refsCall = (admin: string): GitCall => read(admin, 'for-each-ref', '--format=%(objectname) %(refname)');
const commitsCall = (at: string, names: readonly string[]): GitCall => ({
  ...read(at, 'cat-file', '--batch-check=%(objectname) %(objecttype)', '--buffer'),
  stdin: names.map((name) => `${name}^{commit}\n`).join(''),
});
/** git 2.39 takes no options from stdin. Those before `--stdin` do not count for it. */
const unsafeCall = (at: string, tips: readonly string[], safe: readonly string[], kept: readonly string[]): GitCall => ({
  ...read(at, 'rev-list', '--parents', '--stdin', '--not', ...kept.map((refs) => `--glob=${refs}`)),
  stdin: [...tips, ...safe.map((sha) => `^${sha}`)].map((line) => `${line}\n`).join(''),
});

export interface Strays {
  /** In the root, newest last, without those that another one of them builds on. */
  readonly commits: readonly string[];
  /** Named somewhere, but git does not have them any more, or only in part. */
  readonly unreadable: readonly string[];
  /** What is there and cannot be saved. */
  readonly missed: readonly string[];
}

/**
 * Finds the commits of a worker that would be lost with its worktree: those that only its reflog knows, or an operation in progress, or
 * the state of llmc (`more`); and those of the other branches, tags and stashes of its repository. Brings them into the store.
 */
export async function strayCommits(
  git: Git,
  places: GitPlaces,
  { more, safe }: { readonly more: readonly string[]; readonly safe: readonly string[] },
): Promise<Strays> {
  const { root } = places;
  const { names, missed } = await namedBy(git, places);
  const wanted = [...new Set([...names, ...more])].filter((name) => !safe.includes(name));
  if (wanted.length === 0) return { commits: [], unreadable: [], missed };
  const had = await commitsAt(git, root, wanted);
  const brought = await bring(
    git,
    places,
    wanted.filter((name) => !had.has(name)),
  );
  const { commits, damaged } = await unsafeTips(git, root, [...new Set([...had.values(), ...brought.commits])], safe, KEPT_BY);
  const known = new Set([...had.keys(), ...brought.commits]);
  return {
    commits,
    unreadable: [...wanted.filter((name) => !known.has(name)), ...damaged],
    missed: [...missed, ...brought.missed],
  };
}

async function namedBy(git: Git, { worktree, worker, admin, common }: GitPlaces) {
  const files = filesAt(git, worktree);
  const logs = [`logs/${localRef(workerBranch(worker))}`, 'logs/refs/stash'];
  const worktrees = await files.filesBeneath(common, 'worktrees', { most: 10_000, depth: 3 });
  const places = [
    ...OF_WORKTREE.map((path) => ({ base: admin, path })),
    ...logs.map((path) => ({ base: common, path })),
    ...worktrees.filter((path) => OF_OTHERS.test(path)).map((path) => ({ base: join(common, 'worktrees'), path })),
  ];
  const missed: string[] = [];
  const names: string[] = [];
  for (const { base, path } of places) {
    const text = await files.readBeneath(base, path, LONGEST);
    names.push(...hashesIn(text ?? ''));
    if (text === undefined && (await files.kindBeneath(base, path)) === 'file') missed.push(`${base}/${path} is too long, or unreadable`);
  }
  const { stdout } = await git.run(refsCall(admin));
  const refs = stdout.split('\n').filter((row) => !row.includes(' refs/remotes/'));
  return { names: [...names, ...hashesIn(refs.join('\n'))], missed };
}

/** A line of a reflog begins with the hash before and the hash after. A new ref has zeros before. */
function hashesIn(text: string): readonly string[] {
  const found = text.split('\n').flatMap((line) => line.split(' ', 2));
  return found.map((word) => asSha(word.trim())).filter((sha) => sha !== undefined && !/^0+$/.test(sha)) as readonly string[];
}

/** The commits that a repository has, by the names that were asked for. */
export async function commitsAt(git: Git, at: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = (await git.run(commitsCall(at, names))).stdout.split('\n');
  const found = new Map<string, string>();
  for (const [index, name] of names.entries()) {
    const [sha, type] = rows[index]?.split(' ') ?? [];
    if (type === 'commit' && asSha(sha) !== undefined) found.set(name, sha ?? '');
  }
  return found;
}

/** From the worker's own repository, only the last commit of each line: the fetch brings what is behind it. */
async function bring(git: Git, { root, worker, admin }: GitPlaces, names: readonly string[]) {
  const there = names.length === 0 ? new Map<string, string>() : await commitsAt(git, admin, names);
  const { commits: tips } = await unsafeTips(git, admin, [...new Set(there.values())], [], ['refs/remotes']);
  const missed: string[] = [];
  for (const tip of tips)
    await saveObject(git, root, worker, tip).catch((error: unknown) => missed.push(`the commit ${tip}: ${describeError(error)}`));
  return { commits: [...(await commitsAt(git, root, [...there.values()])).keys()], missed };
}

/** Those that no safe commit and no kept ref has, without those that another one builds on. `damaged`: git cannot read what is behind them. */
export async function unsafeTips(git: Git, at: string, tips: readonly string[], safe: readonly string[], kept: readonly string[]) {
  const damaged: string[] = [];
  if (tips.length === 0) return { commits: [], damaged };
  let listed = await git.run(unsafeCall(at, tips, safe, kept));
  if (listed.status !== 0) {
    for (const tip of tips) if ((await git.run(unsafeCall(at, [tip], safe, kept))).status !== 0) damaged.push(tip);
    listed = await git.run(
      unsafeCall(
        at,
        tips.filter((tip) => !damaged.includes(tip)),
        safe,
        kept,
      ),
    );
  }
  const rows = listed.stdout.split('\n').map((row) => row.split(' '));
  const listedNow = new Set(rows.map(([sha]) => sha));
  const behind = new Set(rows.flatMap(([, ...parents]) => parents));
  return { commits: tips.filter((tip) => listedNow.has(tip) && !behind.has(tip)), damaged };
}

/** One command line has room for this many parents. */
const MOST_PARENTS = 500;
const emptyTreeCall = (root: string): GitCall => ({ ...write(root, 'hash-object', '-t', 'tree', '-w', '--stdin'), stdin: '' });

/** As few commits as a rescue can have as parents: an agent can make any number of lines. */
export async function bundled(git: Git, root: string, commits: readonly string[]): Promise<readonly string[]> {
  if (commits.length <= MOST_PARENTS) return commits;
  const tree = (await git.ok(emptyTreeCall(root))).trim();
  const [date, author] = ['0 +0000', { name: 'llmc', email: 'llmc@localhost', date: '0 +0000' }];
  const joined: string[] = [];
  for (let start = 0; start < commits.length; start += MOST_PARENTS) {
    const parents = commits.slice(start, start + MOST_PARENTS);
    joined.push(await commitTree(git, root, { tree, parents, message: 'rescue: commits', author, committed: date }));
  }
  return bundled(git, root, joined);
}
