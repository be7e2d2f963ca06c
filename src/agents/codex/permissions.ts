import { join } from 'node:path';
import type { LaunchRequest } from '../launch.ts';

/**
 * The permissions of a worker's Codex. With skip_permissions it may do everything: its worktree is the boundary, as with the other agents.
 * Otherwise it runs in the sandbox of Codex, and asks for more when it needs more.
 */
export function permissionFlags(request: Pick<LaunchRequest, 'skipPermissions' | 'repository' | 'worktree'>): readonly string[] {
  if (request.skipPermissions) return ['--dangerously-bypass-approvals-and-sandbox'];
  const roots = commitRoots(request).map((path) => JSON.stringify(path));
  return ['-a', 'on-request', '-s', 'workspace-write', '-c', `sandbox_workspace_write.writable_roots=[${roots.join(',')}]`];
}

/**
 * The paths that a commit in a worktree writes: all are outside the worktree, in the worker's repository. Without them 0.166.0 refuses the
 * commit ("Read-only file system"). Hooks and configuration are not included: a person's git in the worktree would run what is there.
 */
export function commitRoots({ repository, worktree }: Pick<LaunchRequest, 'repository' | 'worktree'>): readonly string[] {
  const own = join(repository, 'worktrees', worktree.split('/').at(-1) ?? '');
  return [own, ...['objects', 'refs', 'logs'].map((name) => join(repository, name))];
}
