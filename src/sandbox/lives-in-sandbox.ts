import { layoutAround } from '../store/layout.ts';
import type { Worker } from '../store/state.ts';
import { exists } from '../system/files/files.ts';
import { sandboxPlaces } from './places.ts';

/** Whether a worker's agent runs in a sandbox, or would if it had not ended: config.toml only decides about its next start. */
export function livesInSandbox({ name, worktree_path }: Pick<Worker, 'name' | 'worktree_path'>): boolean {
  return exists(sandboxPlaces(layoutAround(worktree_path), name).git);
}

export type SandboxKind = 'none' | 'bubblewrap';

export const sandboxOf = (worker: Pick<Worker, 'name' | 'worktree_path'>): SandboxKind => (livesInSandbox(worker) ? 'bubblewrap' : 'none');
