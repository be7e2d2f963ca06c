import type { Agent } from '../agents/agent.ts';
import { agentProgram } from '../config/agent-program.ts';
import type { Config } from '../config/schema.ts';
import type { Worker } from '../store/state.ts';
import { readTextIfThere } from '../system/files.ts';
import { trySignal } from '../system/signal.ts';
import { agentPane, type Pane, SERVER_WINDOW, viewerPane } from '../terminal/panes.ts';
import type { Screen } from '../terminal/screen.ts';
import { reopenSocket } from '../terminal/server-above.ts';
import { agentOf, type WorkContext } from '../workers/context.ts';
import { ingest } from './ingest.ts';
import { hear } from './spoken/hear.ts';
import { newSpoken } from './spoken/spoken.ts';
import { noteLive, noteLook, type Watch } from './watch.ts';

/**
 * One look at the whole fleet: one question to tmux for all panes, one for all screens, then each agent's own files.
 * What fails for one worker is told and leaves it out of this pass; the others are seen all the same.
 */
export async function observe(
  context: Pick<WorkContext, 'store' | 'terminal' | 'clock' | 'hands' | 'config' | 'processes'>,
  watches: readonly Watch[],
  trouble: (name: string, error: unknown) => void,
): Promise<readonly Watch[]> {
  const { store, terminal, clock, hands, processes } = context;
  const began = clock.now();
  const panes = await terminal.panes();
  const attached = panes?.some((pane) => pane.attached) ?? false;
  const presses = attached ? await terminal.keyPresses() : new Map<string, number>();
  // One that is spoken to says what it does; its screen is for people.
  const isTyped = (session: string): boolean => {
    const pane = agentPane(panes ?? [], session);
    return pane !== undefined && !pane.dead && pane.window !== SERVER_WINDOW;
  };
  const sessions = watches.map((watch) => store.state.workers[watch.name]?.session_id ?? '').filter(isTyped);
  const screens = await terminal.capture(sessions);
  const config = await context.config();
  const see = (watch: Watch): boolean => {
    const worker = store.state.workers[watch.name];
    // A hand on the worker, or a launch since we asked: what was seen may be of another life. The next pass looks again.
    if (worker === undefined || hands.isHeld(watch.name) || watch.launchedAt > began) return false;
    const agent = agentOf(config, worker.agent);
    const now = clock.now();
    watch.pane = paneOf(watch, panes, worker.session_id);
    if (typeof watch.pane !== 'string') watch.pid = watch.pane.pid;
    if (typeof watch.pane !== 'string' && !watch.pane.dead) watch.goneLooks = 0;
    watch.personTypedAt = presses.get(worker.session_id);
    if (typeof watch.pane !== 'string' && watch.pane.window === SERVER_WINDOW) watch.spoken ??= newSpoken();
    const screen = titled(screens.get(worker.session_id), watch.pane);
    if (screen !== undefined) noteLook(watch, screen, agent.classify(screen, now), now);
    // An old look says nothing about now; only of the dead it is kept, as their last words.
    else if (watch.pane === 'unknown' || (watch.pane !== 'gone' && !watch.pane.dead)) watch.look = undefined;
    ingest(store, watch, agent);
    if (watch.spoken === undefined) noteLive(watch, liveActivity(watch.pane, worker, agent, config), now);
    else {
      watch.spoken.viewer = viewerPane(panes ?? [], worker.session_id);
      hear(store, clock, watch, watch.spoken);
    }
    return true;
  };
  const seen = watches.filter((watch) => {
    try {
      return see(watch);
    } catch (error) {
      trouble(watch.name, error);
      return false;
    }
  });
  const cutOff = panes?.length === 0 ? seen.find(({ pane }) => pane === 'unknown') : undefined;
  if (cutOff?.pid !== undefined) await reopenSocket(processes, cutOff.pid);
  return seen;
}

/** tmux tells titles with its panes, not with their screens. */
function titled(screen: Screen | undefined, pane: Watch['pane']): Screen | undefined {
  return screen === undefined || typeof pane === 'string' ? screen : { ...screen, title: pane.title };
}

/** A session tmux does not show has ended only if its process has: whoever removes the socket's file takes tmux from us, not the agent. */
function paneOf(watch: Watch, panes: readonly Pane[] | undefined, session: string): Watch['pane'] {
  if (panes === undefined) return 'unknown';
  const pane = agentPane(panes, session);
  if (pane !== undefined) return pane;
  return watch.pid !== undefined && trySignal(watch.pid, 0) ? 'unknown' : 'gone';
}

/** The file belongs to a process id, so that of an agent long dead is never read. */
function liveActivity(pane: Pane | 'gone' | 'unknown', worker: Worker, agent: Agent, config: Config) {
  if (agent.statusFile === undefined || typeof pane === 'string' || pane.dead) return undefined;
  const text = readTextIfThere(agent.statusFile.path(agentEnvironment(config, worker.agent), pane.pid));
  return text === undefined ? undefined : agent.statusFile.read(text)?.activity;
}

/** Where the agent's own files lie depends on the environment it was given. */
export function agentEnvironment(config: Config, agent: string): Readonly<Record<string, string | undefined>> {
  return { ...process.env, ...agentProgram(config, agent).env };
}
