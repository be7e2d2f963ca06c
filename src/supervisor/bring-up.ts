import { LlmcError } from '../base/error.ts';
import type { Worker } from '../store/state.ts';
import { lastLaunchAt } from '../store/tables/history.ts';
import { agentPane, isServer, type Pane } from '../terminal/panes.ts';
import { agentOf, type WorkContext } from '../workers/context.ts';
import { commitMove } from '../workers/status/commit-move.ts';
import { standing } from '../workers/status/transitions.ts';
import { repairWorktree } from '../workers/worktree/repair-worktree.ts';
import { settleAck } from './deliver/deliver.ts';
import { isDeclared } from './launch/adopt-agent.ts';
import { incarnationIn } from './launch/environment-file.ts';
import { relaunch } from './launch/relaunch.ts';
import { ingest, recall } from './observe/ingest.ts';
import { notePane } from './observe/tmux-watch.ts';
import { adoptLife, type Watch } from './observe/watch.ts';

/** Gets a worker's agent running: adopts a living session as it is, and otherwise starts the agent again and resumes its conversation. */
export async function bringUp(context: WorkContext, watch: Watch): Promise<void> {
  const { store, terminal } = context;
  const before = store.worker(watch.name);
  const config = await context.config();
  const panes = await terminal.panes();
  if (panes === undefined) throw new LlmcError('TMUX_SESSION_FAILED', 'tmux does not answer', { hint: 'llmc doctor' });
  const pane = agentPane(panes, before.session_id);
  const lives = pane !== undefined && !pane.dead && (await isItsAgent(context, before, pane));

  recall(store, watch);
  if (lives || isDeclared(config, before.agent)) {
    const agent = agentOf(config, before.agent);
    ingest(store, watch, agent);
    // An agent on the protocol channel reports by itself what its conversation holds.
    if (!lives || !isServer(pane)) settleAck(context, watch, agent, config);
  }
  await repairWorktree(context, watch.name);
  if (lives) {
    notePane(watch, pane, context.clock.now());
    // It ran before this supervisor did: an end within seconds from now is not one right after its start.
    adoptLife(watch, lastLaunchAt(store.database, watch.name));
    comeBack(context, watch.name, 'its session was still running');
    return;
  }
  await relaunch(context, watch, { why: 'started with the supervisor' });
  comeBack(context, watch.name, 'its session runs again');
}

/** A supervisor that is killed while it replaces an agent leaves the old one running: under another agent's name, or with an older incarnation. */
async function isItsAgent({ terminal }: WorkContext, worker: Worker, pane: Pane): Promise<boolean> {
  // The new agent was chosen and never started: `adoptAgent` removes the conversation, and a launch gives the next.
  if (worker.incarnation === 0 || worker.conversation_id === null) return false;
  const incarnation = incarnationIn(await terminal.startedWith(pane.id));
  return incarnation === undefined || incarnation === worker.incarnation;
}

function comeBack(context: WorkContext, name: string, why: string): void {
  if (context.store.worker(name).status !== 'offline') return;
  // The attention of an idle worker belonged to an earlier incarnation.
  commitMove(context, name, 'came_back', { why, fields: (worker) => (standing(worker) === 'idle' ? { attention: null } : {}) });
}
