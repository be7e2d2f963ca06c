import { type Git, type GitCall, read, splitZ, write } from '../run.ts';
import { expandBraces } from '../worktree/copy-files.ts';
import type { ConflictFile, ConflictSide } from './conflict/facts.ts';
import { entriesCall, parseEntries } from './conflict/index-entries.ts';
import { CONFLICT_STYLE } from './conflict/repeat-merge.ts';

type Unmerged = Pick<ConflictFile, 'path' | 'stages'>;

const STAGES: Readonly<Record<ConflictSide, number>> = { main: 2, worker: 3 };
const SUBMODULE = '160000';

const matchingCall = (worktree: string, globs: readonly string[]): GitCall =>
  read(worktree, 'ls-files', '--unmerged', '--full-name', '-z', '--', ...globs.flatMap(expandBraces).map((glob) => `:(top,glob)${glob}`));
const indexCall = (worktree: string, records: readonly string[]): GitCall => ({
  ...write(worktree, 'update-index', '-z', '--index-info'),
  stdin: records.map((record) => `${record}\0`).join(''),
});
const writeCall = (worktree: string, stage: number, paths: readonly string[]): GitCall => ({
  ...write(worktree, 'checkout-index', '--force', '--quiet', `--stage=${stage}`, '-z', '--stdin'),
  stdin: paths.map((path) => `${path}\0`).join(''),
});
const stageCall = (worktree: string, paths: readonly string[]): GitCall => ({
  ...write(worktree, 'update-index', '--add', '--remove', '-z', '--stdin'),
  stdin: paths.map((path) => `${path}\0`).join(''),
});
const conflictAgainCall = (worktree: string, path: string): GitCall =>
  write(worktree, ...CONFLICT_STYLE, 'checkout', '--quiet', '--merge', '--no-recurse-submodules', '--', `:(top,literal)${path}`);

/** The unmerged files that a glob names, in the sense of `copy_files`. */
export async function unmergedMatching(git: Git, worktree: string, globs: readonly string[]): Promise<ReadonlySet<string>> {
  const records = splitZ(await git.ok(matchingCall(worktree, globs)));
  return new Set(records.map((record) => record.slice(record.indexOf('\t') + 1)));
}

/** Resolves files to one side's version, in the files and in the index: a file that the side does not have is deleted. */
export async function takeSide(git: Git, worktree: string, files: readonly Unmerged[], side: ConflictSide): Promise<void> {
  await writeSide(git, worktree, files, side);
  const records = files.flatMap(({ path, stages }) => {
    const stage = stages[side];
    const hash = (stages.main ?? stages.worker ?? stages.base)?.hash ?? '';
    const nothing = `0 ${'0'.repeat(hash.length)}\t${path}`;
    return stage === undefined ? [nothing] : [nothing, `${stage.mode} ${stage.hash}\t${path}`];
  });
  await git.ok(indexCall(worktree, records));
}

/** Puts one side's version into the files, and leaves the index as it is. */
export async function writeSide(git: Git, worktree: string, files: readonly Unmerged[], side: ConflictSide): Promise<void> {
  const kept = files.filter(({ stages }) => stages[side] !== undefined && stages[side].mode !== SUBMODULE).map(({ path }) => path);
  if (kept.length > 0) await git.ok(writeCall(worktree, STAGES[side], kept));
  for (const { path, stages } of files) if (stages[side] === undefined) await git.files.removeBeneath(worktree, path);
}

/** Stages files as they are. One that is gone is deleted. */
export async function stageFiles(git: Git, worktree: string, paths: readonly string[]): Promise<void> {
  await git.ok(stageCall(worktree, paths));
}

/** The hashes of these files in the index. One that is not there, or not merged, has none. */
export async function stagedHashes(git: Git, worktree: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (paths.length === 0) return new Map();
  const entries = parseEntries(await git.ok(entriesCall(worktree, paths)));
  return new Map(entries.flatMap(({ path, hash, stage }) => (stage === 0 ? [[path, hash]] : [])));
}

/** Writes the conflict into unmerged files again, with its markers. */
export async function conflictAgain(git: Git, worktree: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) await git.run(conflictAgainCall(worktree, path));
}
