import type { Files } from '../../base/ports.ts';
import type { Config } from '../../config/schema.ts';
import type { Worker } from '../../store/state.ts';
import { agentOf } from '../../workers/context.ts';
import { agentEnvironment } from './agent-environment.ts';

/** Codex keeps the conversations of a day in one folder. */
const MOST_NAMES = 50_000;
/** Far more than an agent writes in the seconds between a prompt and the search for it. */
const END_BYTES = 32 * 1024 * 1024;

/** The path of the CLI's own transcript of a worker's conversation; undefined when there is no such file. */
export function transcriptPath(files: Pick<Files, 'names'>, worker: Worker, config: Config): string | undefined {
  const { agent, worktree_path, conversation_id } = worker;
  if (conversation_id === null) return undefined;
  const list = (folder: string) => files.names(folder, MOST_NAMES);
  return agentOf(config, agent).transcript?.path(agentEnvironment(config, worker), worktree_path, conversation_id, list);
}

/** The end of the transcript, which has the latest prompts. */
export function readLatest(files: Pick<Files, 'names' | 'readEnd'>, worker: Worker, config: Config): string | undefined {
  const path = transcriptPath(files, worker, config);
  return path === undefined ? undefined : files.readEnd(path, END_BYTES);
}
