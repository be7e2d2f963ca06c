import { join } from 'node:path';
import type { Agent } from '../../agents/agent.ts';
import type { Config } from '../../config/schema.ts';
import { sandboxEnvironment } from '../../sandbox/agent-view.ts';
import { LAUNCHER_SCRIPT, launchFile } from '../../terminal/launcher.ts';
import { VIEWER_WINDOW, viewerMark } from '../../terminal/panes.ts';
import type { WorkContext } from '../../workers/context.ts';
import { insideSandbox, isSandboxed } from '../../workers/worktree/sandbox.ts';
import { allowedVariables, launchRequest, workerEnvironment } from '../launch/launch-plan.ts';
import { isStarting } from '../launch/start-alone.ts';
import { isOpen, type ProtocolSession } from '../observe/protocol-session.ts';
import type { Watch } from '../observe/watch.ts';
import { decideViewer } from './decide-viewer.ts';

/** Keeps the viewer window on the agent's conversation. The viewer is not part of the agent: it may end, and llmc opens it again. */
export async function keepViewer(
  context: WorkContext,
  watch: Watch,
  protocol: ProtocolSession,
  agent: Agent,
  config: Config,
): Promise<boolean> {
  const { clock, store } = context;
  // A viewer opened since the last observation would seem to be missing, and a second one of its name could not be distinguished.
  if (protocol.window === undefined || protocol.window.at <= (protocol.viewer.openedAt ?? -1)) return false;
  const { conversationId, promptsInConversation } = watch.reported;
  const begun = isOpen(protocol) && promptsInConversation > 0 ? conversationId : null;
  const step = decideViewer(
    {
      viewer: protocol.window.pane,
      begun,
      failures: protocol.viewer.failures,
      openedAt: protocol.viewer.openedAt,
      personTypedAt: watch.tmux.personTypedAt,
    },
    clock.now(),
  );
  if (step.kind === 'leave' || (step.conversation !== null && isStarting(context, agent))) return false;
  protocol.viewer.failures = step.failures;
  store.commit({ worker: watch.name, kind: 'viewer', summary: step.why });
  const argv = step.conversation === null ? waitingPage(context, watch) : viewing(context, watch, agent, config, step.conversation);
  try {
    await open(context, watch, protocol, argv, viewerMark(step.conversation));
    return true;
  } catch (error) {
    // Without a viewer no person can watch, but the agent still works.
    protocol.viewer.failures += 1;
    store.commit({ worker: watch.name, kind: 'viewer', summary: `not opened: ${error instanceof Error ? error.message : String(error)}` });
    return false;
  } finally {
    protocol.viewer.openedAt = clock.now();
  }
}

async function open(
  { store, terminal }: WorkContext,
  watch: Watch,
  protocol: ProtocolSession,
  argv: readonly string[],
  mark: string,
): Promise<void> {
  const { session_id: session, worktree_path: cwd } = store.worker(watch.name);
  const window = { name: VIEWER_WINDOW, mark, cwd, argv };
  if (protocol.window?.pane === undefined) await terminal.openWindow(session, window);
  else await terminal.replaceWindow(protocol.window.pane.id, window);
}

/** A conversation without a prompt has no transcript yet, so no viewer could open it. */
function waitingPage(context: WorkContext, watch: Watch): readonly string[] {
  const page = join(context.layout.scratch(watch.name), 'waiting.sh');
  const text = `${watch.name} is ready. Its conversation shows here with its first prompt: llmc start --worker ${watch.name} --prompt "…"`;
  context.files.writePrivate(page, `printf '\\n  %s\\n' '${text}'\nexec sleep 2147483647\n`);
  return ['sh', page];
}

function viewing(context: WorkContext, watch: Watch, agent: Agent, config: Config, conversation: string): readonly string[] {
  const { layout, store } = context;
  const worker = store.worker(watch.name);
  const request = launchRequest(layout, config, worker, watch.life.incarnation, { kind: 'resume', id: conversation });
  const plan = agent.protocol?.viewer(request, layout.agentSocket(watch.name), conversation);
  if (plan === undefined) return waitingPage(context, watch);
  const scratch = layout.scratch(watch.name);
  for (const [name, content] of Object.entries({ ...plan.files, 'launch.sh': LAUNCHER_SCRIPT }))
    context.files.writePrivate(join(scratch, name), content);
  const file = join(scratch, 'viewer.environment');
  const sandboxed = isSandboxed(context, worker.name);
  const outer = workerEnvironment(layout, config, worker, {});
  const own = sandboxed ? sandboxEnvironment(layout, worker.name, agent.configFolder) : {};
  const argv = sandboxed ? insideSandbox(layout, config, worker, { env: outer, user: undefined }, plan.argv) : plan.argv;
  context.files.writePrivate(
    file,
    launchFile(workerEnvironment(layout, config, worker, { ...plan.env, ...own }), worker.worktree_path, argv, {
      onlyThese: allowedVariables(config, worker) !== undefined,
    }),
  );
  return ['sh', join(scratch, 'launch.sh'), file];
}
