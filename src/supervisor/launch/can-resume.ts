import type { Config } from '../../config/schema.ts';
import type { Worker } from '../../store/state.ts';
import { agentOf, type WorkContext } from '../../workers/context.ts';
import { findTranscript } from '../agent-files/transcript-file.ts';

/**
 * Whether the agent can resume a worker's conversation. Claude Code writes its transcript a moment after the turn: if it is killed
 * before that, a resume only ends with "No conversation found".
 */
export function canResume({ files }: Pick<WorkContext, 'files'>, worker: Worker, config: Config): boolean {
  if (!worker.conversation_used || worker.conversation_id === null) return false;
  const { transcript, resumes } = agentOf(config, worker.agent);
  if (resumes === false) return false;
  // One that llmc cannot read may be there for the agent, which refuses if it is not.
  return transcript === undefined || findTranscript(files, worker, config).state !== 'absent';
}
