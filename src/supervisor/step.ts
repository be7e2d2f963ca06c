import type { Assessment } from '../agents/activity.ts';
import type { Agent } from '../agents/agent.ts';
import type { Instant } from '../base/ports.ts';
import type { Config } from '../config/schema.ts';
import { commitsAhead, readStatus } from '../git/inspect.ts';
import { trackingRef } from '../git/refs.ts';
import type { Database } from '../store/database.ts';
import { ackedDeliveries, nextDelivery, updateDelivery } from '../store/deliveries.ts';
import { agentOf, type WorkContext } from '../workers/context.ts';
import { mainBranch } from '../workers/landing/main-branch.ts';
import { commitMove } from '../workers/status/commit-move.ts';
import { deliverStep, settleAck } from './deliver/deliver.ts';
import { sendStep } from './deliver/send-over-protocol.ts';
import { answerStartup } from './dialogs/startup-dialog.ts';
import { handleExit } from './launch/handle-exit.ts';
import { keepWorktree } from './launch/keep-worktree.ts';
import { restoreSize } from './launch/restore-size.ts';
import { handleLimit } from './limits/handle-limit.ts';
import { assess } from './observe/assess.ts';
import type { ProtocolEvidence } from './observe/assess-protocol.ts';
import { isOpen } from './observe/protocol-session.ts';
import type { Watch } from './observe/watch.ts';
import { type BranchFacts, decideProgress, type Progress, type ProgressView } from './progress/decide-progress.ts';
import { keepConnected } from './protocol/connect.ts';
import { keepViewer } from './protocol/viewer.ts';

/** Observe has happened; this decides and acts for one worker. Returns true when something was done and another look is due at once. */
export async function stepWorker(context: WorkContext, watch: Watch, wake: () => void): Promise<boolean> {
  const { store, clock } = context;
  const worker = store.state.workers[watch.name];
  if (worker === undefined || worker.status === 'offline') return false;
  const config = await context.config();
  const agent = agentOf(config, worker.agent);
  const evidence = { ...watch, before: watch.assessment, screen: watch.look, protocolEvidence: protocolEvidenceOf(watch) };
  watch.assessment = settled(watch, assess(evidence, clock.now()));
  keepConversation(context, watch, agent);

  const { activity } = watch.assessment;
  if (activity.kind === 'exited') {
    settleAck(context, watch, agent, config);
    return await handleExit(context, watch, activity);
  }
  if (await keepWorktree(context, watch)) return true;
  const { protocol } = watch;
  if (protocol !== undefined) keepConnected(context, watch, protocol, agent, config, wake);
  else if ((await restoreSize(context, watch, config)) || (await answerStartup(context, watch, agent))) return true;
  const limit = await handleLimit(context, watch, config);
  if (limit === 'acted') return true;
  if (protocol === undefined) {
    if (await deliverStep(context, watch, agent, config)) return true;
  } else if (sendStep(context, watch, protocol, agent, config) || (await keepViewer(context, watch, protocol, agent, config))) return true;
  if (limit === 'waits') return false;
  const assessment = limit === 'settled' ? { ...watch.assessment, activity: { kind: 'ready' } as const } : watch.assessment;
  return await progress(context, watch, assessment, config);
}

function protocolEvidenceOf({ protocol, memory, live, launchedAt }: Watch): ProtocolEvidence | undefined {
  if (protocol === undefined) return undefined;
  const { channel } = protocol;
  const connected = channel?.openedAt !== undefined && channel.ended === undefined;
  return { connected, open: isOpen(protocol), wasHeard: memory.said !== null, live, memory, launchedAt };
}

/** Keeps the time since when an activity has lasted, as long as it is the same one. */
function settled(watch: Watch, next: Watch['assessment']): Watch['assessment'] {
  const same = watch.assessment.activity.kind === next.activity.kind;
  return same ? { ...next, since: Math.min(watch.assessment.since, next.since) } : next;
}

