import type { Usage } from '../../agents/agent.ts';
import type { Files } from '../../base/ports.ts';
import type { Config } from '../../config/schema.ts';
import type { Worker } from '../../store/state.ts';
import { agentOf } from '../../workers/context.ts';
import { readTranscript } from '../agent-files/transcript-file.ts';

/** The usage of a worker's conversation, read from the CLI's own transcript on request. */
export function usageOf(files: Pick<Files, 'names' | 'readText'>, worker: Worker, config: Config): Usage | undefined {
  const { transcript } = agentOf(config, worker.agent);
  const reader = transcript?.usageReader?.();
  const text = reader === undefined ? undefined : readTranscript(files, worker, config);
  if (text !== undefined) reader?.feed(text);
  return reader?.usage();
}
