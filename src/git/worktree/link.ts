import { basename, dirname, join, resolve } from 'node:path';
import { makeDirectory, namesIn, removeTree } from '../../system/files/files.ts';
import { moveFolderAside, readKind, readNoFollow, removeLink, replacePlain } from '../../system/files/no-follow.ts';
import { COMMON_DIR } from '../private/guard.ts';
import { administrativeFolder, ownRepository } from '../private/place.ts';
import { localRef, workerBranch } from '../refs.ts';

/** A longer file is not one that git or llmc wrote. */
const LONGEST_LINK = 10_000;

/** The files that connect a worktree with its repository. An agent can write all of them, so llmc compares them with what it wrote. */
export type LinkState =
  | { readonly kind: 'whole' }
  /** The directory is gone. */
  | { readonly kind: 'missing' }
  /** git keeps nothing about this directory. */
  | { readonly kind: 'unknown' }
  /** These files are gone or say something else. */
  | { readonly kind: 'cut'; readonly files: readonly string[] };

export function linkState(root: string, path: string): LinkState {
  const directory = readKind(path);
  if (directory === 'missing' || directory === 'link') return { kind: 'missing' };
  if (directory !== 'folder') return { kind: 'unknown' };
  const admin = administrativeFolder(root, basename(path));
  if (!isOwnFolder(admin) || readKind(join(admin, 'HEAD')) !== 'file') return { kind: 'unknown' };
  const files = [
    ...(namesFolder(root, path) ? [] : [join(path, '.git')]),
    ...(pointsTo(admin, 'gitdir', '', join(path, '.git')) ? [] : [join(admin, 'gitdir')]),
    ...(pointsTo(admin, 'commondir', '', ownRepository(root, basename(path))) ? [] : [join(admin, 'commondir')]),
  ];
  return files.length === 0 ? { kind: 'whole' } : { kind: 'cut', files };
}

/** Whether the directory's `.git` file names the folder that llmc made for it. */
export const namesFolder = (root: string, path: string): boolean =>
  pointsTo(path, '.git', 'gitdir: ', administrativeFolder(root, basename(path)));

/** Writes the three files again. HEAD, index and the files of the worktree stay as they are. */
export function writeLink(root: string, path: string): void {
  const admin = administrativeFolder(root, basename(path));
  replacePlain(join(admin, 'gitdir'), `${join(path, '.git')}\n`);
  replacePlain(join(admin, 'commondir'), COMMON_DIR);
  // A repository of the agent's own. It may hold commits, so it is kept.
  if (readKind(join(path, '.git')) === 'folder') moveFolderAside(join(path, '.git'), join(root, '.git', 'set-aside'));
  replacePlain(join(path, '.git'), `gitdir: ${admin}\n`);
}

/** Makes the folder where git keeps HEAD and index, with HEAD on the worker's branch, and connects the directory with it. A reflog that is there stays. */
export function makeLink(root: string, path: string): void {
  makeAdministration(root, basename(path));
  makeDirectory(path);
  writeLink(root, path);
}

/** The same without the directory, which may be gone. */
export function makeAdministration(root: string, worker: string): void {
  const admin = administrativeFolder(root, worker);
  for (const folder of [dirname(admin), admin]) removeLink(folder);
  makeDirectory(join(admin, 'logs'));
  // git writes the log of HEAD only if it exists.
  const log = join(admin, 'logs', 'HEAD');
  if (readKind(log) !== 'file') replacePlain(log, '');
  replacePlain(join(admin, 'HEAD'), `ref: ${localRef(workerBranch(worker))}\n`);
  replacePlain(join(admin, 'commondir'), COMMON_DIR);
}

/** Deletes what git keeps about the worktree, but not the reflog: it may be all that knows of a commit. */
export function clearLink(root: string, path: string): void {
  const admin = administrativeFolder(root, basename(path));
  removeLink(dirname(admin));
  if (removeLink(admin)) return;
  for (const name of namesIn(admin)) if (name !== 'logs') removeTree(join(admin, name));
}

/** No link on the way: git would follow it, and llmc would take nothing in. */
const isOwnFolder = (admin: string): boolean =>
  [dirname(dirname(admin)), dirname(admin), admin].every((folder) => readKind(folder) === 'folder');

/** The path may be relative (git 2.48 with `worktree.useRelativePaths`). */
function pointsTo(folder: string, name: string, prefix: string, target: string): boolean {
  const text = readNoFollow(join(folder, name), LONGEST_LINK);
  if (text === undefined || !text.startsWith(prefix) || !/^[^\n]+\n?$/.test(text)) return false;
  return resolve(folder, text.slice(prefix.length).replace(/\n$/, '')) === target;
}
