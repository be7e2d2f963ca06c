import type { Config } from '../../config/schema.ts';
import type { Worker } from '../../store/state.ts';
import { loadAgent, type WorkContext } from '../../workers/context.ts';
import { findTranscript } from '../agent-files/transcript-file.ts';

/** Whether the agent can resume a worker's conversation. */
export function canResume(context: Pick<WorkContext, 'files'>, worker: Worker, config: Config): boolean {
  return whyNotResumed(context, worker, config) === undefined;
}

/** Why the agent cannot resume a worker's conversation, as a clause; undefined if it can. */
export function whyNotResumed({ files }: Pick<WorkContext, 'files'>, worker: Worker, config: Config): string | undefined {
  if (!worker.conversation_used || worker.conversation_id === null) return 'it has no prompt';
  const { transcript, resumes } = loadAgent(config, worker.agent);
  if (resumes === false) return 'this agent resumes no conversation';
  // Claude Code writes its transcript a moment after the turn: if it is killed before that, a resume only ends with "No conversation
  // found". A transcript that llmc cannot read may be there for the agent, which refuses if it is not.
  const isThere = transcript === undefined || findTranscript(files, worker, config).state !== 'absent';
  return isThere ? undefined : 'the agent has no record of it';
}
