import type { Usage } from '../agents/agent.ts';
import type { Config } from '../config/schema.ts';
import type { Worker } from '../store/state.ts';
import { readTextIfThere } from '../system/files.ts';
import { agentOf } from '../workers/context.ts';
import { agentEnvironment } from './observe.ts';

/** What a worker's conversation has used, read from the CLI's own record when somebody asks. */
export function usageOf(worker: Worker, config: Config): Usage | undefined {
  const { transcript } = agentOf(config, worker.agent);
  if (transcript?.usage === undefined || worker.conversation_id === null) return undefined;
  const text = readTextIfThere(transcript.path(agentEnvironment(config, worker.agent), worker.worktree_path, worker.conversation_id));
  return text === undefined ? undefined : transcript.usage(text);
}
