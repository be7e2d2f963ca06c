import type { SandboxOptions } from '../config/schema.ts';
import { layoutAround } from '../store/layout.ts';
import type { Worker } from '../store/state.ts';
import { exists } from '../system/files/files.ts';
import { sandboxPlaces } from './places.ts';

export type SandboxKind = SandboxOptions['kind'];

/** The sandbox that a worker's agent runs in, or would if it had not ended: config.toml only decides about its next start. */
export function readSandboxKind({ name, worktree_path }: Pick<Worker, 'name' | 'worktree_path'>): SandboxKind {
  const { user, bubblewrap } = sandboxPlaces(layoutAround(worktree_path), name);
  return exists(user) ? 'user' : exists(bubblewrap) ? 'bubblewrap' : 'none';
}
