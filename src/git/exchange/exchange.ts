import { join } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { fault } from '../../base/fault.ts';
import { makeDirectory, namesIn } from '../../system/files/files.ts';
import { readKind, readNoFollow, replacePlain } from '../../system/files/no-follow.ts';
import { COMMON_DIR } from '../private/guard.ts';
import {
  administrativeFolder,
  findWorkerByPath,
  ownRepository,
  privateFolder,
  requireNoLinkAbove,
  storeFolder,
  takenFolder,
} from '../private/place.ts';
import { localRef, workerBranch } from '../refs.ts';
import { complaint, type Git, type GitCall, read, write } from '../run.ts';
import { fetchCall } from '../source/fetch-call.ts';
import { shareLfsObjects } from '../source/lfs.ts';
import { remakeHint, uploadPackOptions } from '../walls.ts';
import { makeAdministration } from '../worktree/link.ts';
import { deleteRefsCall } from './leave.ts';
import { type ImportLimit, limitedFetch } from './limited-fetch.ts';
import { asSha, parseRefs, refsCall } from './list-refs.ts';

/** Keeps imported commits that no branch names, such as those of a rebase in progress. */
const importedRef = (worker: string, what: 'head' | 'branch'): string => `refs/llmc/imported/${worker}/${what}`;
const TRACKING = 'refs/remotes/origin';
/** A git inside may hang as long as its agent likes, and hand out as much as the disk has. */
const LIMIT: ImportLimit = { timeoutMs: 300_000, mostBytes: 1024 ** 3 };
/** For a rescue, which must not refuse what git itself would not have made. A landing checks the form again. */
export const UNCHECKED = { form: false };

/** A HEAD is a hash or the name of a ref. */
const LONGEST_HEAD = 4_096;
/** In the administrative folder, which is there even if the worktree was deleted. */
const commitCall = (admin: string, name: string): GitCall =>
  read(admin, 'rev-parse', '--quiet', '--verify', '--end-of-options', `${name}^{commit}`);
const moveRefsCall = (at: string, refs: readonly (readonly [string, string])[]): GitCall => ({
  ...write(at, 'update-ref', '--stdin'),
  stdin: refs.map(([name, sha]) => `update ${name} ${sha}\n`).join(''),
});

/**
 * Brings the commits of a worker from its own repository into the store, where `HEAD` and its branch then name them, and shows it the
 * newest main. git checks what it takes in: hashes, form (fsck), size and that none is missing. Safe to repeat, and to interrupt: refs
 * move last.
 */
export async function exchange(git: Git, root: string, worktree: string, limit: Partial<ImportLimit> = {}): Promise<void> {
  const worker = findWorkerByPath(root, worktree);
  if (git.guard === undefined || worker === undefined) return;
  requireNoLinkAbove(root, ownRepository(root, worker));
  if (readKind(ownRepository(root, worker)) !== 'folder') return;
  await git.locks.withLock(`exchange ${worktree}`, () => exchangeNow(git, root, worker, { ...LIMIT, ...limit }));
}

async function exchangeNow(git: Git, root: string, worker: string, limit: ImportLimit): Promise<void> {
  const admin = administrativeFolder(root, worker);
  // Without a sandbox, its agent can delete the folder. Its branches are still there.
  if (readKind(admin) === 'missing' && git.walls.around(admin) === undefined) makeAdministration(root, worker);
  const branch = localRef(workerBranch(worker));
  const text = await git.files.readBeneath(ownRepository(root, worker), `worktrees/${worker}/HEAD`, LONGEST_HEAD);
  if (await isTaken(git, root, worker, branch, text)) return;
  const imported = importedRef(worker, 'head');
  const named = /^ref: (refs\/[^\s\0]+)\s*$/.exec(text ?? '')?.[1];
  const [theirs, ours] = await Promise.all([
    git.ok(refsCall(admin, branch, TRACKING, ...(named === undefined ? [] : [named])), limit).then(parseRefs),
    git.ok(refsCall(root, branch, imported, TRACKING)).then(parseRefs),
  ]);
  const known = new Set(ours.values());
  const take = async (name: string, sha: string | undefined, ref: string): Promise<string | undefined> => {
    if (sha === undefined || known.has(sha)) return sha;
    // It may name a commit that is gone. Then there is nothing to take in, and the caller finds that out.
    const commit = asSha((await git.run(commitCall(admin, name), limit)).stdout.trim());
    if (commit !== undefined) await importObject(git, root, worker, `+${commit}:${ref}`, limit);
    return commit;
  };
  const head = await take('HEAD', named === undefined ? asSha(text?.trim()) : theirs.get(named), imported);
  const tip = theirs.get(branch) === head ? head : await take(branch, theirs.get(branch), importedRef(worker, 'branch'));
  if (head !== undefined && !known.has(head)) await takeLfsObjects(git, root, worker);
  fault('exchange:before-refs');
  const moved = [
    ...(tip !== undefined && tip !== ours.get(branch) ? [[branch, tip] as const] : []),
    ...(head !== undefined && head !== ours.get(imported) ? [[imported, head] as const] : []),
  ];
  if (moved.length > 0) await git.ok(moveRefsCall(root, moved));
  writeTaken(root, worker, head === undefined ? UNBORN : named === branch ? `ref: ${branch}\n` : `${head}\n`);
  const other = [...ours].filter(([name, sha]) => name.startsWith(`${TRACKING}/`) && theirs.get(name) !== sha);
  const stale = other.length === 0 ? [] : await withoutNewer(git, root, other, theirs);
  // A ref below the name of another one is in its way.
  const below = [...theirs.keys()].filter((name) => stale.some(([wanted]) => name.startsWith(`${wanted}/`)));
  if (below.length > 0) await git.run(deleteRefsCall(admin, below), limit);
  // If the agent's own git locks them right now, the next exchange moves them.
  if (stale.length > 0) await git.run(moveRefsCall(admin, stale), limit);
}

