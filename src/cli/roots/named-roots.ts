import { basename, resolve } from 'node:path';
import { repositoryAround } from '../../git/source/repository-around.ts';
import { makeLayout } from '../../store/layout.ts';
import { realPath } from '../../system/files/files.ts';
import { allRoots, findRepository, isThere, rootHere } from './root-here.ts';

/**
 * The roots that are there, each once and with a name that no other one has. First those that the caller knows, spelled as it does: they
 * need not be recorded. An agent finds its own alone.
 */
export function namedRoots(known: readonly string[] = []): readonly { readonly root: string; readonly name: string }[] {
  const own = process.env.LLMC_WORKER ? rootHere().root : undefined;
  const found = new Map<string, { readonly root: string; readonly name: string }>();
  for (const root of [...known, ...allRoots().map((each) => resolve(each.root))]) {
    if (!isThere(root) || (own !== undefined && root !== own)) continue;
    const real = realPath(root);
    // A link can lead to a root that was recorded at its own place too.
    if (!found.has(real)) found.set(real, { root, name: nameOfRoot(root) });
  }
  const all = [...found.values()];
  return all.map(({ root, name }) => {
    const same = all.filter((each) => each.name === name);
    if (same.length === 1) return { root, name };
    const isClear = same.filter((each) => basename(each.root) === basename(root)).length === 1;
    return { root, name: `${name} (${isClear ? basename(root) : root})` };
  });
}

/** What people call the repository of a root. */
export function nameOfRoot(root: string): string {
  return nameOfRepository(findRepository(root) ?? recordedFor(root) ?? root);
}

const recordedFor = (root: string): string | undefined => allRoots().find((each) => each.root === root)?.repository;

/** The name of a repository, also if it is not there any more. */
export function nameOfRepository(path: string): string {
  const name = path
    .replace(/\/\.git$/, '')
    .replace(/^.*\//, '')
    .replace(/\.git$/, '');
  return (repositoryAround(path)?.name ?? name) || makeLayout(path).root;
}
