import type { Agent } from '../agents/agent.ts';
import type { Config } from '../config/schema.ts';
import { loadAgent, type WorkContext } from '../workers/context.ts';
import { judgeOwner } from '../workers/tasks/owner.ts';
import { assessWorker } from './assess/assess-worker.ts';
import { deliverStep, settleAck } from './deliver/deliver.ts';
import { sendStep } from './deliver/send-over-protocol.ts';
import { withdrawNudge } from './deliver/withdraw-nudge.ts';
import { answerStartup } from './dialogs/startup-dialog.ts';
import { distrustPattern } from './failures/distrust-pattern.ts';
import { finishByExit } from './failures/ended-turn.ts';
import { handleFailedTurn } from './failures/handle-failed-turn.ts';
import { handleStuck } from './failures/handle-stuck.ts';
import { handleRunExit } from './failures/run-exit.ts';
import { handleExit } from './launch/handle-exit.ts';
import { keepWorktree } from './launch/keep-worktree.ts';
import { relaunch } from './launch/relaunch.ts';
import { restoreSize } from './launch/restore-size.ts';
import { settleResume } from './launch/resume.ts';
import { wakeSuspended } from './launch/wake-suspended.ts';
import { handleLimit } from './limits/handle-limit.ts';
import { noteReady, type Watch } from './observe/watch.ts';
import { applyProgress } from './progress/apply-progress.ts';
import { finishByCommit } from './progress/finish-by-commit.ts';
import { keepConversation } from './progress/keep-conversation.ts';
import { watchResolution } from './progress/watch-resolution.ts';
import { keepConnected } from './protocol/connect.ts';
import { keepViewer } from './protocol/viewer.ts';

/**
 * The second half of a pass. The worker was observed; now its activity is assessed. Then one concern after the other decides and
 * acts, and the first that acts ends the step. Returns true when something was done, so that the worker is observed again at once.
 */
export async function stepWorker(context: WorkContext, watch: Watch, wake: () => void): Promise<boolean> {
  const worker = context.store.state.workers[watch.name];
  if (worker === undefined || worker.status === 'offline') return false;
  const config = await context.config();
  const agent = loadAgent(config, worker.agent);
  assessWorker(watch, context.clock.now());
  // With the next pass: this one has classified the screen by the pattern.
  if (distrustPattern(context, watch, agent)) return true;
  keepConversation(context, watch, agent);

  const { activity } = watch.assessment;
  noteReady(watch, activity);
  settleResume(context, watch);
  if (activity.kind === 'exited') {
    settleAck(context, watch, agent, config);
    if (await finishByExit(context, watch, agent, activity, config)) return true;
    return await (judgeOwner(worker) === 'run' ? handleRunExit : handleExit)(context, watch, activity);
  }
  if (await keepWorktree(context, watch)) return true;
  if (await keepChannel(context, watch, agent, config, wake)) return true;
  const limit = await handleLimit(context, watch, config);
  if (limit === 'acted') return true;
  const failed = limit === 'none' ? await handleFailedTurn(context, watch, config) : 'none';
  if (failed === 'acted') return true;
  const waits = limit === 'waits' || failed === 'waits';
  // Before a prompt goes out: help that was queued in a turn is not needed when the turn has resolved the conflict.
  if (!waits && worker.status === 'rebasing' && (await watchResolution(context, watch, config))) return true;
  if (await deliver(context, watch, agent, config)) return true;
  if (waits) return false;
  const assessment = limit === 'settled' ? { ...watch.assessment, activity: { kind: 'ready' } as const } : watch.assessment;
  if (await applyProgress(context, watch, assessment, config)) return true;
  return (await finishByCommit(context, watch, agent, config)) || (await handleStuck(context, watch, config));
}

/** Prepares what a prompt needs: an open connection, or a screen of the right size without a start-up dialog. */
async function keepChannel(context: WorkContext, watch: Watch, agent: Agent, config: Config, wake: () => void): Promise<boolean> {
  if (watch.protocol === undefined && wakeSuspended(context, watch)) return true;
  if (watch.protocol === undefined) return (await restoreSize(context, watch, config)) || (await answerStartup(context, watch, agent));
  keepConnected(context, watch, watch.protocol, agent, config, wake);
  const { lost } = watch.protocol.connection;
  if (lost === undefined) return false;
  await relaunch(context, watch, { conversation: 'fresh', why: `the agent does not have its conversation (${lost}); starting a new one` });
  return true;
}

async function deliver(context: WorkContext, watch: Watch, agent: Agent, config: Config): Promise<boolean> {
  if (withdrawNudge(context, watch)) return true;
  const { protocol } = watch;
  if (protocol === undefined) return await deliverStep(context, watch, agent, config);
  return sendStep(context, watch, protocol, agent, config) || (await keepViewer(context, watch, protocol, agent, config));
}
