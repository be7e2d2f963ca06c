import type { LaunchRequest } from '../launch.ts';
import { commitRoots } from './permissions.ts';

/** How a conversation is run, whether it is new or taken up again: all of it by parameter, none of it in the user's files. */
export function threadSettings(request: LaunchRequest): object {
  const { worktree, model, rolePrompt, skipPermissions } = request;
  return {
    cwd: worktree,
    ...(model !== '' && { model }),
    ...(rolePrompt !== '' && { developerInstructions: rolePrompt }),
    approvalPolicy: skipPermissions ? 'never' : 'on-request',
    sandbox: skipPermissions ? 'danger-full-access' : 'workspace-write',
  };
}

/** What holds for every conversation on the server, also for one that a person opens in a viewer. */
export function serverFlags(request: LaunchRequest): readonly string[] {
  const roots = commitRoots(request).map((path) => JSON.stringify(path));
  const settings = request.skipPermissions
    ? ['approval_policy="never"', 'sandbox_mode="danger-full-access"']
    : ['approval_policy="on-request"', 'sandbox_mode="workspace-write"', `sandbox_workspace_write.writable_roots=[${roots.join(',')}]`];
  return settings.flatMap((setting) => ['-c', setting]);
}

/** Models Codex 0.166 would rather have replaced, and by what: named here, it does not ask, and keeps the one it has. */
const MIGRATIONS = { 'gpt-5.5': 'gpt-6-sol', 'gpt-5.6-sol': 'gpt-6-sol', 'gpt-5.6-terra': 'gpt-6-sol', 'gpt-5.6-luna': 'gpt-6-luna' };

/** Keeps start-up dialogs away whose default answer would update the program, change the user's files or wait for a person. */
export function quietFlags({ root, worktree }: LaunchRequest): readonly string[] {
  const trusted = [worktree, root].map((path) => `${JSON.stringify(path)}={trust_level="trusted"}`);
  const migrations = Object.entries(MIGRATIONS).map((pair) => pair.map((name) => JSON.stringify(name)).join('='));
  const settings = [
    'check_for_update_on_startup=false',
    // A worktree is trusted by its own path or by that of the repository it belongs to.
    `projects={${trusted.join(',')}}`,
    `notice.model_migrations={${migrations.join(',')}}`,
    'notice.hide_rate_limit_model_nudge=true',
    'notice.hide_full_access_warning=true',
  ];
  return settings.flatMap((setting) => ['-c', setting]);
}
