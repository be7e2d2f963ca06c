import { dirname, join } from 'node:path';
import { fault } from '../../base/fault.ts';
import type { Config } from '../../config/schema.ts';
import { oneMoreCrash } from '../../recovery/crashes.ts';
import type { OwnExit } from '../../recovery/decide-exit.ts';
import { showToAgent } from '../../sandbox/agent-user.ts';
import type { Worker } from '../../store/state.ts';
import { keepSeal, pruneEvents } from '../../store/tables/events.ts';
import { CONVERSATION_DROPPED } from '../../store/tables/history.ts';
import { LAUNCHER_SCRIPT, launchFile } from '../../terminal/launcher.ts';
import { SERVER_WINDOW } from '../../terminal/panes.ts';
import { loadAgent, type WorkContext } from '../../workers/context.ts';
import { endAgent } from '../../workers/worktree/end-agent.ts';
import { repairWorktree } from '../../workers/worktree/repair-worktree.ts';
import { settleSandbox } from '../../workers/worktree/sandbox.ts';
import { closeConnection } from '../observe/protocol-session.ts';
import { beginLife, type Watch } from '../observe/watch.ts';
import { environmentFile } from './environment-file.ts';
import { requireOwnSession } from './foreign-session.ts';
import { allowedVariables, planLaunch, requireProgram, workerEnvironment } from './launch-plan.ts';
import { prepareAgent } from './prepare-agent.ts';
import { startAlone } from './start-alone.ts';
import { usesProtocol } from './uses-protocol.ts';

export interface Start {
  readonly conversation: 'resume' | 'fresh';
  readonly why: string;
  readonly crashed: boolean;
  readonly resumeExit?: OwnExit | undefined;
  /** Why the conversation before is not resumed, although it has prompts. */
  readonly dropped?: string;
}

/** Starts a new incarnation of a worker's agent. The number is raised on disk first, so that no fact of the old incarnation can count for the new one. */
export async function launch(context: WorkContext, watch: Watch, how: Start): Promise<void> {
  const { store, layout, clock, random, terminal, files: disk } = context;
  await repairWorktree(context, watch.name);
  const config = await context.config();
  const before = store.worker(watch.name);
  const incarnation = before.incarnation + 1;
  const known = how.conversation === 'resume' ? before.conversation_id : null;
  const conversation = known === null ? ({ kind: 'fresh', id: random.id() } as const) : ({ kind: 'resume', id: known } as const);
  requireProgram(layout, config, before);
  await requireOwnSession(terminal, before.session_id);
  await settleSandbox(context, config, before, workerEnvironment(layout, config, before, {}));
  await prepareAgent(context, config, before);
  const socket = (await usesProtocol(context, config, before)) ? layout.agentSocket(watch.name) : undefined;
  const seal = random.id();
  const { argv, files, environment } = planLaunch(layout, config, before, incarnation, conversation, { socket, seal });

  fault('launch:before-incarnation');
  if (how.dropped !== undefined) noteDropped(store, before, how.dropped);
  store.changeWorker(watch.name, {
    kind: 'launch',
    summary: `${how.why}; incarnation ${incarnation}, ${known === null ? 'new conversation' : 'resuming its conversation'}${channelNote(config, before.agent, socket)}`,
    change: (worker) => {
      Object.assign(worker, { incarnation, conversation_id: conversation.id });
      if (known === null) Object.assign(worker, { conversation_used: false, resume_exits: [] });
      else if (how.resumeExit !== undefined) worker.resume_exits = [...worker.resume_exits, how.resumeExit];
      if (how.crashed) Object.assign(worker, oneMoreCrash(worker, clock.now()));
    },
    rows: (database) => keepSeal(database, watch.name, incarnation, seal),
  });
  fault('launch:after-incarnation');
  pruneEvents(store.database, watch.name, incarnation);

  const scratch = layout.scratch(watch.name);
  disk.makeFolder(layout.spool(watch.name));
  if (socket !== undefined) disk.makeFolder(dirname(socket));
  for (const [name, content] of Object.entries({ ...files, 'launch.sh': LAUNCHER_SCRIPT })) disk.writePrivate(join(scratch, name), content);
  for (const name of Object.keys(files)) showToAgent(layout, watch.name, join(scratch, name));
  const file = join(scratch, environmentFile(incarnation));
  const onlyThese = allowedVariables(config, before) !== undefined;
  disk.writePrivate(file, launchFile(environment, before.worktree_path, argv, { onlyThese }));
  closeConnection(watch.protocol);
  await endAgent(context, before);
  await startAlone(
    context,
    config,
    before,
    () => isBeyondStart(context, before.session_id, socket),
    () =>
      terminal.open({
        name: before.session_id,
        cwd: before.worktree_path,
        size: config.pane,
        argv: ['sh', join(scratch, 'launch.sh'), file],
        ...(socket !== undefined && { window: SERVER_WINDOW }),
      }),
  );
  fault('launch:after-session');
  beginLife(watch, { incarnation, launchedAt: clock.now(), resumed: known !== null });
}

function noteDropped(store: WorkContext['store'], { name, conversation_id }: Worker, why: string): void {
  store.commit({
    worker: name,
    kind: CONVERSATION_DROPPED,
    recovers: true,
    summary: `its conversation ${conversation_id} was given up: ${why}. The new one has only what is still open`,
  });
}

/** A server that listens, or an interface that has drawn anything, has prepared its files before. */
async function isBeyondStart({ terminal, files }: WorkContext, session: string, socket: string | undefined): Promise<boolean> {
  if (socket !== undefined) return files.exists(socket);
  return (await terminal.capture([session])).get(session)?.lines.some((line) => line !== '') === true;
}

/** Names the channel of an agent that has two. */
function channelNote(config: Config, agent: string, socket: string | undefined): string {
  if (loadAgent(config, agent).protocol === undefined) return '';
  return socket === undefined ? ', keyboard channel' : ', protocol channel';
}
