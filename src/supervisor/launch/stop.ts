import { describeError } from '../../base/error.ts';
import type { ProcessRow } from '../../base/ports.ts';
import type { Config } from '../../config/schema.ts';
import { BUBBLEWRAP } from '../../sandbox/bubblewrap.ts';
import type { Worker } from '../../store/state.ts';
import type { Pane } from '../../terminal/panes.ts';
import { loadAgent, type WorkContext } from '../../workers/context.ts';
import { commitMove } from '../../workers/status/commit-move.ts';
import { endAgent } from '../../workers/worktree/end-agent.ts';
import { ingest } from '../observe/ingest.ts';
import { newWatch } from '../observe/watch.ts';

/** How long agents get to save their state. */
const GRACE_MS = 5_000;
const POLL_MS = 100;

type StopContext = Pick<WorkContext, 'layout' | 'store' | 'terminal' | 'clock' | 'config' | 'say' | 'files' | 'signals' | 'listProcesses'>;

/**
 * Ends every session. llmc asks the agents first, then kills them; with `force` it kills them at once, also while it waits.
 * The status of each worker is kept for the next `up`. A failure on the way is reported, and keeps nothing running.
 */
export async function stopAll(context: StopContext, force: () => boolean, why = 'llmc down'): Promise<readonly string[]> {
  const { store, terminal } = context;
  try {
    await letAgentsEnd(context, force);
    // A config.toml that was broken meanwhile must not keep anything running.
    const config = await context.config().catch(() => undefined);
    const stopped: string[] = [];
    for (const worker of Object.values(store.state.workers)) {
      await endAgent(context, worker);
      // A command may have removed it meanwhile.
      if (!Object.hasOwn(store.state.workers, worker.name)) continue;
      if (config !== undefined) ingestLastReports(context, config, worker);
      if (worker.status === 'offline') continue;
      commitMove(context, worker.name, 'went_offline', { why });
      stopped.push(worker.name);
      context.say(`Stopped ${worker.name}`);
    }
    return stopped;
  } finally {
    await terminal.shutDown().catch((error: unknown) => context.say(`tmux: ${describeError(error)}`));
  }
}

async function letAgentsEnd({ terminal, clock, signals, listProcesses }: StopContext, force: () => boolean): Promise<void> {
  if (force()) return;
  const living = async () => ((await terminal.panes()) ?? []).filter((pane) => !pane.dead);
  const panes = await living();
  const rows = panes.some(({ command }) => command === BUBBLEWRAP) ? await listProcesses() : [];
  for (const pane of panes) signals.send(agentBehind(rows, pane), 'SIGTERM');
  const deadline = clock.now() + GRACE_MS;
  while (!force() && clock.now() < deadline && (await living()).length > 0) await clock.sleep(POLL_MS);
}

/** bubblewrap passes no signal on, and takes the agent with it at once: the agent is the child of its child. */
function agentBehind(rows: readonly ProcessRow[], { pid, command }: Pick<Pane, 'pid' | 'command'>): number {
  const childOf = (parent: number | undefined) => rows.find((row) => row.parent === parent)?.pid;
  return command === BUBBLEWRAP ? (childOf(childOf(pid)) ?? pid) : pid;
}

/** The agent's last reports, such as the end of a turn, still count; unread ones wait for the next `up`. */
function ingestLastReports({ store, clock, say }: StopContext, config: Config, worker: Worker): void {
  try {
    ingest(
      store,
      newWatch(worker.name, { incarnation: worker.incarnation, launchedAt: clock.now(), resumed: false }),
      loadAgent(config, worker.agent),
    );
  } catch (error) {
    say(`${worker.name}: its last reports were not read: ${describeError(error)}`);
  }
}