/** A conversation's id changes at every clear; the stored one must be the one a resume would need. */
function keepConversation(context: WorkContext, watch: Watch, agent: Agent): void {
  const { conversationId, promptsInConversation } = watch.memory;
  const worker = context.store.worker(watch.name);
  if (conversationId === null) return keepShown(context, watch, agent);
  const used = worker.conversation_used || promptsInConversation > 0;
  if (conversationId === worker.conversation_id && used === worker.conversation_used) return;
  storeConversation(context, watch, conversationId, promptsInConversation > 0);
}

/** No report has named it yet, or none ever will. The beginning of an id takes nothing up again, but tells when it was cleared. */
function keepShown(context: WorkContext, watch: Watch, agent: Agent): void {
  const shown = watch.look && agent.conversationOn?.(watch.look.screen);
  if (shown === undefined || context.store.worker(watch.name).conversation_id?.startsWith(shown) === true) return;
  storeConversation(context, watch, shown, false);
}

function storeConversation(context: WorkContext, watch: Watch, id: string, used: boolean): void {
  context.store.changeWorker(watch.name, {
    kind: 'conversation',
    summary: `the agent's conversation is ${id}`,
    change: (worker) => Object.assign(worker, { conversation_id: id, conversation_used: used }),
  });
}

/** What stands for its screen where nobody reads one: the agent's own word. */
function shownBy({ protocol, look }: Watch, assessment: Assessment, at: Instant): ProgressView['screen'] {
  if (protocol !== undefined) return { kind: assessment.activity.kind, since: assessment.since, at };
  return look && { kind: look.reading.activity.kind, since: look.since, at: look.at };
}

async function progress(context: WorkContext, watch: Watch, assessment: Assessment, config: Config): Promise<boolean> {
  const { store } = context;
  const worker = store.worker(watch.name);
  const now = context.clock.now();
  const view: ProgressView = {
    worker,
    assessment,
    undelivered: nextDelivery(store.database, watch.name) === undefined ? 0 : 1,
    acked: ackedDeliveries(store.database, watch.name),
    screen: shownBy(watch, assessment, now),
    unseenTurn: (watch.memory.lastTurn?.seq ?? 0) > watch.seenTurn,
    branch: undefined,
  };
  let decision = decideProgress(view, now);
  if (decision.kind === 'look')
    decision = decideProgress(
      { ...view, branch: await branchFacts(context, worker.worktree_path, await mainBranch(context, config)) },
      now,
    );
  if (assessment.activity.kind === 'ready') watch.seenTurn = watch.memory.lastTurn?.seq ?? watch.seenTurn;
  if (decision.kind === 'settle') {
    const rows = (database: Database) => endTurn(database, watch.name, now);
    store.commit({ worker: watch.name, kind: 'delivery', summary: decision.why, rows });
  }
  if (decision.kind !== 'move') return false;
  apply(context, watch, decision);
  return true;
}

function apply(context: WorkContext, watch: Watch, decision: Extract<Progress, { kind: 'move' }>): void {
  const { event, why, fields, turnOver } = decision;
  commitMove(context, watch.name, event, {
    why,
    fields,
    rows: (database) => {
      if (turnOver) endTurn(database, watch.name, context.clock.now());
    },
  });
}

function endTurn(database: Database, worker: string, now: Instant): void {
  for (const row of ackedDeliveries(database, worker)) updateDelivery(database, row.id, { state: 'done', done_ms: now });
}

/** Two processes, not one per fact: nothing else is done while Node starts one, and this is what the end of a turn waits for. */
async function branchFacts(context: WorkContext, worktree: string, branch: string): Promise<BranchFacts> {
  const [{ head = '', changes }, ahead] = await Promise.all([
    readStatus(context.git, worktree),
    commitsAhead(context.git, worktree, trackingRef(branch)),
  ]);
  return { head, ahead, dirty: changes.length > 0 };
}
