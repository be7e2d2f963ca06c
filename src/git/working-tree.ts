import { basename, join } from 'node:path';
import type { RunOptions } from '../base/ports.ts';
import { viewFiles } from './object-view.ts';
import { endAtPipe, pipeFinder } from './pipes.ts';
import { ownRepository } from './private/place.ts';
import { addAllCall, copyIndex, notAdded, writeTreeCall } from './rescue/snapshot.ts';
import { unhide } from './rescue/unhide.ts';
import { type Git, type GitAnswer, type GitCall, gitFailed, read, toAnswer } from './run.ts';
import { requireSandbox } from './walls.ts';
import { bound } from './worktree/enter-nested.ts';
import { readGitlinks } from './worktree/nested.ts';
import { ownStatus, type ChangedPath as StatusChange } from './worktree/status.ts';
import { changedSubmodules } from './worktree/submodule-status.ts';

/** The files of a worktree as they are now. */
export interface WorkingTree extends AsyncDisposable {
  /** All files, with untracked ones and without ignored ones. */
  readonly tree: string;
  /** What is not committed. */
  readonly uncommitted: readonly string[];
  readonly leftOut: readonly LeftOutPath[];
  /** What git could not read, in its own words. */
  readonly unread: readonly string[];
  /** A call in an empty repository that has the tree and the objects of the worktree, without attributes and settings of an agent. */
  call(...args: readonly string[]): GitCall;
}

/** A path that is not committed and whose lines are not in the tree. */
export interface LeftOutPath {
  readonly path: string;
  /** `large`: it alone, or with the others. `many`: there are too many new files. `repository`: it has files and history of its own. */
  readonly why: 'large' | 'many' | 'repository';
}

/** More than a person reads: a file that is not committed, all of them, and the number of new ones. */
const LARGEST_FILE = 4 * 1024 * 1024;
const LARGEST_SUM = 32 * 1024 * 1024;
const MOST_NEW_FILES = 2_000;
/** A file can grow after llmc has asked for its size. Enough for an index of a million files. */
const LARGEST_WRITTEN = 256 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

/**
 * Makes a tree of the files with a copy of the index and a store of its own, which disposal removes: nothing in the repository changes,
 * and the agent may be at work. Everything runs inside the sandbox of the worker, if it has one, so its git may show anything.
 * `head` is any hash of the repository.
 */
export async function readWorkingTree(git: Git, root: string, worktree: string, head: string, signal: AbortSignal): Promise<WorkingTree> {
  const scratch = await git.files.scratch();
  try {
    const objects = join(ownRepository(root, basename(worktree)), 'objects');
    const view = join(scratch.path, 'view');
    for (const [name, text] of Object.entries(viewFiles(head))) await scratch.write(`view/${name}`, text);
    await scratch.write('objects/info/alternates', `${objects}\n`);
    const places = { GIT_INDEX_FILE: join(scratch.path, 'index'), GIT_OBJECT_DIRECTORY: join(scratch.path, 'objects') };
    const limited = within(git, { timeoutMs: TIMEOUT_MS, signal });
    const env = { GIT_DIR: view, GIT_COMMON_DIR: undefined, GIT_WORK_TREE: undefined, GIT_OBJECT_DIRECTORY: places.GIT_OBJECT_DIRECTORY };
    return {
      ...(await treeOfFiles(limited, worktree, places, signal)),
      call: (...args) => ({ ...read(view, ...args), env }),
      [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose](),
    };
  } catch (error) {
    await scratch[Symbol.asyncDispose]();
    throw error;
  }
}

interface Places {
  readonly GIT_INDEX_FILE: string;
  readonly GIT_OBJECT_DIRECTORY: string;
}

type Files = Pick<WorkingTree, 'tree' | 'uncommitted' | 'leftOut' | 'unread'>;

