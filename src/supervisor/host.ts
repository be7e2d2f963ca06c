import { dirname } from 'node:path';
import { describeError, LlmcError } from '../base/error.ts';
import { fault } from '../base/fault.ts';
import type { SystemPorts } from '../base/ports.ts';
import { loadConfigInForce } from '../config/in-force.ts';
import { workflowSettings } from '../config/workflow-settings.ts';
import { noteWriter, requireKnownSchema } from '../store/database.ts';
import { type Layout, makeLayout } from '../store/layout.ts';
import { keepLog } from '../store/log.ts';
import { reportRepairs } from '../store/report-repairs.ts';
import { Store } from '../store/store.ts';
import type { HistoryEntry } from '../store/tables/history.ts';
import { sweepScratchFolders } from '../system/files/scratch-folder.ts';
import { sweepTemporaries } from '../system/files/sweep.ts';
import type { Lock } from '../system/lock.ts';
import { noteAgents } from '../system/processes/agents-since.ts';
import { openReserve } from '../system/reserve.ts';
import { requireTmux, supportsControlClients } from '../terminal/version.ts';
import { endLeftRebases, finishOpenLandings } from '../workers/accept-work.ts';
import { openContext, type WorkContext } from '../workers/context.ts';
import { followSource } from '../workers/landing/main-branch.ts';
import { repairState } from '../workers/repair/repair-state.ts';
import { finishOpenUndos } from '../workers/undo/undo-work.ts';
import { keepConnections } from '../workers/worktree/keep-connections.ts';
import { finishArchives } from '../workflow/archive/archive-run.ts';
import { openEngine } from '../workflow/engine/open-engine.ts';
import { adoptRuns } from '../workflow/mirror/adopt.ts';
import { logFileOptions, writeMissingLogs } from '../workflow/mirror/log-file.ts';
import type { Run } from '../workflow/model/run.ts';
import { SqliteRuns } from '../workflow/store/sqlite-runs.ts';
import { handleCall } from './api/queries.ts';
import { readiness } from './api/readiness.ts';
import { serveApi } from './api/server.ts';
import { recordClocks } from './clocks.ts';
import { watchConfig } from './config-watch.ts';
import { controlAgents } from './control-agents.ts';
import { ShownDialogs } from './dialogs/shown-dialogs.ts';
import { openFollowing } from './following.ts';
import { Heartbeat } from './heartbeat.ts';
import { stopAll } from './launch/stop.ts';
import { Supervisor } from './loop.ts';
import { Meter } from './metering/meter.ts';
import type { Watch } from './observe/watch.ts';
import { WriteWatch } from './observe/write-watch.ts';
import { claimRoot, type RootClaim } from './ownership/claim.ts';
import { keepPlace } from './ownership/keep-place.ts';
import type { Keeper } from './ownership/keeper.ts';
import { restrictRoot } from './ownership/restrict-root.ts';
import { stopWhenRootRemoved } from './ownership/root-removed.ts';
import { closeSockets, openSockets, requireOwnSockets } from './ownership/sockets.ts';
import { patrol } from './patrol.ts';
import { QueueLoop } from './queue-loop.ts';
import { refuseSecondSupervisor } from './refuse-second-supervisor.ts';
import { invalidConfigCaller, notifier, type Ring, unwritableCaller } from './report/notify.ts';
import { runCaller } from './report/notify-run.ts';
import { RecoveryLog } from './report/recovery-log.ts';
import { type Heir, Stopping } from './stopping.ts';
import { takeOver } from './take-over.ts';
import { WorkSizes } from './work-sizes.ts';

export interface HostOptions {
  readonly root: string;
  readonly version: string;
  readonly ports: SystemPorts;
  readonly say: (line: string) => void;
  /** Called once no other process can become the root's supervisor. */
  readonly opened: () => void;
  readonly onHistory: (entry: HistoryEntry) => void;
  readonly ring: Ring;
  /** The service that started this process. */
  readonly keeper?: Keeper | undefined;
  /** Whether this supervisor takes the place of one that is running. */
  readonly replace?: boolean;
  /** Whether the slow round runs beside the quick passes. */
  readonly patrol: boolean;
  /** Begins once the workers have come up and ends at the signal; its result goes into the history. */
  readonly beside: (report: (line: string) => void, signal: AbortSignal) => Promise<void>;
  /** First abort: stop gracefully. */
  readonly stop: AbortSignal;
  /** Abort: stop at once. */
  readonly stopNow: AbortSignal;
}

