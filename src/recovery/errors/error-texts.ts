import { formatAge } from '../../base/duration.ts';
import type { ErrorCode } from '../../base/error-codes.ts';
import { commandLine } from '../../base/shell-quote.ts';
import type { ErrorRecord } from '../error-record.ts';

interface ErrorText {
  /** In general, without knowing who failed. */
  readonly summary: string;
  /** What happened to whom; without it, the message of the record. */
  readonly say?: (error: ErrorRecord) => string;
  /** What a person can do, the best first. */
  readonly steps: (error: ErrorRecord, run: string) => readonly string[];
}

/** What a person reads about the failures of a run, and what to type next. */
export const ERROR_TEXTS: Partial<Readonly<Record<ErrorCode, ErrorText>>> = {
  AGENT_SPAWN_FAILED: {
    summary: 'the agent could not be started',
    say: (error) => `The agent of ${whose(error)} could not be started: ${error.message}.`,
    steps: () => ['Check that the agent can be started: llmc doctor'],
  },
  AGENT_TIMEOUT: {
    summary: 'the agent did not finish in time',
    say: (error) => `The agent of ${whose(error)} did not finish within ${time(error, 'timeoutMs')}. It may be working on something large.`,
    steps: ({ component }) => [`If ${component} needs more time, give it a longer timeout in the workflow file.`],
  },
  AGENT_CRASHED: {
    summary: 'the agent ended unexpectedly',
    say: (error) => `The agent of ${whose(error)} ended unexpectedly: ${error.message}.`,
    steps: (error, run) => [`See why the agent ended: ${commandLine('llmc', 'why', nameWorker(error, run))}`],
  },
  AGENT_INVALID_OUTPUT: {
    summary: 'the agent left no valid result',
    say: (error) => `What ${whose(error)} left for ${error.component} is missing or does not fit its schema.`,
    steps: ({ component }) => [`Say in the prompt of ${component} exactly which files it must leave.`],
  },
  AGENT_BLOCKED: {
    summary: 'the agent waits for an answer',
    say: (error) =>
      isLoggedOut(error)
        ? `The agent of ${whose(error)} is not logged in: ${sentence(error.message)}`
        : `The agent of ${whose(error)} waits for an answer: ${error.message}`,
    steps: (error, run) =>
      isLoggedOut(error)
        ? [`Log in: ${commandLine('llmc', 'attach', nameWorker(error, run))}`, `Then: llmc recover ${run}`]
        : [`Answer it: llmc decide ${run}`],
  },
  AGENT_UNUSABLE: {
    summary: 'the agent runs and cannot work',
    say: (error) =>
      sentence(`The agent of ${whose(error)} ${findAgentError(error) === 'auth' ? 'is not logged in' : 'cannot work'}: ${error.message}`),
    steps: (error, run) => unusableSteps(error, run),
  },
  WORKFLOW_TIMEOUT: {
    summary: 'the run takes longer than it may',
    say: (error) => `The run took longer than ${time(error, 'timeoutMs')}. What its agents had left is kept.`,
    steps: (_error, run) => [`Give it its whole time again: llmc recover ${run}`, 'Give the workflow a longer timeout.'],
  },
  MAX_ITERATIONS: {
    summary: 'the review still has remarks after its last round',
    steps: ({ component }) => [`Read the last remarks of ${component}, or allow it more rounds (max_rounds).`],
  },
  STAGE_FAILED: {
    summary: 'a stage failed',
    say: (error) => `The stage ${error.component} failed: ${error.message}.`,
    steps: (_error, run) => [`See what the stage left: llmc show ${run}`],
  },
  ROUTING_FAILED: {
    summary: 'a message has no receiver',
    steps: () => ['A message named a role that the workflow does not have; it was not delivered.'],
  },
  TMUX_NOT_FOUND: {
    summary: 'tmux is not installed',
    say: () => 'llmc needs tmux, which is not installed.',
    steps: () => ['Install it: sudo apt install tmux', 'On macOS: brew install tmux'],
  },
  TMUX_SESSION_FAILED: { summary: 'tmux could not make a session', steps: () => ['Check tmux: llmc doctor'] },
  GIT_WORKTREE_FAILED: {
    summary: 'git could not make a worktree',
    say: (error) => `The worktree of ${error.role ?? error.component} could not be made: ${error.message}.`,
    steps: () => ['Check the worktrees: llmc doctor --repair'],
  },
  AGENT_NOT_FOUND: {
    summary: 'the agent is not installed',
    steps: () => ['Install the agent, or name another one for the role: llmc doctor'],
  },
  DATABASE_ERROR: { summary: 'the database of the root failed', steps: () => ['Check the database and the disk: llmc doctor'] },
  FILESYSTEM_ERROR: { summary: 'a file could not be read or written', steps: () => ['Check the disk: llmc doctor'] },
  PERMISSION_DENIED: { summary: 'permission was denied', steps: () => ['Check the owner and the permissions of that path.'] },
  RATE_LIMITED: {
    summary: 'the account is at its usage limit',
    say: (error) => `The account of ${whose(error)} is at its usage limit.${afterLimit(error)}`,
    steps: () => ['Give roles different accounts, or let fewer agents work at once.'],
  },
  CLAUDE_API_ERROR: { summary: 'the API of the agent returned an error', steps: () => ['Check the agent and its account: llmc doctor'] },
  NETWORK_ERROR: { summary: 'the network failed', steps: () => ['Check the connection of this machine.'] },
  INVALID_ARGUMENT: { summary: 'an argument is not valid', steps: () => ['See what a command takes: llmc help'] },
  SESSION_EXISTS: {
    summary: 'another session has that name',
    steps: (error, run) => [`See which session it is, and end it: ${commandLine('llmc', 'why', nameWorker(error, run))}`],
  },
  SESSION_NOT_FOUND: { summary: 'the session is not running', steps: () => ['Start the sessions: llmc up --detach'] },
};

