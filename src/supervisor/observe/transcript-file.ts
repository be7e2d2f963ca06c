import type { Config } from '../../config/schema.ts';
import type { Worker } from '../../store/state.ts';
import { namesIn, readTextIfThere } from '../../system/files/files.ts';
import { agentOf } from '../../workers/context.ts';
import { agentEnvironment } from './agent-environment.ts';

/** Where the CLI keeps its own record of a worker's conversation; undefined when there is none to be found. */
export function transcriptPath(worker: Worker, config: Config): string | undefined {
  const { agent, worktree_path, conversation_id } = worker;
  if (conversation_id === null) return undefined;
  return agentOf(config, agent).transcript?.path(agentEnvironment(config, agent), worktree_path, conversation_id, namesIn);
}

export function readTranscript(worker: Worker, config: Config): string | undefined {
  const path = transcriptPath(worker, config);
  return path === undefined ? undefined : readTextIfThere(path);
}
