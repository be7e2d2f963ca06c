import type { Agent } from '../../agents/agent.ts';
import type { Instant } from '../../base/ports.ts';
import { nextState } from '../../store/deliveries.ts';
import type { Worker } from '../../store/state.ts';
import { trySignal } from '../../system/processes/signal.ts';
import { agentPane, isServer, type Pane, viewerPane } from '../../terminal/panes.ts';
import type { Screen } from '../../terminal/screen.ts';
import { reopenSocket } from '../../terminal/server-above.ts';
import { agentOf, type WorkContext } from '../../workers/context.ts';
import { ingest } from './ingest.ts';
import { needsFreshScreen } from './polling.ts';
import { readProtocolEvents } from './protocol-events.ts';
import { newProtocolSession } from './protocol-session.ts';
import { readStatusFile } from './status-file.ts';
import { noteLive, noteLook, type Watch } from './watch.ts';

type ObserveContext = Pick<WorkContext, 'store' | 'terminal' | 'clock' | 'locks' | 'config' | 'processes'>;

/**
 * One look at the fleet: one question to tmux for all panes and the screens of those at work, another only for who else has
 * drawn anything, then their own files. Whoever's pane has changed for the worse is due at once. Returns those looked at.
 * What fails for one worker is told and leaves it out of this pass; the others are seen all the same.
 */
export async function observe(
  context: ObserveContext,
  watches: readonly Watch[],
  due: ReadonlySet<Watch>,
  trouble: (name: string, error: unknown) => void,
): Promise<readonly Watch[]> {
  const { store, terminal, clock, locks, processes } = context;
  const began = clock.now();
  // A hand on the worker, or a launch since we asked: what was seen may be of another life. The next pass looks again.
  const lives = new Map(watches.map((watch) => [watch, watch.incarnation]));
  const untouched = (watch: Watch) => !locks.isLocked(watch.name) && watch.incarnation === lives.get(watch);
  const first = await terminal.capturePanes(
    watches.filter((watch) => due.has(watch) && untouched(watch)).flatMap((watch) => surelyDraws(context, watch)),
  );
  const { panes } = first;
  const attached = panes?.some((pane) => pane.attached) ?? false;
  const presses = attached ? await terminal.keyPresses() : new Map<string, number>();
  const bySession = panes && Map.groupBy(panes, ({ session }) => session);
  const looks = watches.filter(untouched).flatMap((watch) => {
    const worker = store.state.workers[watch.name];
    if (worker === undefined) return [];
    const before = watch.pane;
    notePane(watch, paneOf(watch, bySession, worker.session_id), began);
    watch.personTypedAt = presses.get(worker.session_id);
    if (typeof watch.pane !== 'string' && isServer(watch.pane)) watch.protocol ??= newProtocolSession();
    const own = bySession?.get(worker.session_id);
    if (watch.protocol !== undefined && own !== undefined)
      Object.assign(watch.protocol, { viewer: viewerPane(own, worker.session_id), viewerSeenAt: began });
    if (!due.has(watch) && standing(before) === standing(watch.pane)) return [];
    return [{ watch, worker, fresh: mayShowAnew(context, watch) }];
  });
  // One that is spoken to says what it does; its screen is for people.
  const drawn = looks.filter(({ watch, fresh }) => fresh && watch.protocol === undefined && standing(watch.pane) === 'alive');
  const others = drawn.map(({ worker }) => worker.session_id).filter((session) => !first.screens.has(session));
  const screens = new Map([...first.screens, ...(await terminal.capture(others))]);
  const config = await context.config();
  const see = (watch: Watch, worker: Worker, fresh: boolean, now: Instant): void => {
    const agent = agentOf(config, worker.agent);
    const shown = standing(watch.pane) === 'alive' ? screens.get(worker.session_id) : undefined;
    const screen = titled(fresh ? shown : watch.look?.screen, watch);
    if (screen !== undefined) noteScreen(watch, agent, screen, fresh ? began : undefined, now);
    // An old look says nothing about now; only of the dead it is kept, as their last words.
    else if (standing(watch.pane) === 'alive' || watch.pane === 'unknown') watch.look = undefined;
    ingest(store, watch, agent);
    if (watch.protocol === undefined) noteLive(watch, readStatusFile(watch, worker, agent, config), now);
    else readProtocolEvents(store, clock, watch, watch.protocol);
  };
  const seen = looks.filter(({ watch, worker, fresh }) => {
    if (!untouched(watch)) return false;
    try {
      see(watch, worker, fresh, clock.now());
      return true;
    } catch (error) {
      trouble(watch.name, error);
      return false;
    }
  });
  const cutOff = panes?.length === 0 ? watches.find(({ pane, pid }) => pane === 'unknown' && pid !== undefined) : undefined;
  if (cutOff?.pid !== undefined) await reopenSocket(processes, cutOff.pid);
  return seen.map(({ watch }) => watch);
}

