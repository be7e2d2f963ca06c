import type { ErrorCode } from '../../base/error-codes.ts';
import type { Trigger } from '../definition/plan.ts';

/**
 * Under which trigger of `on_failure` a failure counts. A code that is not here is not about the work of a stage (the disk, tmux, git, the
 * budget, a defect of llmc, a question of the agent): a file cannot react to it, and its own strategy follows.
 */
export const TRIGGER_OF: Partial<Readonly<Record<ErrorCode, Trigger>>> = {
  AGENT_TIMEOUT: 'timeout',
  // The agent cannot work, whatever the reason: started again, or replaced.
  AGENT_CRASHED: 'crash',
  AGENT_SPAWN_FAILED: 'crash',
  AGENT_NOT_FOUND: 'crash',
  AGENT_UNUSABLE: 'crash',
  DELIVERY_FAILED: 'crash',
  AGENT_INVALID_OUTPUT: 'invalid_output',
  MAX_ITERATIONS: 'limit',
  STAGE_FAILED: 'unmet',
  VALIDATION_FAILED: 'unmet',
  NETWORK_ERROR: 'network',
  CLAUDE_API_ERROR: 'network',
  RATE_LIMITED: 'network',
  REBASE_CONFLICT: 'conflict',
  PATCH_CHANGED: 'conflict',
  LANDING_REFUSED: 'conflict',
  LINES_DROPPED: 'conflict',
  LINES_REPLACED: 'conflict',
};
