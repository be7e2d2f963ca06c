import type { AgentControl } from './agent-control.ts';
import type { WorkContext } from './context.ts';
import { repairWorktree } from './worktree/repair-worktree.ts';

/** For commands without a supervisor: no agents run, so only the worktree is repaired. */
export function noAgents(context: Pick<WorkContext, 'git' | 'layout' | 'store' | 'config'>): AgentControl {
  return {
    restart: async () => undefined,
    keepWorktree: async (name) => await repairWorktree(context, name),
    interrupt: async () => undefined,
    continuesByItself: () => false,
  };
}
