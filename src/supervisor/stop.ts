import { messageOf } from '../base/error.ts';
import { trySignal } from '../system/signal.ts';
import { agentOf, type WorkContext } from '../workers/context.ts';
import { move } from '../workers/move.ts';
import { ingest } from './ingest.ts';
import { newWatch } from './watch.ts';

/** How long agents get to save themselves. */
const GRACE_MS = 5_000;
const LOOK_EVERY_MS = 100;

/** Ends every session. Agents are asked first, then told; where each worker stood is kept for the next `up`. */
export async function stopAll(context: WorkContext, force: boolean): Promise<readonly string[]> {
  const { store, terminal, clock } = context;
  const panes = (await terminal.panes()) ?? [];
  const living = panes.filter((pane) => !pane.dead);
  if (!force) {
    for (const pane of living) trySignal(pane.pid, 'SIGTERM');
    const deadline = clock.now() + GRACE_MS;
    while (clock.now() < deadline && ((await terminal.panes()) ?? []).some((pane) => !pane.dead)) await clock.sleep(LOOK_EVERY_MS);
  }
  // A config.toml that was broken meanwhile must not keep anything running.
  const config = await context.config().catch(() => undefined);
  const stopped: string[] = [];
  for (const worker of Object.values(store.state.workers)) {
    await terminal.close(worker.session_id);
    // The agent's last words, such as the end of a turn, still count; unread, they wait for the next `up`.
    if (config !== undefined) ingest(store, newWatch(worker.name, worker.incarnation, clock.now()), agentOf(config, worker.agent));
    if (worker.status === 'offline') continue;
    store.commit({
      worker: worker.name,
      kind: 'status',
      summary: `${worker.status} → went_offline: llmc down`,
      state: (draft) => {
        const record = draft.workers[worker.name];
        if (record !== undefined) move(record, 'went_offline', clock.now());
      },
    });
    stopped.push(worker.name);
    context.say(`Stopped ${worker.name}`);
  }
  await terminal.shutDown().catch((error: unknown) => context.say(`tmux: ${messageOf(error)}`));
  return stopped;
}
