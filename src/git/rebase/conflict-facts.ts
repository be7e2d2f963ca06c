import type { Git } from '../run.ts';
import type { ConflictFacts, ConflictFile, Rebasing } from './conflict/facts.ts';
import { unmergedFiles } from './conflict.ts';

export type * from './conflict/facts.ts';

/** Describes the conflict that a rebase in this worktree stopped at. Changes neither index nor files. */
export async function readConflict(git: Git, worktree: string, _rebasing: Rebasing): Promise<ConflictFacts> {
  const paths = await unmergedFiles(git, worktree);
  return { stop: undefined, files: paths.map(unread), leftOut: 0 };
}

function unread(path: string): ConflictFile {
  return {
    path,
    clash: { kind: 'content' },
    state: 'unmerged',
    stages: {},
    regions: [],
    markers: [],
    names: {},
    tooLarge: false,
    touchedBy: [],
  };
}
