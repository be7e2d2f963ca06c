import type { AgentControl } from './agent-control.ts';
import type { WorkContext } from './context.ts';
import { repairWorktree } from './worktree/repair-worktree.ts';

/** For commands without a supervisor: no agents run, so only the worktree is repaired. */
export function noAgents(context: Pick<WorkContext, 'git' | 'layout' | 'store' | 'clock' | 'config'>): AgentControl {
  return {
    restart: async () => undefined,
    // The next `up` resumes it, if the agent can.
    async resumeConversation(name, conversation) {
      context.store.changeWorker(name, {
        kind: 'conversation',
        summary: `the agent's conversation is ${conversation} again`,
        change: (worker) => Object.assign(worker, { conversation_id: conversation, conversation_used: true }),
      });
      return true;
    },
    keepWorktree: async (name) => void (await repairWorktree(context, name)),
    interrupt: async () => undefined,
    progressAt: () => undefined,
    answer: async () => false,
    continuesByItself: () => false,
    whyNotAlone: async () => undefined,
  };
}
