import { join } from 'node:path';
import type { Git } from '../run.ts';
import { findNested, type Nested } from './nested.ts';
import { ownStatus } from './status.ts';

export const hasSubmodules = (git: Git, worktree: string): Promise<boolean> => git.files.exists(join(worktree, '.gitmodules'));

/** Lists the submodules of a worktree with changes inside, and those in which llmc does not let git look for changes. */
export async function changedSubmodules(git: Git, worktree: string): Promise<string[]> {
  if (!(await hasSubmodules(git, worktree))) return [];
  await using found = await findNested(git, worktree, { untracked: false });
  const changed: string[] = [];
  for (const nested of found.all) if (await isChanged(nested)) changed.push(nested.path);
  return changed;
}

async function isChanged(nested: Nested): Promise<boolean> {
  if (nested.kind !== 'repository') return nested.kind === 'closed';
  // git shows files in a repository that it cannot read as a change of the submodule, too.
  return ownStatus(nested.inside).then(
    ({ changes }) => changes.length > 0,
    () => true,
  );
}
