import { LlmcError } from '../base/error.ts';
import { decideSession, type SessionView } from '../recovery/decide-session.ts';
import type { Worker } from '../store/state.ts';
import { lastLaunchAt } from '../store/tables/history.ts';
import { agentPane, isForeign, isServer, type Pane } from '../terminal/panes.ts';
import { loadAgent, type WorkContext } from '../workers/context.ts';
import { commitMove } from '../workers/status/commit-move.ts';
import { standing } from '../workers/status/transitions.ts';
import { repairWorktree } from '../workers/worktree/repair-worktree.ts';
import { recallClocks } from './clocks.ts';
import { settleAck } from './deliver/deliver.ts';
import { recallStuck } from './failures/handle-stuck.ts';
import { lostForRun } from './failures/run-exit.ts';
import { isDeclared } from './launch/adopt-agent.ts';
import { incarnationIn, startsAgent } from './launch/environment-file.ts';
import { foreignSession } from './launch/foreign-session.ts';
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
  const pane = panes && agentPane(panes, before.session_id);
  const view = await collectView(context, before, panes, pane);
  const step = decideSession(view);
  if (view.pane === 'foreign') throw foreignSession(terminal, before.session_id);
  if (step.kind === 'refuse') throw new LlmcError('TMUX_SESSION_FAILED', 'tmux does not answer', { hint: 'llmc doctor' });
  const living = step.kind === 'adopt' ? pane : undefined;

  recall(store, watch);
  if (living !== undefined || isDeclared(config, before.agent)) {
    const agent = loadAgent(config, before.agent);
    ingest(store, watch, agent);
    // An agent on the protocol channel reports by itself what its conversation holds.
    if (living === undefined || !isServer(living)) settleAck(context, watch, agent, config);
  }
  await repairWorktree(context, watch.name);
  if (living !== undefined) {
    notePane(watch, living, context.clock.now());
    // It ran before this supervisor did: an end within seconds from now is not one right after its start.
    adoptLife(watch, lastLaunchAt(store.database, watch.name));
    recallClocks(context, watch);
    recallStuck(context, watch, config);
    comeBack(context, watch.name, step.why);
    return;
  }
  if (await lostForRun(context, watch)) return;
  await relaunch(context, watch, { why: before.run === null ? 'started with the supervisor' : 'started for its run' });
  comeBack(context, watch.name, before.incarnation === 0 ? 'its session runs' : 'its session runs again');
}

async function collectView(
  { terminal }: WorkContext,
  worker: Worker,
  panes: readonly Pane[] | undefined,
  pane: Pane | undefined,
): Promise<SessionView> {
  // `adoptAgent` removes the conversation of the agent before, and a launch gives the next.
  const launched = worker.incarnation !== 0 && worker.conversation_id !== null;
  const known = { worker: { launched }, incarnation: 'unknown' } as const;
  if (panes === undefined) return { ...known, pane: 'unknown' };
  if (pane === undefined) return { ...known, pane: isForeign(panes, worker.session_id) ? 'foreign' : 'missing' };
  if (pane.dead) return { ...known, pane: 'dead' };
  const command = await terminal.startedWith(pane.id);
  // The marks of a session can be set by hand, too.
  if (command !== undefined && !startsAgent(command)) return { ...known, pane: 'foreign' };
  const incarnation = launched && command !== undefined ? incarnationIn(command) : undefined;
  if (incarnation === undefined) return { ...known, pane: 'alive' };
  return { ...known, pane: 'alive', incarnation: incarnation === worker.incarnation ? 'same' : 'other' };
}

function comeBack(context: WorkContext, name: string, why: string): void {
  if (context.store.worker(name).status !== 'offline') return;
  // The attention of an idle worker belonged to an earlier incarnation.
  commitMove(context, name, 'came_back', { why, fields: (worker) => (standing(worker) === 'idle' ? { attention: null } : {}) });
}
