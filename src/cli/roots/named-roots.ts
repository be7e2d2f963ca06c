import { basename } from 'node:path';
import { repositoryAround } from '../../git/source/repository-around.ts';
import { layoutOf } from '../../store/layout.ts';
import { allRoots, isThere, repositoryOf, rootHere } from './root-here.ts';

/** The roots that are there, each with a name that no other one has. An agent finds its own alone. */
export function namedRoots(): readonly { readonly root: string; readonly name: string }[] {
  const own = process.env.LLMC_WORKER ? rootHere().root : undefined;
  const found = allRoots()
    .filter(({ root }) => isThere(root) && (own === undefined || root === own))
    .map(({ root, repository }) => ({ root, name: nameOfRepository(repositoryOf(root) ?? repository) }));
  return found.map(({ root, name }) => {
    const same = found.filter((each) => each.name === name);
    if (same.length === 1) return { root, name };
    const isClear = same.filter((each) => basename(each.root) === basename(root)).length === 1;
    return { root, name: `${name} (${isClear ? basename(root) : root})` };
  });
}

/** What people call the repository of a root. */
export function nameOfRoot(root: string): string {
  return nameOfRepository(repositoryOf(root) ?? root);
}

/** The name of a repository, also if it is not there any more. */
export function nameOfRepository(path: string): string {
  const name = path
    .replace(/\/\.git$/, '')
    .replace(/^.*\//, '')
    .replace(/\.git$/, '');
  return (repositoryAround(path)?.name ?? name) || layoutOf(path).root;
}
