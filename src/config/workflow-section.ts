import * as z from 'zod';
import { ERROR_CODES, type ErrorCode } from '../base/error-codes.ts';
import { ANSWERABLE } from './question-options.ts';
import { option, section } from './schema-parts.ts';

const DAY_SECS = 86_400;
const timeoutSecs = z
  .int()
  .min(1)
  .max(30 * DAY_SECS);
const delayMs = z.int().min(0).max(3_600_000);
const times = z.int().min(0).max(100);
const flag = z.boolean();
const isCode = (name: string): name is ErrorCode => Object.hasOwn(ERROR_CODES, name);
const codes = Object.keys(ERROR_CODES).filter(isCode);

const retry = {
  max_retries: option('How often the operation is tried again.', times.optional()),
  delay_ms: option('The wait before the first retry.', delayMs.optional()),
  max_delay_ms: option('The longest wait.', delayMs.optional()),
  backoff: option('Each wait is this many times the one before.', z.number().min(1).max(10).optional()),
  jitter: option('The share of each wait that chance may add.', z.number().min(0).max(1).optional()),
};

const answer = {
  option: option(
    'The answer that is taken, one of [those that the question offers](running-workflows.md#decide).',
    z.string().min(1).max(64),
  ),
  after_secs: option(
    'How long a person has. 0: the question waits for ever.',
    z
      .int()
      .min(0)
      .max(30 * DAY_SECS),
  ),
};

const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** The options of `[workflow]`, by name: an `LLMC_*` variable is checked like the option it replaces. */
export const WORKFLOW_OPTIONS = {
  max_agents: option(
    'How many agents of runs may be at work at the same time, over all runs. The others wait.',
    z.int().min(1).max(256).default(4),
  ),
  timeout_secs: option(
    'How long a run may take if its workflow names no `timeout`. Time at a usage limit does not count.',
    timeoutSecs.default(DAY_SECS),
  ),
  stage_timeout_secs: option('The same for a stage without a `timeout`.', timeoutSecs.default(14_400)),
  start_timeout_secs: option(
    'How long the agent of a stage may take from its start until it has its task. Then it is started again, as after a crash.',
    timeoutSecs.default(900),
  ),
  nudge_timeout_secs: option(
    'How long an agent that takes longer than its stage may has to answer how far it is, from when it has the question; and how long an agent at work shows no progress at most.',
    timeoutSecs.default(30),
  ),
  queue_timeout_secs: option(
    'How long a stage waits for a place among `max_agents` before a person is asked whether to wait on.',
    timeoutSecs.default(3_600),
  ),
  save_timeout_secs: option(
    'How long agents have to save what they have when a run is paused, and shell lines to end.',
    timeoutSecs.default(30),
  ),
  max_retries: option('How often an operation of a run is tried again after a failure that may pass.', times.default(3)),
  retry_delay_ms: option('The wait before the first retry.', delayMs.default(1_000)),
  retry_max_delay_ms: option('The longest wait before a retry.', delayMs.default(30_000)),
  retry_backoff: option('Each wait is this many times the one before.', z.number().min(1).max(10).default(2)),
  retry_jitter: option(
    'The share of each wait that chance may add, so that what failed together is not tried again together.',
    z.number().min(0).max(1).default(0.2),
  ),
  retryable_errors: option(
    'The codes after which llmc tries an operation of its own again, such as a write to the database; the failure of a stage with one of them is tried again too.',
    z
      .array(z.enum(codes))
      .default([
        ...(['AGENT_SPAWN_FAILED', 'AGENT_TIMEOUT', 'AGENT_CRASHED', 'TMUX_SESSION_FAILED', 'GIT_WORKTREE_FAILED'] as const),
        ...(['DATABASE_ERROR', 'RATE_LIMITED', 'NETWORK_ERROR'] as const),
      ]),
  ),
  retry: option(
    'Retries of single operations: `agent_spawn`, `message_send`, `database_write`, `rate_limited`, `service`.',
    z.partialRecord(z.enum(['agent_spawn', 'message_send', 'database_write', 'rate_limited', 'service']), section(retry)).default({}),
  ),
  recoveries_per_error: option(
    'How often a stage recovers from the same kind of failure with the same agent, before a person is asked.',
    z.int().min(1).max(100).default(3),
  ),
  recoveries_in_total: option(
    'How often a run recovers from failures, over all stages, before a person is asked.',
    z.int().min(0).max(1_000).default(10),
  ),
  provider_failures: option(
    'After how many failures of the network or the service in a row, over all runs, new work goes to the `fallback` of a role at once.',
    z.int().min(1).max(100).default(3),
  ),
  provider_retry_secs: option('How long it does so, before one more try with the own agent.', timeoutSecs.default(900)),
  answers: option(
    `What is done when nobody answers a question, by its type: ${ANSWERABLE.map((type) => `\`${type}\``).join(', ')}. Questions of other types always wait.`,
    z.partialRecord(z.enum(ANSWERABLE), section(answer)).default({}),
  ),
  recovery_cooldown_ms: option('The shortest time between two recoveries of a stage.', delayMs.default(5_000)),
  checkpoints: option('Store checkpoints by itself. Off: only `llmc checkpoint` does.', flag.default(true)),
  checkpoint_interval_secs: option('The time from one periodic checkpoint to the next.', z.int().min(1).max(DAY_SECS).default(60)),
  checkpoint_on_stage: option('Store a checkpoint when a stage ends.', flag.default(true)),
  checkpoint_on_error: option('Store a checkpoint before and after each recovery.', flag.default(true)),
  checkpoint_keep: option('How many checkpoints of a run are kept. The oldest go first.', z.int().min(1).max(1_000).default(10)),
  allow_partial: option(
    'Whether a run goes on with a result that is not complete, and keeps what its agents had left when it fails. Off: a person is asked, and nothing is kept.',
    flag.default(true),
  ),
  continue_without: option(
    'Roles that a run goes on without by itself when no agent can work in them: their stages are skipped, and what they should have checked is marked unverified. A role whose workflow file has `when_unavailable` keeps that; of all others, a person is asked.',
    z.array(z.string().min(1)).default(['reviewer']),
  ),
  log_level: option(
    'What the log of a run contains: `error` failures, `warn` also warnings, `info` also what happened, `debug` everything.',
    z.enum(LOG_LEVELS).default('info'),
  ),
  log_to_file: option('Write a log of each run.', flag.default(true)),
  log_file: option(
    'Where: a path in the root, or one that starts with `/` or `~/`. `{run}` stands for the name of the run; without it, all runs share one file.',
    z
      .string()
      .min(1)
      .regex(/^(?!.*(?:^|\/)\.\.(?:\/|$))[^\0]*[^/\0]$/, { error: 'expected the path of a file, without ".."' })
      .default('logs/{run}.log'),
  ),
  log_max_mb: option(
    'A log file that is larger is renamed: its name gets `.1`, in place of the one before.',
    z.int().min(1).max(1_024).default(10),
  ),
};

/** `[workflow]` */
export const workflow = section(WORKFLOW_OPTIONS);
