import { join } from 'node:path';
import type { LaunchRequest } from '../launch.ts';

/**
 * The permissions of a worker's Codex. With skip_permissions it may do everything: its worktree is the boundary, as with the other agents.
 * Otherwise it runs in the sandbox of Codex, and asks for more when it needs more.
 */
export function permissionFlags(request: Pick<LaunchRequest, 'skipPermissions' | 'root' | 'worktree'>): readonly string[] {
  if (request.skipPermissions) return ['--dangerously-bypass-approvals-and-sandbox'];
  const roots = commitRoots(request).map((path) => JSON.stringify(path));
  return ['-a', 'on-request', '-s', 'workspace-write', '-c', `sandbox_workspace_write.writable_roots=[${roots.join(',')}]`];
}

/**
 * The paths that a commit in a worktree writes: all are outside the worktree, in the clone. Without them 0.166.0 refuses the commit ("Read-only
 * file system"). Hooks and configuration of the clone are not included: llmc's own git would run what an agent put there.
 */
export function commitRoots({ root, worktree }: Pick<LaunchRequest, 'root' | 'worktree'>): readonly string[] {
  const git = join(root, '.git');
  return [join(git, 'worktrees', worktree.split('/').at(-1) ?? ''), ...['objects', 'refs', 'logs'].map((name) => join(git, name))];
}
