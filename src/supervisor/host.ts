import { z } from 'zod';
import { LlmcError } from '../base/error.ts';
import type { Clock, Processes, Random } from '../base/ports.ts';
import { workerSettings } from '../config/worker-settings.ts';
import { glanceDelivery } from '../store/delivery-glance.ts';
import type { HistoryEntry } from '../store/history.ts';
import { layoutOf } from '../store/layout.ts';
import { keepLog } from '../store/log.ts';
import { Store } from '../store/store.ts';
import { removeTree } from '../system/files.ts';
import { requireTmux } from '../terminal/version.ts';
import { finishOpenLandings } from '../workers/accept-work.ts';
import { agentOf, openContext } from '../workers/context.ts';
import { mainBranch } from '../workers/main-branch.ts';
import { answerDialog } from './answer.ts';
import { reachSupervisor } from './api-client.ts';
import { type Call, serveApi } from './api-server.ts';
import { claimRoot } from './claim.ts';
import { launch } from './launch.ts';
import { notifier } from './notify.ts';
import { isOperation, runOperation } from './operations.ts';
import { readiness } from './readiness.ts';
import { closeSockets, openSockets, requireOwnSockets } from './sockets.ts';
import { type StatusReport, statusReport } from './status-report.ts';
import { stopAll } from './stop.ts';
import { Supervisor } from './supervisor.ts';
import { whyReport } from './why-report.ts';

export interface HostOptions {
  readonly root: string;
  readonly version: string;
  readonly ports: { clock: Clock; random: Random; processes: Processes };
  readonly say: (line: string) => void;
  readonly told: (entry: HistoryEntry) => void;
  readonly ring: () => void;
  /** First abort: stop gracefully. */
  readonly stop: AbortSignal;
  /** Abort: stop at once. */
  readonly stopNow: AbortSignal;
}

const LOCK_PATIENCE_MS = 5_000;

/** Runs the supervisor of a root in this process until it is told to stop. */
export async function hostSupervisor(options: HostOptions): Promise<void> {
  const { ports, say, version } = options;
  const layout = layoutOf(options.root);
  await requireTmux(ports.processes);
  requireOwnSockets(layout);
  const other = await reachSupervisor(layout.apiSocket);
  if (other !== undefined) {
    other.destroy();
    throw new LlmcError('SUPERVISOR_RUNNING', `a supervisor is running for ${options.root} already`, {
      hint: 'llmc status shows it, llmc down stops it',
    });
  }
  using _lock = await claimRoot(layout, 'up', ports.clock, LOCK_PATIENCE_MS);
  openSockets(layout);
  using store = new Store(layout, ports.clock);
  keepLog(store);
  store.onCommit(options.told);
  const stopping = new AbortController();
  const force = { now: false };
  onAbort(options.stop, () => stopping.abort());
  onAbort(options.stopNow, () => {
    force.now = true;
    stopping.abort();
  });
  const restartAgent = async (name: string) => {
    const watch = supervisor.watches.get(name);
    if (watch !== undefined) await launch(context, watch, { conversation: 'fresh', why: 'started anew', crashed: false });
  };
  const interrupt = async (name: string) => {
    const watch = supervisor.watches.get(name);
    if (watch?.assessment.activity.kind !== 'processing') return;
    const { agent, session_id } = store.worker(name);
    store.commit({ worker: name, kind: 'interrupt', summary: 'interrupted for an urgent message' });
    await context.terminal.keys(session_id, agentOf(await context.config(), agent).interruptKeys);
  };
  const context = openContext(store, ports, { supervised: true, say, signal: stopping.signal, restartAgent, interrupt });
  const supervisor = new Supervisor(context, notifier(context, options.ring));
  const since = Math.floor(ports.clock.now() / 1_000);
  const stopped = Promise.withResolvers<readonly string[]>();
  const server = await serveApi(layout.apiSocket, version, async (call) => {
    if (call.name === 'down') {
      force.now ||= z.object({ force: z.boolean() }).parse(call.args).force;
      const gone = stopped.promise;
      stopping.abort();
      return await gone;
    }
    return await answer(supervisor, since, call);
  });
  try {
    await finishOpenLandings(context);
    await supervisor.run(stopping.signal);
  } finally {
    const quiet = { ...context, signal: options.stopNow };
    await stopAll(quiet, force.now).then(stopped.resolve, stopped.reject);
    await new Promise((resolve) => server.close(resolve));
    closeSockets(layout);
    removeTree(layout.owner);
  }
}

/** Also when it has happened already: a Ctrl+C may come before the lock is taken. */
function onAbort(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true });
}

async function answer(supervisor: Supervisor, since: number, call: Call): Promise<unknown> {
  const { context, watches } = supervisor;
  const { store } = context;
  if (isOperation(call.name)) {
    const own = { ...context, say: call.say, signal: AbortSignal.any([context.signal, call.signal]) };
    try {
      return await runOperation(call.name, own, call.args);
    } finally {
      supervisor.wake();
    }
  }
  switch (call.name) {
    case 'status':
      return await report(supervisor, since);
    case 'why': {
      const { worker } = z.object({ worker: z.string() }).parse(call.args);
      return whyReport(store.worker(worker), store.database, watches.get(worker));
    }
    case 'answer': {
      const request = z.object({ worker: z.string(), choice: z.string().min(1) }).parse(call.args);
      return await answerDialog({ ...context, say: call.say }, request).finally(() => supervisor.wake());
    }
    case 'ready':
      return await readiness(supervisor, AbortSignal.any([context.signal, call.signal]));
    default:
      throw new LlmcError('INVALID_ARGUMENT', `the supervisor does not know "${call.name}"`);
  }
}

async function report(supervisor: Supervisor, since: number): Promise<StatusReport> {
  const { context, watches } = supervisor;
  const config = await context.config();
  return statusReport({
    root: context.layout.root,
    source: config.repo.source,
    branch: await mainBranch(context, config),
    supervisor: { running: true, pid: process.pid, since_unix: since },
    state: context.store.state,
    deliveryOf: (name) => glanceDelivery(context.store.database, name),
    modelOf: (name) => workerSettings(config, name).model,
    assessmentOf: (name) => watches.get(name)?.assessment,
  });
}
