import { type Git, openGit } from '../git/run.ts';
import { makeWalls } from '../sandbox/walls.ts';
import { makeLayout } from '../store/layout.ts';
import { exists } from '../system/files/files.ts';
import type { DoctorContext } from './check.ts';

/** git for checks of the root: it reads nothing that an agent configured, and repairs nothing. */
export function guardedGit({ root, processes, config }: Pick<DoctorContext, 'root' | 'processes' | 'config'>): Git {
  const walls = makeWalls(makeLayout(root), exists);
  return openGit(processes, { walls, guard: { root, source: async () => (await config()).repo.source } });
}
