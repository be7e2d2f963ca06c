import { join } from 'node:path';
import { temporaryFolder } from '../system/files/temporary-folder.ts';
import { treeFiles } from '../system/files/tree-files.ts';
import { type GitCall, read } from './run.ts';

/** An empty repository that borrows the objects of the root. It has no refs: name commits by their hashes. */
export interface ObjectView extends AsyncDisposable {
  readonly at: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  call(...args: readonly string[]): GitCall;
}

/**
 * Opens a view in which git reads nothing that an agent may have written except the objects, whose names are their hashes:
 * no config, attributes, replacements or grafts of the root, and no attributes of a worktree. The caches of object metadata are
 * off, because nothing checks what they say. The user's own settings apply.
 */
export async function openObjectView(root: string, hash: string): Promise<ObjectView> {
  // In a shallow clone, git stops at the commits that this file names.
  const shallow = await treeFiles.readText(join(root, '.git', 'shallow'));
  const folder = await temporaryFolder({ ...viewFiles(hash), ...(shallow !== undefined && { shallow }) });
  const env = {
    GIT_DIR: folder.path,
    GIT_COMMON_DIR: undefined,
    GIT_WORK_TREE: undefined,
    GIT_OBJECT_DIRECTORY: join(root, '.git', 'objects'),
  };
  return {
    at: folder.path,
    env,
    call: (...args) => ({ ...read(folder.path, ...args), env }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** The files of such a repository, for objects whose hashes are as long as this one. */
export function viewFiles(hash: string): Readonly<Record<string, string>> {
  const isLong = hash.length === 64;
  return {
    HEAD: 'ref: refs/heads/none\n',
    'refs/none': '',
    config: [
      `[core]\n\trepositoryFormatVersion = ${isLong ? 1 : 0}\n\tbare = true\n\tcommitGraph = false\n\tmultiPackIndex = false\n`,
      isLong ? '[extensions]\n\tobjectFormat = sha256\n' : '',
    ].join(''),
  };
}
