import type { Usage } from '../../agents/agent.ts';
import type { Config } from '../../config/schema.ts';
import type { Worker } from '../../store/state.ts';
import { agentOf } from '../../workers/context.ts';
import { readTranscript } from '../observe/transcript-file.ts';

/** What a worker's conversation has used, read from the CLI's own record when somebody asks. */
export function usageOf(worker: Worker, config: Config): Usage | undefined {
  const { transcript } = agentOf(config, worker.agent);
  const reader = transcript?.usageReader?.();
  const text = reader === undefined ? undefined : readTranscript(worker, config);
  if (text !== undefined) reader?.feed(text);
  return reader?.usage();
}
