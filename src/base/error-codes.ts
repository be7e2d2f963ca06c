export type ErrorCategory = 'AGENT_ERROR' | 'WORKFLOW_ERROR' | 'SYSTEM_ERROR' | 'USER_ERROR' | 'EXTERNAL_ERROR';
export type ErrorSeverity = 'fatal' | 'error' | 'warning' | 'info';

export interface CodeTraits {
  readonly category: ErrorCategory;
  readonly severity: ErrorSeverity;
  readonly recoverable: boolean;
  readonly retryable: boolean;
}

const traits = (category: ErrorCategory, severity: ErrorSeverity, recoverable: boolean, retryable: boolean): CodeTraits => ({
  category,
  severity,
  recoverable,
  retryable,
});

const user = traits('USER_ERROR', 'error', false, false);
const system = traits('SYSTEM_ERROR', 'error', true, true);
const fatal = traits('SYSTEM_ERROR', 'fatal', false, false);
const agent = traits('AGENT_ERROR', 'error', true, true);

/** Every code that llmc can print. Codes are part of the contract: add codes, do not rename them. */
export const ERROR_CODES = {
  AGENT_SPAWN_FAILED: agent,
  AGENT_TIMEOUT: agent,
  AGENT_CRASHED: agent,
  AGENT_INVALID_OUTPUT: traits('AGENT_ERROR', 'warning', true, true),
  AGENT_BLOCKED: traits('AGENT_ERROR', 'warning', true, false),
  AGENT_UNUSABLE: traits('AGENT_ERROR', 'error', true, false),
  AGENT_NOT_FOUND: traits('AGENT_ERROR', 'error', false, false),
  DELIVERY_FAILED: traits('AGENT_ERROR', 'error', true, false),

  WORKFLOW_NOT_FOUND: traits('WORKFLOW_ERROR', 'fatal', false, false),
  WORKFLOW_INVALID: traits('WORKFLOW_ERROR', 'error', false, false),
  WORKFLOW_TIMEOUT: traits('WORKFLOW_ERROR', 'error', true, false),
  MAX_ITERATIONS: traits('WORKFLOW_ERROR', 'warning', true, false),
  STAGE_FAILED: traits('WORKFLOW_ERROR', 'error', true, true),
  ROUTING_FAILED: traits('WORKFLOW_ERROR', 'error', true, true),

  TMUX_NOT_FOUND: fatal,
  TMUX_TOO_OLD: fatal,
  TMUX_SESSION_FAILED: system,
  GIT_NOT_FOUND: fatal,
  GIT_TOO_OLD: fatal,
  GIT_FAILED: system,
  GIT_WORKTREE_FAILED: system,
  SANDBOX_FAILED: system,
  DATABASE_ERROR: system,
  FILESYSTEM_ERROR: system,
  PERMISSION_DENIED: fatal,
  STATE_INVALID: traits('SYSTEM_ERROR', 'error', true, false),
  LOCK_BUSY: system,
  SUPERVISOR_FAILED: system,
  SUPERVISOR_SILENT: system,
  SERVICE_UNAVAILABLE: traits('SYSTEM_ERROR', 'error', false, false),
  SUPERVISOR_OTHER_VERSION: traits('SYSTEM_ERROR', 'error', false, false),
  INTERNAL: fatal,

  BUDGET_SPENT: traits('USER_ERROR', 'warning', true, true),
  RATE_LIMITED: traits('EXTERNAL_ERROR', 'warning', true, true),
  CLAUDE_API_ERROR: traits('EXTERNAL_ERROR', 'error', true, true),
  NETWORK_ERROR: traits('EXTERNAL_ERROR', 'error', true, true),

  INVALID_ARGUMENT: user,
  DIALOG_CHANGED: user,
  SESSION_EXISTS: user,
  SESSION_NOT_FOUND: user,
  CONFIG_INVALID: user,
  ROOT_EXISTS: user,
  ROOT_NOT_FOUND: user,
  NOT_A_REPOSITORY: user,
  SOURCE_MISSING: user,
  BRANCH_NOT_FOUND: user,
  RUN_NOT_FOUND: user,
  TASK_NOT_FOUND: user,
  WORKER_EXISTS: user,
  WORKER_NOT_FOUND: user,
  WORKER_BUSY: user,
  NO_IDLE_WORKER: user,
  NOTHING_TO_REVIEW: user,
  ILLEGAL_TRANSITION: user,
  INSIDE_WORKER: user,
  PERSON_NOT_SHOWN: user,
  SUPERVISOR_RUNNING: user,
  SUPERVISOR_NOT_RUNNING: user,
  WORKTREE_DIRTY: user,
  REBASE_CONFLICT: user,
  WORK_NOT_REVIEWED: user,
  WORK_CHANGED: user,
  LINES_DROPPED: user,
  LINES_REPLACED: user,
  VALIDATION_FAILED: user,
  PATCH_CHANGED: user,
  LANDING_REFUSED: user,
  SIGNING_FAILED: user,
  NOTHING_TO_UNDO: user,
  UNDO_REFUSED: user,
  RESCUE_NOT_FOUND: user,
  WORK_NOT_SAVED: user,
  WAIT_TIMEOUT: traits('USER_ERROR', 'error', true, true),
  CANCELLED: user,
} as const satisfies Record<string, CodeTraits>;

export type ErrorCode = keyof typeof ERROR_CODES;
