import type { Activity } from '../../agents/activity.ts';
import type { Agent } from '../../agents/agent.ts';
import type { Config } from '../../config/schema.ts';
import type { Worker } from '../../store/state.ts';
import { fileStamp } from '../../system/files/file-stamp.ts';
import { readTextIfThere } from '../../system/files/files.ts';
import { agentEnvironment } from './agent-environment.ts';
import type { Watch } from './watch.ts';

/** What the CLI's status file says, read when it changed. It belongs to a process id, so that of an agent long dead is never read. */
export function readStatusFile(watch: Watch, worker: Worker, agent: Agent, config: Config): Activity | undefined {
  const { pane } = watch;
  if (agent.statusFile === undefined || typeof pane === 'string' || pane.dead) return undefined;
  const path = agent.statusFile.path(agentEnvironment(config, worker.agent), pane.pid);
  const stamp = fileStamp(path);
  const known = watch.liveFile;
  if (known !== undefined && stamp !== undefined && known.path === path && known.stamp === stamp) return known.activity;
  const text = readTextIfThere(path);
  const activity = text === undefined ? undefined : agent.statusFile.read(text)?.activity;
  watch.liveFile = stamp === undefined ? undefined : { path, stamp, activity };
  return activity;
}