/** Takes in what an agent reported, without a look at its pane. */
export async function hear({ store, config, clock }: Pick<WorkContext, 'store' | 'config' | 'clock'>, watch: Watch): Promise<void> {
  const worker = store.state.workers[watch.name];
  if (worker !== undefined) ingest(store, watch, agentOf(await config(), worker.agent));
  if (watch.protocol !== undefined) readProtocolEvents(store, clock, watch, watch.protocol);
}

/** An unchanged screen is not read again, unless by other eyes: an agent declared in config.toml reads differently once that is changed. */
function noteScreen(watch: Watch, agent: Agent, screen: Screen, askedAt: Instant | undefined, now: Instant): void {
  const known = watch.look?.screen === screen && watch.captured?.by === agent ? watch.look.reading : undefined;
  noteLook(watch, screen, known ?? agent.classify(screen, now), now);
  const { pane, captured } = watch;
  if (askedAt !== undefined && typeof pane !== 'string') watch.captured = { at: askedAt, pane, by: agent };
  else if (captured !== undefined) watch.captured = { ...captured, by: agent };
}

/** The session of a worker whose screen is needed whatever tmux says of its pane: at work, it draws all the time. */
function surelyDraws({ store }: ObserveContext, watch: Watch): readonly string[] {
  const session = store.state.workers[watch.name]?.session_id;
  if (session === undefined || watch.protocol !== undefined || standing(watch.pane) !== 'alive') return [];
  const sure = watch.assessment.activity.kind === 'processing' || needsFreshScreen(watch, nextState(store.database, watch.name));
  return sure ? [session] : [];
}

/** tmux tells in whole seconds when a program last wrote: within the second of the last capture it may have written after it. */
function mayShowAnew({ store }: ObserveContext, watch: Watch): boolean {
  const { pane, captured } = watch;
  if (typeof pane === 'string' || pane.dead || captured === undefined) return true;
  if (pane.wroteAt !== captured.pane.wroteAt || pane.wroteAt * 1_000 + 1_000 > captured.at) return true;
  if (pane.width !== captured.pane.width || pane.height !== captured.pane.height) return true;
  return needsFreshScreen(watch, nextState(store.database, watch.name));
}

function notePane(watch: Watch, pane: Watch['pane'], askedAt: Instant): void {
  watch.pane = pane;
  watch.paneAt = askedAt;
  if (typeof pane === 'string') return;
  watch.pid = pane.pid;
  if (!pane.dead) watch.goneLooks = 0;
}

function standing(pane: Watch['pane']): 'alive' | 'dead' | 'gone' | 'unknown' {
  if (typeof pane === 'string') return pane;
  return pane.dead ? 'dead' : 'alive';
}

/** tmux tells titles with its panes, not with their screens. What has not changed stays the same object. */
function titled(screen: Screen | undefined, { pane, look }: Watch): Screen | undefined {
  if (screen === undefined || typeof pane === 'string') return screen;
  if (look?.screen.lines === screen.lines && look.screen.title === pane.title) return look.screen;
  return { ...screen, title: pane.title };
}

/** A session tmux does not show has ended only if its process has: whoever removes the socket's file takes tmux from us, not the agent. */
function paneOf(watch: Watch, panes: ReadonlyMap<string, readonly Pane[]> | undefined, session: string): Watch['pane'] {
  if (panes === undefined) return 'unknown';
  const pane = agentPane(panes.get(session) ?? [], session);
  if (pane !== undefined) return pane;
  return watch.pid !== undefined && trySignal(watch.pid, 0) ? 'unknown' : 'gone';
}