/** What the agent reported is in the record of its worker. */
function findAgentError({ context, cause }: ErrorRecord): unknown {
  return (cause?.context ?? context).agentError;
}

function unusableSteps(error: ErrorRecord, run: string): readonly string[] {
  switch (findAgentError(error)) {
    case 'auth':
      return [`Log in: ${commandLine('llmc', 'attach', nameWorker(error, run))}`];
    case 'billing':
      return ['Check the credit and the plan of its account.'];
    case 'context_full':
      return ['Make the task smaller: the conversation of the agent is full.'];
    default:
      return ['Check the agent and its account: llmc doctor'];
  }
}

/** What happened, in words for a person. Texts of agents inside are shown as they are: print them through base/visible-text. */
export function userMessage(error: ErrorRecord): string {
  const text = ERROR_TEXTS[error.code];
  return text?.say?.(error) ?? sentence(error.message === '' ? (text?.summary ?? error.code) : error.message);
}

/** What a person can do about it, with the command to type. The error's own suggestion comes first. */
export function remediationSteps(error: ErrorRecord, run: string): readonly string[] {
  const own = error.suggestion === null ? [] : [error.suggestion];
  return [...new Set([...own, ...(ERROR_TEXTS[error.code]?.steps(error, run) ?? [])])];
}

/** What the agent reported is in the record of its worker. */
function isLoggedOut({ context, cause }: ErrorRecord): boolean {
  return (cause?.context ?? context).agentError === 'auth';
}

/** With the name of the agent, because a role can have a fallback: `developer (codex)`. */
function whose({ role, component, context: { agent } }: ErrorRecord): string {
  const of = role ?? component;
  return typeof agent === 'string' && agent !== '' ? `${of} (${agent})` : of;
}

/** The worker that reported it; else the first one of the role, by the name that src/workflow/model/run-names.ts gives it. */
function nameWorker({ role, cause }: ErrorRecord, run: string): string {
  if (cause?.component.startsWith(`${run}-`) === true) return cause.component;
  return role === null ? run : `${run}-${role}`;
}

/** A run that asks a person, or that ends, does not try again by itself. */
function afterLimit(error: ErrorRecord): string {
  if (error.strategy === 'substitute') return ' The fallback of the role takes over.';
  return typeof error.context.retryInMs === 'number' ? ` The next try is in ${time(error, 'retryInMs')}.` : '';
}

function time({ context }: ErrorRecord, key: 'timeoutMs' | 'retryInMs'): string {
  const ms = context[key];
  return typeof ms === 'number' ? formatAge(ms) : 'its time';
}

function sentence(message: string): string {
  const text = `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