/** How long a new supervisor waits for a stopping one to end, or for a command that runs without a supervisor. */
const LOCK_PATIENCE_MS = 15_000;
const LOCK_LOOK_MS = 500;

/** Runs the supervisor of a root in this process until it is stopped; returns whether its service has to start it again. */
export async function hostSupervisor(options: HostOptions): Promise<{ readonly again: boolean }> {
  const { ports, say } = options;
  // A supervisor started from inside a worker inherits the worker's variables, and its children would count as that worker's.
  delete process.env.LLMC_WORKER;
  const layout = makeLayout(options.root);
  const lastingClient = supportsControlClients(await requireTmux(ports.processes));
  using lock = await ownRoot(layout, options);
  using store = new Store(layout, ports.clock, ports.files, lock.cleared);
  noteWriter(store.database, options.version);
  keepLog(store);
  store.onCommit(options.onHistory);
  reportRepairs(store, say);
  const stopping = new Stopping(options, say);
  const watches = new Map<string, Watch>();
  const context = openContext(store, ports, {
    supervised: true,
    lastingClient,
    say,
    signal: stopping.signal,
    stopReading: stopping.forced,
    agents: (own) => controlAgents(own, watches),
  });
  // Before any pass: a worker is handled by what its record says.
  for (const line of await repairState(context, false)) say(line);
  // Before a new run can take the name of one that the database has lost.
  await adoptLostRuns(context);
  await runUntilStopped(context, watches, stopping, { ...options, lock });
  return { again: stopping.isTemporary };
}

