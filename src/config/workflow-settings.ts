import type * as z from 'zod';
import { parseDuration } from '../base/duration.ts';
import { LlmcError } from '../base/error.ts';
import type { Config } from './schema.ts';
import { WORKFLOW_OPTIONS } from './workflow-section.ts';

export type WorkflowSettings = Config['workflow'];
type Env = Readonly<Record<string, string | undefined>>;

/** The settings of runs: `LLMC_*` over `[workflow]` over the default. A workflow file and its stages come over these. */
export function workflowSettings({ workflow }: Pick<Config, 'workflow'>, env: Env): WorkflowSettings {
  const { max_agents, timeout_secs, stage_timeout_secs, max_retries, retry_delay_ms, retry_backoff } = WORKFLOW_OPTIONS;
  const { checkpoints, checkpoint_interval_secs, allow_partial, log_level, log_to_file } = WORKFLOW_OPTIONS;
  return {
    ...workflow,
    maxAgents: read(env, 'LLMC_MAX_AGENTS', max_agents, Number) ?? workflow.maxAgents,
    timeoutSecs: read(env, 'LLMC_WORKFLOW_TIMEOUT', timeout_secs, seconds) ?? workflow.timeoutSecs,
    stageTimeoutSecs: read(env, 'LLMC_STAGE_TIMEOUT', stage_timeout_secs, seconds) ?? workflow.stageTimeoutSecs,
    maxRetries: read(env, 'LLMC_MAX_RETRIES', max_retries, Number) ?? workflow.maxRetries,
    retryDelayMs: read(env, 'LLMC_RETRY_DELAY', retry_delay_ms, milliseconds) ?? workflow.retryDelayMs,
    retryBackoff: read(env, 'LLMC_RETRY_BACKOFF', retry_backoff, Number) ?? workflow.retryBackoff,
    checkpoints: read(env, 'LLMC_CHECKPOINT_ENABLED', checkpoints, flag) ?? workflow.checkpoints,
    checkpointIntervalSecs: read(env, 'LLMC_CHECKPOINT_INTERVAL', checkpoint_interval_secs, seconds) ?? workflow.checkpointIntervalSecs,
    allowPartial: read(env, 'LLMC_ALLOW_PARTIAL', allow_partial, flag) ?? workflow.allowPartial,
    logLevel: read(env, 'LLMC_LOG_LEVEL', log_level, (text) => text.toLowerCase()) ?? workflow.logLevel,
    logToFile: read(env, 'LLMC_LOG_TO_FILE', log_to_file, flag) ?? workflow.logToFile,
  };
}

/** The variables, what each replaces, and what it holds; docs/configuration.md prints them. */
export const WORKFLOW_VARIABLES: readonly (readonly [variable: string, option: string, holds: string])[] = [
  ['LLMC_MAX_AGENTS', 'max_agents', 'a number'],
  ['LLMC_WORKFLOW_TIMEOUT', 'timeout_secs', 'a duration such as `8h`; a bare number is milliseconds'],
  ['LLMC_STAGE_TIMEOUT', 'stage_timeout_secs', 'the same'],
  ['LLMC_MAX_RETRIES', 'max_retries', 'a number'],
  ['LLMC_RETRY_DELAY', 'retry_delay_ms', 'a duration such as `2s`; a bare number is milliseconds'],
  ['LLMC_RETRY_BACKOFF', 'retry_backoff', 'a number'],
  ['LLMC_CHECKPOINT_ENABLED', 'checkpoints', '`true` or `false`'],
  ['LLMC_CHECKPOINT_INTERVAL', 'checkpoint_interval_secs', 'a duration such as `2m`; a bare number is milliseconds'],
  ['LLMC_ALLOW_PARTIAL', 'allow_partial', '`true` or `false`'],
  ['LLMC_LOG_LEVEL', 'log_level', '`debug`, `info`, `warn` or `error`'],
  ['LLMC_LOG_TO_FILE', 'log_to_file', '`true` or `false`'],
];

/** An empty variable counts as not set. */
function read<Value>(env: Env, name: string, schema: z.ZodType<Value>, convert: (text: string) => unknown): Value | undefined {
  const text = env[name]?.trim();
  if (text === undefined || text === '') return undefined;
  const read = schema.safeParse(convert(text));
  if (read.success) return read.data;
  const [, , holds = 'another value'] = WORKFLOW_VARIABLES.find(([variable]) => variable === name) ?? [];
  const problem = read.error.issues[0]?.message ?? '';
  throw new LlmcError('INVALID_ARGUMENT', `the environment variable ${name} is "${text}", expected ${holds} (${problem})`, {
    hint: `Correct it, or remove it: unset ${name}`,
  });
}

const MILLISECONDS = /^\d+$/;

function milliseconds(text: string): unknown {
  try {
    return MILLISECONDS.test(text) ? Number(text) : parseDuration(text);
  } catch {
    // Refused by the schema.
    return text;
  }
}

function seconds(text: string): unknown {
  const ms = milliseconds(text);
  return typeof ms === 'number' ? Math.ceil(ms / 1_000) : ms;
}

function flag(text: string): unknown {
  if (/^(?:true|1|yes|on)$/i.test(text)) return true;
  return /^(?:false|0|no|off)$/i.test(text) ? false : text;
}
