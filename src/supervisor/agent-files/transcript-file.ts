import type { Files } from '../../base/ports.ts';
import type { Config } from '../../config/schema.ts';
import { layoutAround } from '../../store/layout.ts';
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
  const { transcript } = agentOf(config, agent);
  if (transcript === undefined) return undefined;
  // The demo agent keeps its conversations in the folder of its worker.
  const env = { ...agentEnvironment(config, worker), LLMC_SCRATCH: layoutAround(worktree_path).scratch(worker.name) };
  return transcript.path(env, worktree_path, conversation_id, list);
}

/** The transcript, or its end, which has the latest prompts. */
export interface Record {
  /** `unreadable`: not a plain file, or llmc may not read it. */
  readonly state: 'whole' | 'end' | 'absent' | 'unreadable';
  readonly text: string | undefined;
}

export function readRecord(files: Pick<Files, 'names' | 'exists' | 'size' | 'readEnd'>, worker: Worker, config: Config): Record {
  const path = transcriptPath(files, worker, config);
  const text = path === undefined ? undefined : files.readEnd(path, END_BYTES);
  if (path === undefined || text === undefined)
    return { state: path !== undefined && files.exists(path) ? 'unreadable' : 'absent', text: undefined };
  return { state: files.size(path) > END_BYTES ? 'end' : 'whole', text };
}
