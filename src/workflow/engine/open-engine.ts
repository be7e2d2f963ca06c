import { join } from 'node:path';
import { fault } from '../../base/fault.ts';
import { workflowSettings } from '../../config/workflow-settings.ts';
import { trackingRef } from '../../git/refs.ts';
import { lastHeartbeat } from '../../store/tables/heartbeat.ts';
import type { WorkContext } from '../../workers/context.ts';
import { mainBranch } from '../../workers/landing/main-branch.ts';
import { nameAccount } from '../../workers/pool/account.ts';
import { missingAgent } from '../../workers/pool/missing-agent.ts';
import { logFileOptions, runsWithLogFile } from '../mirror/log-file.ts';
import { mirroredRuns } from '../mirror/mirror.ts';
import { statusRuns } from '../mirror/status-file.ts';
import { Artifacts } from '../perform/artifacts.ts';
import { contextWorkers } from '../perform/context-workers.ts';
import { Exchange } from '../perform/exchange.ts';
import { runGit } from '../perform/run-git.ts';
import { makeEnginePolicy } from '../policy.ts';
import { runLogPath } from '../run-log-path.ts';
import { SqliteQueue } from '../store/sqlite-queue.ts';
import { SqliteRuns } from '../store/sqlite-runs.ts';
import { cachedRuns } from './cached-runs.ts';
import { Engine } from './engine.ts';
import type { EnginePorts } from './ports.ts';
import { loggedRuns } from './run-log.ts';
import { withRetries } from './with-retries.ts';

/** The engine of a root. It looks for work whenever something is written: a worker that moves, or a command that posts an event. */
export function openEngine(context: WorkContext, announce: EnginePorts['announce'], signal: AbortSignal): Engine {
  const { store, layout, files, git, clock, random, say } = context;
  const settings = async () => workflowSettings(await context.config(), process.env);
  const policy = async () => {
    const config = await context.config();
    const policy = makeEnginePolicy(await settings(), config.defaults.agent, (agent) => nameAccount(config, agent));
    return { ...policy, missingAgent: (agent: string) => missingAgent(config, agent) };
  };
  const folderOf = (run: string) => join(layout.runs, run);
  const workers = contextWorkers(context);
  const stored = { runs: new SqliteRuns(store.database), queue: new SqliteQueue(store.database) };
  const { runs, queue } = withRetries(stored, { policy, clock, random });
  const logged = loggedRuns(runs, { files, pathOf: (run, logFile) => runLogPath(layout, run, logFile), settings });
  const logFile = logFileOptions(context);
  const engine = new Engine({
    queue,
    policy,
    lastAlive: lastHeartbeat(store.database)?.at,
    runs: cachedRuns(
      statusRuns(mirroredRuns(runsWithLogFile(logged, logFile), { files, clock, folderOf, signal, records: logFile.records }), files),
    ),
    workers,
    exchange: new Exchange(git.files),
    artifacts: new Artifacts(files, folderOf),
    git: runGit(git, layout.root, async () => trackingRef(await mainBranch(context, await context.config()))),
    clock,
    random,
    say,
    fault,
    announce,
  });
  store.onCommit(() => engine.wake());
  return engine;
}
