import type { Agent } from '../../agents/agent.ts';
import type { Worker } from '../../store/state.ts';
import { inFlightSince, nextState, sentSince } from '../../store/tables/deliveries.ts';
import { isServer, type Pane, viewerPane } from '../../terminal/panes.ts';
import type { Screen } from '../../terminal/screen.ts';
import { reopenSocket } from '../../terminal/server-above.ts';
import { loadAgent, type WorkContext } from '../../workers/context.ts';
import { readStatusFile } from '../agent-files/status-file.ts';
import { ingest } from './ingest.ts';
import { noteOwnStatus } from './own-status.ts';
import { needsFreshScreen } from './polling.ts';
import { readProtocolEvents } from './protocol-events.ts';
import { newProtocolSession } from './protocol-session.ts';
import { needsPulse, noteGap, notePulse, wasSetBack } from './pulse-watch.ts';
import { dropCapture, mayHaveChanged, noteScreen, withTitle } from './screen-watch.ts';
import { findPane, notePane, paneState } from './tmux-watch.ts';
import { forgetFuture, type Watch } from './watch.ts';

type ObserveContext = Pick<
  WorkContext,
  'store' | 'terminal' | 'clock' | 'locks' | 'config' | 'processes' | 'files' | 'signals' | 'listProcesses'
>;

/** A worker of this pass, and whether its screen has to be captured again. */
interface Observed {
  readonly watch: Watch;
  readonly worker: Worker;
  readonly fresh: boolean;
}

/**
 * Observes the fleet: one question to tmux for all panes and the screens of agents at work, a second one only for other
 * screens that changed, then the agents' own files. A worker whose pane ended is due at once. Returns the observed workers.
 * A failure of one worker is reported and leaves it out of this pass; the others are still observed.
 */
export async function observe(
  context: ObserveContext,
  watches: readonly Watch[],
  due: ReadonlySet<Watch>,
  trouble: (name: string, error: unknown) => void,
): Promise<readonly Watch[]> {
  const { terminal, clock, locks } = context;
  const began = clock.now();
  for (const watch of due) if (wasSetBack(watch, began)) forgetFuture(watch, began);
  // The worker is locked, or was launched since tmux was asked: the answer may be about another incarnation. The next pass asks again.
  const lives = new Map(watches.map((watch) => [watch, watch.life]));
  const untouched = (watch: Watch) => !locks.isLocked(watch.name) && watch.life === lives.get(watch);
  const drawing = watches.filter((watch) => due.has(watch) && untouched(watch)).flatMap((watch) => drawingSession(context, watch));
  const { panes, screens } = await terminal.capturePanes(drawing);
  for (const watch of due) {
    noteGap(watch, began);
    // Its times are in the future now. The screen is captured again in this pass.
    if (wasSetBack(watch, began)) dropCapture(watch);
  }
  const observed = await observePanes(context, watches.filter(untouched), due, panes, began);
  await observePulses(context, observed, began);
  const captured = new Map([...screens, ...(await terminal.capture(stillToCapture(observed, screens)))]);
  const config = await context.config();
  const complete = observed.filter((one) => {
    if (!untouched(one.watch)) return false;
    try {
      observeWorker(context, one, captured, config, began);
      return true;
    } catch (error) {
      trouble(one.watch.name, error);
      return false;
    }
  });
  await reopenLostSocket(context, watches, panes);
  return complete.map(({ watch }) => watch);
}

/** Ingests what an agent reported, without asking tmux. */
export async function readReports(context: Pick<WorkContext, 'store' | 'config' | 'clock'>, watch: Watch): Promise<void> {
  const { store, config, clock } = context;
  const worker = store.state.workers[watch.name];
  if (worker !== undefined) ingest(store, watch, loadAgent(await config(), worker.agent));
  if (watch.protocol !== undefined) readProtocolEvents(store, clock, watch, watch.protocol);
}

async function observePanes(
  { store, terminal, signals }: ObserveContext,
  watches: readonly Watch[],
  due: ReadonlySet<Watch>,
  panes: readonly Pane[] | undefined,
  at: number,
): Promise<readonly Observed[]> {
  const attached = panes?.some((pane) => pane.attached) ?? false;
  const presses = attached ? await terminal.keyPresses() : new Map<string, number>();
  const bySession = panes && Map.groupBy(panes, ({ session }) => session);
  return watches.flatMap((watch) => {
    const worker = store.state.workers[watch.name];
    if (worker === undefined) return [];
    const { session_id: session } = worker;
    const before = paneState(watch.tmux.pane);
    notePane(watch, findPane(signals, watch, bySession, session), at, presses.get(session));
    noteViewer(watch, bySession?.get(session), session, at);
    if (!due.has(watch) && before === paneState(watch.tmux.pane)) return [];
    return [{ watch, worker, fresh: mayHaveChanged(watch) || needsFreshScreen(watch, nextState(store.database, watch.name)) }];
  });
}

