import type { LaunchRequest } from '../launch.ts';
import { commitRoots } from './permissions.ts';

/** The parameters of a conversation, new or resumed: llmc passes all of them and writes nothing into the user's files. */
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

/** The settings of every conversation on the server, also of one that a person opens in a viewer. */
export function serverFlags(request: LaunchRequest): readonly string[] {
  const roots = commitRoots(request).map((path) => JSON.stringify(path));
  const settings = request.skipPermissions
    ? ['approval_policy="never"', 'sandbox_mode="danger-full-access"']
    : ['approval_policy="on-request"', 'sandbox_mode="workspace-write"', `sandbox_workspace_write.writable_roots=[${roots.join(',')}]`];
  return settings.flatMap((setting) => ['-c', setting]);
}

/** Models that Codex 0.166 offers to replace, and their replacements: with these entries it does not ask, and keeps the model. */
const MIGRATIONS = { 'gpt-5.5': 'gpt-6-sol', 'gpt-5.6-sol': 'gpt-6-sol', 'gpt-5.6-terra': 'gpt-6-sol', 'gpt-5.6-luna': 'gpt-6-luna' };

/** Prevents start-up dialogs whose default answer would update the program, change the user's files or wait for a person. */
export function quietFlags({ root, worktree }: LaunchRequest): readonly string[] {
  const trusted = [worktree, root].map((path) => `${JSON.stringify(path)}={trust_level="trusted"}`);
  const migrations = Object.entries(MIGRATIONS).map((pair) => pair.map((name) => JSON.stringify(name)).join('='));
  const settings = [
    'check_for_update_on_startup=false',
    // Codex trusts a worktree by its own path or by that of its repository.
    `projects={${trusted.join(',')}}`,
    `notice.model_migrations={${migrations.join(',')}}`,
    'notice.hide_rate_limit_model_nudge=true',
    'notice.hide_full_access_warning=true',
  ];
  return settings.flatMap((setting) => ['-c', setting]);
}
