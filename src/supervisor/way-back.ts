import type { Config } from '../config/schema.ts';
import type { Worker } from '../store/state.ts';
import { exists } from '../system/files.ts';
import { agentOf } from '../workers/context.ts';
import { agentEnvironment } from './observe.ts';

/**
 * Whether a worker's conversation can be taken up again. Claude Code writes its record a moment after the turn: killed
 * before that, a resume would only end with "No conversation found".
 */
export function canResume(worker: Worker, config: Config): boolean {
  const { conversation_id: id, conversation_used: used, agent: name, worktree_path: worktree } = worker;
  if (!used || id === null) return false;
  const { transcript, resumes } = agentOf(config, name);
  if (resumes === false) return false;
  return transcript === undefined || exists(transcript.path(agentEnvironment(config, name), worktree, id));
}
