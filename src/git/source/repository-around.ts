import { basename, dirname, join, resolve } from 'node:path';
import { exists, namesInFolder, readTextIfThere, realPath } from '../../system/files/files.ts';

/** The repository that a folder belongs to, as git would find it. */
export interface FoundRepository {
  /** The folder that all its worktrees share: the identity of the repository. */
  readonly gitDir: string;
  /** What people call it: the name of its main checkout, or of the bare repository. */
  readonly name: string;
}

/** Walks up to the next repository without starting git: every command asks this at its start. Undefined outside any. */
export function repositoryAround(path: string): FoundRepository | undefined {
  let folder = realPathIfThere(path);
  while (folder !== undefined) {
    const gitDir = gitDirAt(folder);
    if (gitDir !== undefined) return { gitDir, name: nameRepository(gitDir) };
    folder = dirname(folder) === folder ? undefined : dirname(folder);
  }
  return undefined;
}

function gitDirAt(folder: string): string | undefined {
  const dot = join(folder, '.git');
  if (isGitDir(dot)) return commonDir(dot);
  // A linked worktree and a submodule have a file that names the folder.
  const [, linked] = /^gitdir: (.+)\n?$/.exec(isFolder(dot) ? '' : (readTextIfThere(dot) ?? '')) ?? [];
  if (linked !== undefined && exists(join(resolve(folder, linked), 'HEAD'))) return commonDir(resolve(folder, linked));
  return isGitDir(folder) ? commonDir(folder) : undefined;
}

const isFolder = (path: string): boolean => namesInFolder(path) !== undefined;
const isGitDir = (path: string): boolean => ['HEAD', 'objects', 'refs'].every((name) => exists(join(path, name)));

function commonDir(gitDir: string): string | undefined {
  const common = readTextIfThere(join(gitDir, 'commondir'))?.trim();
  return realPathIfThere(common === undefined ? gitDir : resolve(gitDir, common));
}

function nameRepository(gitDir: string): string {
  return basename(gitDir) === '.git' ? basename(dirname(gitDir)) : basename(gitDir, '.git');
}

function realPathIfThere(path: string): string | undefined {
  try {
    return realPath(path);
  } catch {
    return undefined;
  }
}
