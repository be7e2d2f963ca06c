import { reconnect } from '../git/worktree/worktree.ts';
import { waitsByItself } from '../recovery/usage-limit.ts';
import type { AgentControl } from '../workers/agent-control.ts';
import { loadAgent, type WorkContext } from '../workers/context.ts';
import { repairWorktree } from '../workers/worktree/repair-worktree.ts';
import { answerDialog } from './dialogs/answer-dialog.ts';
import { keepWorktree } from './launch/keep-worktree.ts';
import { restartAgent, resumeConversation } from './launch/relaunch.ts';
import { lastProgressAt, type Watch } from './observe/watch.ts';
import { toAsksReport } from './report/asks-report.ts';

/** The running agents of a supervisor, for its use-cases. */
export function controlAgents(context: WorkContext, watches: ReadonlyMap<string, Watch>): AgentControl {
  return {
    async restart(name) {
      const watch = watches.get(name);
      if (watch !== undefined) await restartAgent(context, watch);
    },
    async resumeConversation(name, conversation) {
      const watch = watches.get(name);
      return watch !== undefined && (await resumeConversation(context, watch, conversation));
    },
    async keepWorktree(name) {
      const watch = watches.get(name);
      if (watch === undefined) await repairWorktree(context, name);
      else if (!(await keepWorktree(context, watch)))
        await reconnect(context.git, context.layout.root, context.store.worker(name).worktree_path);
    },
    async interrupt(name) {
      const watch = watches.get(name);
      if (watch?.assessment.activity.kind !== 'processing') return;
      const { agent, session_id } = context.store.worker(name);
      context.store.commit({ worker: name, kind: 'interrupt', summary: 'interrupted for an urgent message' });
      const channel = watch.protocol?.connection.channel;
      if (channel !== undefined) channel.say(channel.dialogue.interrupt());
      else await context.terminal.keys(session_id, loadAgent(await context.config(), agent).interruptKeys);
    },
    progressAt(name) {
      const watch = watches.get(name);
      return watch && Math.max(lastProgressAt(watch), watch.tmux.personTypedAt ?? 0);
    },
    async answer(name, choice) {
      const { attention } = context.store.worker(name);
      const isAtStartup = attention?.kind === 'startup_dialog' || attention?.kind === 'login';
      if (attention?.kind !== 'question' && attention?.kind !== 'permission' && !isAtStartup) return false;
      const watch = watches.get(name);
      const open = watch?.dialog.open;
      // The run asked a person about the stored one.
      const asked = isAtStartup ? open?.id : toAsksReport(attention, open)?.id;
      await answerDialog(context, watch, { worker: name, choice, asked: asked ?? undefined, show: () => undefined });
      return true;
    },
    whyNotAlone: async (name) => await whyNotAlone(context, watches.get(name), name),
    continuesByItself: (name) => waitsByItself(watches.get(name)?.assessment.activity),
  };
}

/** Asks now, because a worker that waits is observed rarely. What is not known is not alone. */
async function whyNotAlone(context: WorkContext, watch: Watch | undefined, name: string): Promise<string | undefined> {
  const { agent, session_id } = context.store.worker(name);
  const { panes = [], screens } = await context.terminal.capturePanes([session_id]);
  const own = panes.filter(({ session }) => session === session_id);
  const screen = screens.get(session_id);
  if (watch?.assessment.activity.kind !== 'ready' || own.length === 0) return 'its agent is not ready';
  if (own.some(({ attached }) => attached)) return 'a person is attached to it';
  if (screen === undefined) return 'its screen cannot be read';
  const box = loadAgent(await context.config(), agent).classify(screen, context.clock.now()).box.kind;
  return box === 'text' || box === 'folded' ? 'a draft is in its input box' : undefined;
}