/** Reads the process table when it decides the next step of some prompt, and then for every observed worker. */
async function observePulses({ store, listProcesses }: ObserveContext, observed: readonly Observed[], at: number): Promise<void> {
  const isNeeded = ({ watch, worker }: Observed) =>
    needsPulse(watch, inFlightSince(store.database, watch.name), worker.attention?.kind === 'agent_stopped', at);
  if (!observed.some(isNeeded)) return;
  // A table that cannot be read, as on a machine without memory, must not keep the fleet from being observed: the last reading stays.
  const rows = await listProcesses().catch(() => undefined);
  if (rows === undefined) return;
  for (const { watch } of observed) notePulse(watch, rows, at);
}

function noteViewer(watch: Watch, panes: readonly Pane[] | undefined, session: string, at: number): void {
  const { pane } = watch.tmux;
  if (typeof pane !== 'string' && isServer(pane)) watch.protocol ??= newProtocolSession();
  if (watch.protocol !== undefined && panes !== undefined) watch.protocol.window = { pane: viewerPane(panes, session), at };
}

/** The screen of an agent on the protocol channel is for people only: the agent reports what it does. */
function stillToCapture(observed: readonly Observed[], captured: ReadonlyMap<string, Screen>): readonly string[] {
  return observed
    .filter(({ watch, fresh }) => fresh && watch.protocol === undefined && paneState(watch.tmux.pane) === 'alive')
    .map(({ worker }) => worker.session_id)
    .filter((session) => !captured.has(session));
}

function observeWorker(
  { store, clock, files }: ObserveContext,
  { watch, worker, fresh }: Observed,
  captured: ReadonlyMap<string, Screen>,
  config: Awaited<ReturnType<WorkContext['config']>>,
  began: number,
): void {
  const now = clock.now();
  const agent = loadAgent(config, worker.agent);
  const { pane } = watch.tmux;
  const shown = paneState(pane) === 'alive' ? captured.get(worker.session_id) : undefined;
  const screen = withTitle(fresh ? shown : watch.screen.capture?.screen, watch);
  if (screen !== undefined)
    noteScreen(watch, agent, screen, { askedAt: fresh ? began : undefined, turnSince: turnSince(store, watch, agent) }, now);
  // The last capture of a dead agent is kept, as its last output.
  else if (paneState(pane) === 'alive' || pane === 'unknown') dropCapture(watch);
  ingest(store, watch, agent);
  if (watch.protocol !== undefined) return readProtocolEvents(store, clock, watch, watch.protocol);
  const alive = typeof pane === 'string' || pane.dead ? undefined : { config, worker, pid: pane.pid };
  const file = alive && readStatusFile(files, watch.status.file, agent, alive);
  noteOwnStatus(watch, file?.activity, now, file);
}

/** Asked for agents without patterns only: the time since the prompt is part of their evidence. */
function turnSince({ database }: WorkContext['store'], { name }: Watch, { plain }: Agent): number | undefined {
  return plain === undefined ? undefined : sentSince(database, name);
}

/** The session of a worker whose screen is needed whatever tmux reports about its pane: an agent at work draws all the time. */
function drawingSession({ store }: ObserveContext, watch: Watch): readonly string[] {
  const session = store.state.workers[watch.name]?.session_id;
  if (session === undefined || watch.protocol !== undefined || paneState(watch.tmux.pane) !== 'alive') return [];
  const draws = watch.assessment.activity.kind === 'processing' || needsFreshScreen(watch, nextState(store.database, watch.name));
  return draws ? [session] : [];
}

/** When the socket's file was removed, tmux shows no sessions although their processes live. */
async function reopenLostSocket(context: ObserveContext, watches: readonly Watch[], panes: readonly Pane[] | undefined): Promise<void> {
  if (panes?.length !== 0) return;
  const lost = watches.find(({ tmux }) => tmux.pane === 'unknown' && tmux.pid !== undefined)?.tmux.pid;
  if (lost !== undefined) await reopenSocket(context, lost);
}
