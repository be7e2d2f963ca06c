import type { Activity } from '../../agents/activity.ts';
import type { Agent } from '../../agents/agent.ts';
import type { Files } from '../../base/ports.ts';
import type { Config } from '../../config/schema.ts';
import { readSandboxKind } from '../../sandbox/lives-in-sandbox.ts';
import type { Worker } from '../../store/state.ts';
import { agentEnvironment } from './agent-environment.ts';

/** bubblewrap is process 1 of the sandbox, and the agent the next. */
const PID_INSIDE = 2;

/** Claude Code writes less than a kilobyte. */
const LARGEST_STATUS = 1024 * 1024;

/** A status file as it was last read. */
export interface StatusFileReading {
  readonly path: string;
  /** Undefined while the file may change without its stamp changing. */
  readonly stamp: string | undefined;
  readonly activity: Activity | undefined;
}

/** Reads the status file of a living process; `known` saves reading an unchanged file again. The file is named after the process id, so llmc never reads a dead agent's file. */
export function readStatusFile(
  files: Pick<Files, 'stamp' | 'readForeign'>,
  known: StatusFileReading | undefined,
  agent: Agent,
  { config, worker, pid }: { readonly config: Config; readonly worker: Worker; readonly pid: number },
): StatusFileReading | undefined {
  if (agent.statusFile === undefined) return undefined;
  const path = agent.statusFile.path(agentEnvironment(config, worker), readSandboxKind(worker) === 'bubblewrap' ? PID_INSIDE : pid);
  const stamp = files.stamp(path);
  if (known !== undefined && stamp !== undefined && known.path === path && known.stamp === stamp) return known;
  const text = files.readForeign(path, LARGEST_STATUS);
  return { path, stamp, activity: text === undefined ? undefined : agent.statusFile.read(text)?.activity };
}