/**
 * Whether the store has all of it: both repositories have the same commit in the file of the branch, and the worker has what the files of
 * main say in the store. git writes such files for every ref that moves. Reads a few small files in place of two processes.
 */
async function isTaken(git: Git, root: string, worker: string, branch: string, head: string | undefined): Promise<boolean> {
  const store = storeFolder(root);
  if (head !== `ref: ${branch}\n` || readNoFollow(join(takenFolder(root, worker), 'HEAD'), LONGEST_HEAD) !== head) return false;
  const tracking = await git.files.filesBeneath(store, TRACKING, { most: 1_000, depth: 8 });
  if (tracking.length > MOST_TRACKED) return false;
  for (const ref of [branch, ...tracking.filter((name) => name !== 'HEAD').map((name) => `${TRACKING}/${name}`)]) {
    const ours = readNoFollow(join(store, ref), LONGEST_HEAD);
    if (asSha(ours?.trim()) === undefined) return false;
    const theirs = await git.files.readBeneath(ownRepository(root, worker), ref, LONGEST_HEAD);
    if (theirs === ours) continue;
    // A ref that never moved is only in the list of refs.
    if (theirs !== undefined || ref === branch || (await git.files.kindBeneath(ownRepository(root, worker), ref)) !== 'missing')
      return false;
    const packed = await git.files.readBeneath(ownRepository(root, worker), 'packed-refs', LARGEST_LIST);
    if (!`\n${packed}`.includes(`\n${ours?.trim()} ${ref}\n`)) return false;
  }
  return true;
}

const LARGEST_LIST = 1024 * 1024;

/** With more branches of the source in files of their own, git reads them faster. */
const MOST_TRACKED = 20;

/** A worker without a sandbox can fetch from the source. What llmc does not have yet is newer than what it has. */
async function withoutNewer(
  git: Git,
  root: string,
  refs: readonly (readonly [string, string])[],
  theirs: ReadonlyMap<string, string>,
): Promise<readonly (readonly [string, string])[]> {
  const stdin = refs.map(([name]) => `${theirs.get(name) ?? name}\n`).join('');
  const rows = (await git.run({ ...read(root, 'cat-file', '--batch-check=%(objecttype)', '--buffer'), stdin })).stdout.split('\n');
  return refs.filter((_, index) => rows[index] === 'commit');
}

/** For a HEAD without a commit. The branch that it names may be that of another worker in the store. */
const UNBORN = 'ref: refs/heads/nothing-checked-out\n';

/** Says in the store what is checked out in the worktree. */
export function writeTaken(root: string, worker: string, head: string): void {
  const folder = takenFolder(root, worker);
  const files = { HEAD: head, commondir: COMMON_DIR };
  for (const [name, text] of Object.entries(files)) {
    if (readNoFollow(join(folder, name), LONGEST_HEAD) === text) continue;
    makeDirectory(folder);
    replacePlain(join(folder, name), text);
  }
}

/** Every fetch that checks objects leaves a pack (git 2.39), and git looks for an object in one after the other. */
const MOST_PACKS = 40;
const joinPacksCall = (root: string): GitCall => write(root, 'repack', '--geometric=2', '-d', '--quiet');

/** Joins the small packs of the store. Loses no object: those that nothing names are kept too. */
async function joinPacks(git: Git, root: string): Promise<void> {
  const packs = namesIn(join(storeFolder(root), 'objects', 'pack')).filter((name) => name.endsWith('.pack'));
  if (packs.length > MOST_PACKS) await git.locks.withLock(root, () => git.run(joinPacksCall(root)));
}

/** Content of git-lfs does not come with a commit. That of a sandboxed worker stays inside. */
async function takeLfsObjects(git: Git, root: string, worker: string): Promise<void> {
  const own = ownRepository(root, worker);
  if (git.walls.around(own) === undefined && readKind(join(own, 'lfs')) === 'folder') await shareLfsObjects(git, own, storeFolder(root));
}

/** Takes in one object and everything below it for a rescue: a commit, or a tree that llmc made in the repository of the worker. */
export async function saveObject(git: Git, root: string, worker: string, sha: string): Promise<void> {
  await importObject(git, root, worker, sha, { ...LIMIT, ...UNCHECKED });
}

async function importObject(git: Git, root: string, worker: string, what: string, limit: ImportLimit): Promise<void> {
  const own = ownRepository(root, worker);
  const options = uploadPackOptions(git.walls, own);
  // Outside of a sandbox, through llmc's own entrance: the other one would read the configuration that the agent can write.
  const call = fetchCall(root, options.length > 0 ? own : privateFolder(root, worker), what, ...options);
  const { form = true, ...bounds } = limit;
  const answer = await limitedFetch(git, root, { ...call, args: ['-c', `fetch.fsckObjects=${form}`, ...call.args] }, bounds);
  if (answer.status === 0) return await joinPacks(git, root);
  if (answer.tooLarge)
    throw new LlmcError('GIT_FAILED', `the work of ${worker} is too large: llmc takes in ${limit.mostBytes} bytes at once`, {
      hint: `Ask it to leave large files out of its commits, or look into it: llmc attach ${worker}`,
    });
  throw new LlmcError('GIT_FAILED', `the work of ${worker} cannot be taken in: ${complaint(answer.stderr)}`, {
    hint: `Ask it to make its commits again, or look into it: llmc attach ${worker}. ${remakeHint(root, worker)}`,
    details: answer.stderr.trim(),
  });
}
