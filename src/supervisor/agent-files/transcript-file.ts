import type { Files } from '../../base/ports.ts';
import type { Config } from '../../config/schema.ts';
import type { Worker } from '../../store/state.ts';
import { agentOf } from '../../workers/context.ts';
import { agentEnvironment } from './agent-environment.ts';

/** The path of the CLI's own transcript of a worker's conversation; undefined when there is no such file. */
export function transcriptPath(files: Pick<Files, 'names'>, worker: Worker, config: Config): string | undefined {
  const { agent, worktree_path, conversation_id } = worker;
  if (conversation_id === null) return undefined;
  return agentOf(config, agent).transcript?.path(agentEnvironment(config, agent), worktree_path, conversation_id, files.names);
}

export function readTranscript(files: Pick<Files, 'names' | 'readText'>, worker: Worker, config: Config): string | undefined {
  const path = transcriptPath(files, worker, config);
  return path === undefined ? undefined : files.readText(path);
}
