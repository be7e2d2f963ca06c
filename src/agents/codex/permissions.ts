import { join } from 'node:path';
import type { LaunchRequest } from '../launch.ts';

/**
 * What a worker's Codex may do without asking. With skip_permissions everything: its worktree is the fence, as with the other agents.
 * Otherwise the sandbox of Codex, in which it asks for more where it needs more.
 */
export function permissionFlags(request: Pick<LaunchRequest, 'skipPermissions' | 'root' | 'worktree'>): readonly string[] {
  if (request.skipPermissions) return ['--dangerously-bypass-approvals-and-sandbox'];
  const roots = commitRoots(request).map((path) => JSON.stringify(path));
  return ['-a', 'on-request', '-s', 'workspace-write', '-c', `sandbox_workspace_write.writable_roots=[${roots.join(',')}]`];
}

/**
 * Where a commit in a worktree writes: all of it outside the worktree, in the clone. Without these 0.166.0 refuses the commit ("Read-only
 * file system"). Hooks and configuration of the clone are left out: llmc's own git would run what an agent put there.
 */
export function commitRoots({ root, worktree }: Pick<LaunchRequest, 'root' | 'worktree'>): readonly string[] {
  const git = join(root, '.git');
  return [join(git, 'worktrees', worktree.split('/').at(-1) ?? ''), ...['objects', 'refs', 'logs'].map((name) => join(git, name))];
}
