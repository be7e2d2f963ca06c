import type { AgentControl } from './agent-control.ts';
import type { WorkContext } from './context.ts';
import { repairWorktree } from './worktree/repair-worktree.ts';

/** No supervisor runs, so there are no agents: only the worktree needs care. */
export function noAgents(context: Pick<WorkContext, 'git' | 'layout' | 'store' | 'config'>): AgentControl {
  return {
    restart: async () => undefined,
    keepWorktree: async (name) => await repairWorktree(context, name),
    interrupt: async () => undefined,
    continuesByItself: () => false,
  };
}