async function treeOfFiles(git: Git, worktree: string, places: Places, signal: AbortSignal): Promise<Files> {
  await copyIndex(git, worktree, places.GIT_INDEX_FILE);
  const inCopy = bound(git, { ...places });
  await unhide(inCopy, worktree);
  const [status, gitlinks, inside] = await Promise.all([
    ownStatus({ git: inCopy, at: worktree }, 'all'),
    readGitlinks({ git: inCopy, at: worktree }),
    changedSubmodules(git, worktree),
  ]);
  const many = status.changes.filter(({ kind }) => kind === 'untracked').length > MOST_NEW_FILES;
  const changes = many ? (await ownStatus({ git: inCopy, at: worktree })).changes : status.changes;
  const repositories = new Set([...gitlinks.keys(), ...changes.filter(isRepository(many)).map(({ path }) => bare(path))]);
  const files = changes.filter(({ path }) => !repositories.has(bare(path)));
  const large = await tooLarge(git, worktree, many ? files.filter(({ kind }) => kind !== 'untracked') : files);
  const add = addAllCall(worktree, places, [...repositories, ...large], many ? '--update' : '--all');
  const added = await limitedAdd(inCopy, add, signal);
  const tree = (await inCopy.ok(writeTreeCall(worktree, places))).trim();
  const uncommitted = [...new Set([...changes.map(({ path }) => path), ...inside])];
  return {
    tree,
    uncommitted,
    leftOut: [
      ...uncommitted.filter((path) => repositories.has(bare(path))).map((path): LeftOutPath => ({ path, why: 'repository' })),
      ...[...large].map((path): LeftOutPath => ({ path, why: 'large' })),
      ...(many ? files.filter(({ kind }) => kind === 'untracked').map(({ path }): LeftOutPath => ({ path, why: 'many' })) : []),
    ],
    unread: [...status.unread, ...notAdded(added.stderr)],
  };
}

/** With all files listed one by one, git prints only a nested repository as a folder. */
const isRepository = (isFolded: boolean) => (change: StatusChange) => !isFolded && change.path.endsWith('/');
const bare = (path: string): string => path.replace(/\/$/, '');

/** The smallest first: a large file must not take the room of the others. */
async function tooLarge({ files }: Git, worktree: string, changes: readonly StatusChange[]): Promise<ReadonlySet<string>> {
  const sized: { readonly path: string; readonly size: number }[] = [];
  for (const { path } of changes) sized.push({ path, size: (await files.sizeBeneath(worktree, path)) ?? 0 });
  let room = LARGEST_SUM;
  const large = new Set<string>();
  for (const { path, size } of sized.toSorted((one, other) => one.size - other.size)) {
    room -= size;
    if (size > LARGEST_FILE || room < 0) large.add(path);
  }
  return large;
}

/** A fixed script that takes its values as arguments. The signal is off: git then reports that a file is too large. */
const SCRIPT = `trap '' XFSZ; ulimit -f "$1"; shift; exec "$@"`;

/** Runs `add` so that the kernel limits the size of each file that it writes. */
async function limitedAdd(git: Git, call: GitCall, signal: AbortSignal): Promise<GitAnswer> {
  const wall = git.walls.around(call.at);
  const { file, args, ...command } = await git.command(call);
  const limited = { ...command, file: 'sh', args: ['-c', SCRIPT, 'llmc-limited', String(LARGEST_WRITTEN / 512), file, ...args] };
  const find = pipeFinder(git.processes, git.guard?.root, call.at);
  const finished = await endAtPipe(git.clock, find, (stop) =>
    git.processes.run(limited, { timeoutMs: TIMEOUT_MS, signal: AbortSignal.any(stop === undefined ? [signal] : [signal, stop]) }),
  );
  if (wall !== undefined) requireSandbox(finished, wall);
  const answer = toAnswer(finished, call);
  // Status 1 comes from `--ignore-errors`: git added everything else.
  if (answer.status > 1) throw gitFailed(call, answer, 'The files may just have changed. Try again.');
  return answer;
}

/** The same git, whose calls end after a time or with the caller. */
function within(git: Git, limit: RunOptions): Git {
  return {
    ...git,
    run: (call, options) => git.run(call, { ...limit, ...options }),
    ok: (call, options) => git.ok(call, { ...limit, ...options }),
  };
}
