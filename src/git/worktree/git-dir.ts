import { basename, dirname, join, relative, resolve } from 'node:path';
import type { TreeFiles } from '../../system/files/tree-files.ts';
import { ownRepository } from '../private/place.ts';
import type { Git } from '../run.ts';

/** Where the repository of a folder below a worktree is. */
export interface GitDir {
  readonly gitDir: string;
  /** Holds refs and objects: the git directory itself, or the repository of the worker for a second worktree of that. */
  readonly commonDir: string;
  readonly ofWorker: boolean;
}

export type Closed = { readonly closed: string };

/** More is not a path. */
const LONGEST = 8_192;

/**
 * Finds the git directory of `path` below a worktree without git, which would follow every link and every `.git` file. Only a
 * directory below the worktree, or one that git keeps for it in the worker's repository, is accepted, with no link on the way.
 */
export async function findGitDir({ files }: Pick<Git, 'files'>, worktree: string, path: string): Promise<GitDir | Closed> {
  const own = `${path}/.git`;
  const kind = await files.kindBeneath(worktree, own);
  if (kind === 'folder') return checked(files, join(worktree, own));
  const text = kind === 'file' ? await files.readPlain(join(worktree, own), LONGEST) : undefined;
  const named = /^gitdir: (.+?)\n?$/s.exec(text ?? '')?.[1];
  if (named === undefined) return { closed: 'its .git is not one that git makes' };
  const target = resolve(worktree, path, named);
  const below = await wayBelow(files, worktree, target);
  if (below !== undefined && (await files.kindBeneath(worktree, below)) === 'folder') return checked(files, join(worktree, below));
  const common = ownRepository(dirname(dirname(worktree)), basename(worktree));
  const [first, name = '', ...rest] = (await wayBelow(files, common, target))?.split('/') ?? [];
  if (first !== 'worktrees' || (await files.kindBeneath(common, `worktrees/${name}`)) !== 'folder')
    return { closed: 'its git directory is outside the worktree' };
  return inWorkers(files, worktree, common, name, rest.join('/'));
}

/** The path from `base` to `target`. git may have written the real path of `base`. */
async function wayBelow(files: TreeFiles, base: string, target: string): Promise<string | undefined> {
  const real = await files.realPath(base).catch(() => base);
  return [base, real].map((each) => relative(each, target)).find((way) => way !== '' && way !== '..' && !way.startsWith('../'));
}

/** `worktrees/<name>/modules/…` is a submodule of that worktree. `worktrees/<name>` is a second worktree of the worker's repository. */
async function inWorkers(files: TreeFiles, worktree: string, common: string, name: string, rest: string): Promise<GitDir | Closed> {
  const admin = join(common, 'worktrees', name);
  if (rest === '') return { gitDir: admin, commonDir: common, ofWorker: true };
  const place = await files.readPlain(join(admin, 'gitdir'), LONGEST);
  const mine = [worktree, await files.realPath(worktree)].some((each) => place?.trimEnd() === join(each, '.git'));
  if (!mine || !rest.startsWith('modules/') || (await files.kindBeneath(admin, rest)) !== 'folder')
    return { closed: 'its git directory belongs to another worktree' };
  return checked(files, join(admin, rest));
}

/** It may also be changing right now. */
const unreadable = (): Closed => ({ closed: 'its git directory cannot be read' });

/** git would write through a link, wait for a pipe, and read the objects of any repository that `alternates` names. */
async function checked(files: TreeFiles, gitDir: string): Promise<GitDir | Closed> {
  const odd = await files.firstOdd(gitDir).catch(unreadable);
  if (typeof odd === 'object') return odd;
  if (odd !== undefined) return { closed: `its git directory contains ${relative(gitDir, odd)}, which is neither a file nor a folder` };
  for (const name of ['commondir', 'objects/info/alternates']) {
    if (await files.exists(join(gitDir, name))) return { closed: `its git directory uses another one (${basename(name)})` };
  }
  return { gitDir, commonDir: gitDir, ofWorker: false };
}
