import { dirname } from 'node:path';
import { messageOf } from '../base/error.ts';
import type { Clock, Processes, Random } from '../base/ports.ts';
import { loadConfig } from '../config/load.ts';
import { waitsByItself } from '../recovery/usage-limit.ts';
import type { HistoryEntry } from '../store/history.ts';
import { layoutOf } from '../store/layout.ts';
import { keepLog } from '../store/log.ts';
import { reportRepairs } from '../store/report-repairs.ts';
import { Store } from '../store/store.ts';
import { makeDirectory, removeTree } from '../system/files/files.ts';
import { sweepTemporaries } from '../system/files/sweep.ts';
import { requireTmux, supportsControlClients } from '../terminal/version.ts';
import { finishOpenLandings } from '../workers/accept-work.ts';
import { agentOf, openContext } from '../workers/context.ts';
import { followSource } from '../workers/landing/main-branch.ts';
import { repairWorktree } from '../workers/worktree/repair-worktree.ts';
import { handleCall } from './api/queries.ts';
import { readiness } from './api/readiness.ts';
import { serveApi } from './api/server.ts';
import { keepWorktree } from './launch/keep-worktree.ts';
import { restartAgent } from './launch/restart-agent.ts';
import { stopAll } from './launch/stop.ts';
import { Supervisor } from './loop.ts';
import { Meter } from './metering/meter.ts';
import { claimRoot } from './ownership/claim.ts';
import { requireAlone } from './ownership/require-alone.ts';
import { stopWhenRootRemoved } from './ownership/root-removed.ts';
import { closeSockets, openSockets, requireOwnSockets } from './ownership/sockets.ts';
import { patrol } from './patrol.ts';
import { notifier } from './report/notify.ts';

export interface HostOptions {
  readonly root: string;
  readonly version: string;
  readonly ports: { clock: Clock; random: Random; processes: Processes };
  readonly say: (line: string) => void;
  /** Called once nobody else can be the root's supervisor any more. */
  readonly opened: () => void;
  readonly told: (entry: HistoryEntry) => void;
  readonly ring: () => void;
  /** Whether the slow round runs beside the quick passes. */
  readonly patrol: boolean;
  /** Begins once the workers have come up and ends at the signal; what it tells goes into the history. */
  readonly beside: (tell: (line: string) => void, signal: AbortSignal) => Promise<void>;
  /** First abort: stop gracefully. */
  readonly stop: AbortSignal;
  /** Abort: stop at once. */
  readonly stopNow: AbortSignal;
}

/** Whoever was down a moment ago is still ending, and a command without a supervisor takes its time. */
const LOCK_PATIENCE_MS = 15_000;

/** Runs the supervisor of a root in this process until it is told to stop. */
export async function hostSupervisor(options: HostOptions): Promise<void> {
  const { ports, say, version } = options;
  // Started from inside a worker, it and its children would seem to be that worker's.
  delete process.env.LLMC_WORKER;
  const layout = layoutOf(options.root);
  const lastingClient = supportsControlClients(await requireTmux(ports.processes));
  requireOwnSockets(layout);
  await requireAlone(layout);
  await loadConfig(options.root);
  using _lock = await claimRoot(layout, 'up', ports.clock, LOCK_PATIENCE_MS);
  sweepTemporaries(layout.root);
  openSockets(layout);
  makeDirectory(dirname(layout.deaths));
  options.opened();
  using store = new Store(layout, ports.clock);
  keepLog(store);
  store.onCommit(options.told);
  reportRepairs(store, say);
  const stopping = new AbortController();
  const force = { now: false };
  const cause: { why?: string | undefined } = {};
  onAbort(options.stop, () => stopping.abort());
  onAbort(options.stopNow, () => {
    force.now = true;
    stopping.abort();
  });
  const restart = async (name: string) => {
    const watch = supervisor.watches.get(name);
    if (watch !== undefined) await restartAgent(context, watch);
  };
  const keep = async (name: string) => {
    const watch = supervisor.watches.get(name);
    if (watch === undefined) await repairWorktree(context, name);
    else await keepWorktree(context, watch);
  };
  const interrupt = async (name: string) => {
    const watch = supervisor.watches.get(name);
    if (watch?.assessment.activity.kind !== 'processing') return;
    const { agent, session_id } = store.worker(name);
    store.commit({ worker: name, kind: 'interrupt', summary: 'interrupted for an urgent message' });
    const channel = watch.protocol?.channel;
    if (channel !== undefined) channel.say(channel.dialogue.interrupt());
    else await context.terminal.keys(session_id, agentOf(await context.config(), agent).interruptKeys);
  };
  const context = openContext(store, ports, {
    supervised: true,
    lastingClient,
    say,
    signal: stopping.signal,
    restartAgent: restart,
    keepWorktree: keep,
    interrupt,
    continuesByItself: (name) => waitsByItself(supervisor.watches.get(name)?.assessment.activity),
  });
  const supervisor = new Supervisor(context, (name) => notices.check(name));
  const seen = {
    assessmentOf: (name: string) => supervisor.watches.get(name)?.assessment,
    troubleOf: (name: string) => supervisor.troubleOf(name),
  };
  const notices = notifier(context, seen, options.ring);
  store.onCommit(({ worker }) => {
    if (worker !== null) notices.check(worker);
  });
  const meter = new Meter(context, supervisor.watches);
  const since = Math.floor(ports.clock.now() / 1_000);
  const stopped = Promise.withResolvers<readonly string[]>();
  // After a Ctrl+C nobody waits for the answer.
  stopped.promise.catch((error: unknown) => say(`Stopping: ${messageOf(error)}`));
  const stop = async (now: boolean) => {
    force.now ||= now;
    stopping.abort();
    return await stopped.promise;
  };
  const server = await serveApi(layout.apiSocket, version, (call) => handleCall({ supervisor, meter, since, stop }, call));
  const tell = (summary: string) => {
    store.commit({ worker: null, kind: 'canary', summary });
    say(summary);
  };
  // The workers first: it starts an agent of its own, and they need the machine now.
  const beside = readiness(supervisor, stopping.signal)
    .then(async () => (stopping.signal.aborted ? undefined : await options.beside(tell, stopping.signal)))
    .catch((error: unknown) => say(`Canary: ${messageOf(error)}`));
  try {
    // Beside the others: a long validation must not keep them unwatched. Hands keep a worker whose landing is open from being touched.
    const landings = followSource(context)
      .catch((error: unknown) => say(messageOf(error)))
      .then(() => finishOpenLandings(context));
    const rootGone = stopWhenRootRemoved(context, supervisor.watches, stopping.signal)
      .then((why) => {
        cause.why = why;
      })
      .finally(() => stopping.abort());
    const rounds = options.patrol ? patrol(context, stopping.signal) : undefined;
    await Promise.all([landings, supervisor.run(stopping.signal), meter.run(stopping.signal), rounds, rootGone]);
  } finally {
    stopping.abort();
    const [ended] = await Promise.allSettled([stopAll(context, () => force.now, cause.why), beside]);
    const closed = server.close();
    closeSockets(layout);
    removeTree(layout.owner);
    // Last of all: whoever is told that it is down may start the next one at once, and must not meet this one.
    if (ended.status === 'fulfilled') stopped.resolve(ended.value);
    else stopped.reject(ended.reason);
    await closed;
  }
}

/** Also when it has happened already: a Ctrl+C may come before the lock is taken. */
function onAbort(signal: AbortSignal, stepWorker: () => void): void {
  if (signal.aborted) stepWorker();
  else signal.addEventListener('abort', stepWorker, { once: true });
}