async function ownRoot(layout: Layout, options: HostOptions): Promise<RootClaim> {
  const { root, ports, opened, say, version } = options;
  requireOwnSockets(layout);
  if (options.replace !== true) await refuseSecondSupervisor(layout);
  // A variable that makes no sense is refused now, not when the first run needs it.
  workflowSettings((await loadConfigInForce(root, ports.files)).config, process.env);
  if (options.replace === true) {
    // Do not end a supervisor that works before this one is known to be able to start.
    requireKnownSchema(layout.database);
    await takeOver(layout, { version, begunAt: performance.timeOrigin, clock: ports.clock, say });
  }
  const lock = await claimAlone(layout, options);
  try {
    sweepTemporaries(layout.root);
    openSockets(layout);
    ports.files.makeFolder(dirname(layout.deaths));
    restrictRoot(layout, say);
    noteAgents(layout.agentsSince);
    opened();
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** As after a crash: the records allow an end at any moment, and a service starts the supervisor again. */
function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL');
}

/** Waits for a stopping supervisor or a command that runs without one. If another supervisor comes up meanwhile, this one gives way. */
async function claimAlone(layout: Layout, { ports, version, keeper }: HostOptions): Promise<RootClaim> {
  for (let waitedMs = 0; ; waitedMs += LOCK_LOOK_MS) {
    try {
      return await claimRoot(layout, 'up', ports, LOCK_LOOK_MS, { version, service: keeper?.name });
    } catch (error) {
      const isBusy = error instanceof LlmcError && error.code === 'LOCK_BUSY';
      if (!isBusy || waitedMs >= LOCK_PATIENCE_MS) throw error;
    }
    await refuseSecondSupervisor(layout);
  }
}

interface RunOptions extends HostOptions {
  readonly lock: Lock;
}

async function adoptLostRuns(context: WorkContext): Promise<void> {
  const { store, files, clock, layout, say } = context;
  const runs = new SqliteRuns(store.database);
  await adoptRuns(runs, { files, clock, folder: layout.runs, say });
  await finishArchives(context, runs);
  await writeMissingLogs(runs, logFileOptions(context));
}

async function runUntilStopped(context: WorkContext, watches: Map<string, Watch>, stopping: Stopping, options: RunOptions): Promise<void> {
  const { layout, clock, files } = context;
  using reserve = openReserve();
  const writes = new WriteWatch(context, reserve);
  const heartbeat = new Heartbeat(clock, () => {
    options.keeper?.beat();
    writes.check();
    recordClocks(context, watches.values());
  });
  // Before the first beat: the last one of an earlier process says for how long nothing ran.
  const call = runCaller(context, options.ring);
  const announce = (before: Run, after: Run) => {
    void call(before, after);
    following.noteRun(after);
  };
  const engine = openEngine(context, announce, stopping.signal);
  const beat = () => {
    heartbeat.beat();
    engine.beat();
  };
  const supervisor = new Supervisor(context, watches, beat, writes);
  callPeople(context, supervisor, writes, options.ring);
  const recoveries = new RecoveryLog(context, (name) => watches.get(name));
  const meter = new Meter(context, watches);
  const onFailure = (error: unknown) => void writes.suspects(error);
  const following = openFollowing({ context, supervisor, meter, heartbeat, since: Math.floor(clock.now() / 1_000) });
  const sizes = new WorkSizes(context, (name) => following.followers.markWorker(name));
  const shown = new ShownDialogs();
  const asked = { context, fleet: supervisor, shown, heartbeat, ...following, onFailure, stop: stopping.stop, handOver: stopping.handOver };
  const server = await serveApi(layout.apiSocket, options.version, (call) => handleCall(asked, call), { onError: onFailure });
  options.keeper?.ready();
  const beside = besideTheWorkers(context, supervisor, options.beside);
  try {
    await Promise.all([
      finishLandings(context),
      sweepScratchFolders().catch((error: unknown) => context.say(`The temporary folder could not be swept: ${describeError(error)}`)),
      supervisor.run(stopping.signal),
      engine.run(stopping.signal),
      watchConfig(context, invalidConfigCaller(context, options.ring), stopping.signal),
      new QueueLoop(context).run(stopping.signal),
      meter.run(stopping.signal),
      options.patrol ? patrol(context, supervisor, stopping.signal) : undefined,
      keepPlace({ ...context, lock: options.lock, listenAgain: server.listenAgain, end: endAtOnce }, stopping.signal),
      stopWithRoot(context, watches, stopping),
    ]);
  } finally {
    stopping.begin();
    options.keeper?.stopping();
    const { heir, isForced, why } = stopping;
    const ending = heir === undefined ? stopAll(context, isForced, why) : leaveAgents(context, heir);
    const [ended] = await Promise.allSettled([ending, beside]);
    await Promise.all([recoveries.settled(), sizes.settled()]);
    following.followers.close(heir === undefined ? 'the supervisor was stopped' : 'another supervisor takes over');
    if (heir !== undefined) fault('handover:before-answer');
    const closed = server.close();
    if (heir === undefined) closeSockets(layout);
    else files.removeSocket(layout.apiSocket);
    files.remove(layout.owner);
    // Answer last: the caller may start the next supervisor at once, and must not reach this one.
    stopping.settle(ended);
    await closed;
  }
}

async function stopWithRoot(context: WorkContext, watches: Map<string, Watch>, stopping: Stopping): Promise<void> {
  try {
    stopping.begin(await stopWhenRootRemoved(context, watches, stopping.signal));
  } catch (error) {
    stopping.begin();
    throw error;
  }
}

/** Notifies people of what waits for them. */
function callPeople(context: WorkContext, supervisor: Supervisor, writes: WriteWatch, ring: Ring): void {
  const notices = notifier(context, supervisor, ring);
  writes.onRefusal(unwritableCaller(context, supervisor, ring));
  supervisor.onStep((name) => notices.check(name));
  context.store.onCommit(({ worker }) => {
    if (worker !== null) notices.check(worker);
  });
}

/** The next supervisor finds the agents in their sessions, and in the records how far each prompt has come. */
async function leaveAgents({ store, terminal, say }: WorkContext, { pid, version, service }: Heir): Promise<readonly string[]> {
  terminal.leave();
  const summary = service === true ? 'handed over to its service, which starts it again' : `handed over to process ${pid}, llmc ${version}`;
  store.commit({ worker: null, kind: 'supervisor', summary });
  say(`This supervisor has ${summary}. The agents keep running.`);
  return [];
}

/** The patrol runs beside the passes: a long validation must not leave workers unobserved. The lock of a worker with an open landing protects it. */
async function finishLandings(context: WorkContext): Promise<void> {
  await followSource(context).catch((error: unknown) => context.say(describeError(error)));
  // A record that cannot be read must not end the supervisor, and with it the agents.
  for (const finish of [keepConnections, endLeftRebases, finishOpenLandings, finishOpenUndos])
    await finish(context).catch((error: unknown) =>
      context.say(`Not everything that was interrupted could be finished: ${describeError(error)}`),
    );
}

/** The canary comes after the workers: it starts an agent of its own, and they need the machine first. */
async function besideTheWorkers(context: WorkContext, supervisor: Supervisor, work: HostOptions['beside']): Promise<void> {
  const { store, signal, say } = context;
  const report = (summary: string) => {
    store.commit({ worker: null, kind: 'canary', summary });
    say(summary);
  };
  try {
    await readiness(context, supervisor);
    if (!signal.aborted) await work(report, signal);
  } catch (error) {
    say(`Canary: ${describeError(error)}`);
  }
}
