import type { Config } from '../../config/schema.ts';
import type { Worker } from '../../store/state.ts';
import { agentOf, type WorkContext } from '../../workers/context.ts';
import { transcriptPath } from '../agent-files/transcript-file.ts';

/**
 * Whether the agent can resume a worker's conversation. Claude Code writes its transcript a moment after the turn: if it is killed
 * before that, a resume only ends with "No conversation found".
 */
export function canResume({ files }: Pick<WorkContext, 'files'>, worker: Worker, config: Config): boolean {
  if (!worker.conversation_used || worker.conversation_id === null) return false;
  const { transcript, resumes } = agentOf(config, worker.agent);
  if (resumes === false) return false;
  const path = transcriptPath(files, worker, config);
  return transcript === undefined || (path !== undefined && files.exists(path));
}
