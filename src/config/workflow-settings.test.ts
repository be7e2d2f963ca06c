import { describe, expect, test } from 'vitest';
import { parseConfig } from './parse.ts';
import { WORKFLOW_VARIABLES, type WorkflowSettings, workflowSettings } from './workflow-settings.ts';

const config = (lines = '') => parseConfig(`[repo]\nsource = "/code/shop"\n[workflow]\n${lines}\n`, 'config.toml');
const settings = (lines: string, env: Readonly<Record<string, string>> = {}) => workflowSettings(config(lines), env);

/** The table of configuration keys. */
test.each<readonly [keyof WorkflowSettings, unknown]>([
  ['maxAgents', 4],
  ['timeoutSecs', 86_400],
  ['stageTimeoutSecs', 14_400],
  ['maxRetries', 3],
  ['retryDelayMs', 1_000],
  ['retryMaxDelayMs', 30_000],
  ['retryBackoff', 2],
  ['retryJitter', 0.2],
  [
    'retryableErrors',
    [
      'AGENT_SPAWN_FAILED',
      'AGENT_TIMEOUT',
      'AGENT_CRASHED',
      'TMUX_SESSION_FAILED',
      'GIT_WORKTREE_FAILED',
      'DATABASE_ERROR',
      'RATE_LIMITED',
      'NETWORK_ERROR',
    ],
  ],
  ['retry', {}],
  ['recoveriesPerError', 3],
  ['recoveriesInTotal', 10],
  ['recoveryCooldownMs', 5_000],
  ['checkpoints', true],
  ['checkpointIntervalSecs', 60],
  ['checkpointOnStage', true],
  ['checkpointOnError', true],
  ['checkpointKeep', 10],
  ['allowPartial', true],
  ['logLevel', 'info'],
  ['logToFile', true],
  ['logMaxMb', 10],
])('the default of %s is %j', (key, value) => {
  expect(settings('')[key]).toEqual(value);
});

/** The table of variables: what each replaces, in the file and from the environment. */
const VARIABLES: readonly (readonly [
  variable: string,
  value: string,
  key: keyof WorkflowSettings,
  line: string,
  fromFile: unknown,
  fromEnv: unknown,
])[] = [
  ['LLMC_MAX_AGENTS', '9', 'maxAgents', 'max_agents = 2', 2, 9],
  ['LLMC_WORKFLOW_TIMEOUT', '2h', 'timeoutSecs', 'timeout_secs = 60', 60, 7_200],
  ['LLMC_STAGE_TIMEOUT', '90000', 'stageTimeoutSecs', 'stage_timeout_secs = 60', 60, 90],
  ['LLMC_MAX_RETRIES', '0', 'maxRetries', 'max_retries = 7', 7, 0],
  ['LLMC_RETRY_DELAY', '1500', 'retryDelayMs', 'retry_delay_ms = 10', 10, 1_500],
  ['LLMC_RETRY_BACKOFF', '1.5', 'retryBackoff', 'retry_backoff = 3', 3, 1.5],
  ['LLMC_CHECKPOINT_ENABLED', 'true', 'checkpoints', 'checkpoints = false', false, true],
  ['LLMC_CHECKPOINT_INTERVAL', '60000', 'checkpointIntervalSecs', 'checkpoint_interval_secs = 5', 5, 60],
  ['LLMC_ALLOW_PARTIAL', 'false', 'allowPartial', 'allow_partial = true', true, false],
  ['LLMC_LOG_LEVEL', 'Debug', 'logLevel', 'log_level = "error"', 'error', 'debug'],
  ['LLMC_LOG_TO_FILE', '0', 'logToFile', 'log_to_file = true', true, false],
];

test.each(VARIABLES)('%s=%s wins over the file', (variable, value, key, line, fromFile, fromEnv) => {
  expect(settings(line)[key]).toBe(fromFile);
  expect(settings(line, { [variable]: value })[key]).toBe(fromEnv);
  expect(settings(line, { [variable]: ' ' })[key]).toBe(fromFile);
});

test('the list of variables is complete', () => {
  expect(WORKFLOW_VARIABLES.map(([variable]) => variable).toSorted()).toEqual(VARIABLES.map(([variable]) => variable).toSorted());
});

describe('a variable that makes no sense is refused by its name', () => {
  test.each([
    ['LLMC_MAX_RETRIES', 'many', 'expected a number'],
    ['LLMC_MAX_RETRIES', '-1', 'expected a number'],
    ['LLMC_MAX_RETRIES', '2.5', 'expected a number'],
    ['LLMC_RETRY_DELAY', 'soon', 'expected a duration'],
    ['LLMC_RETRY_BACKOFF', '0', 'expected a number'],
    ['LLMC_CHECKPOINT_ENABLED', 'perhaps', 'expected `true` or `false`'],
    ['LLMC_CHECKPOINT_INTERVAL', '0', 'expected a duration'],
    ['LLMC_LOG_LEVEL', 'loud', 'expected `debug`'],
  ])('%s=%s', (variable, value, expected) => {
    expect(() => settings('', { [variable]: value })).toThrow(`the environment variable ${variable} is "${value}", ${expected}`);
  });
});

test('retries of one operation', () => {
  expect(settings('[workflow.retry.rate_limited]\nmax_retries = 2\ndelay_ms = 100').retry).toEqual({
    rate_limited: { maxRetries: 2, delayMs: 100 },
  });
  expect(() => settings('[workflow.retry.rate_limits]\nmax_retries = 2')).toThrow('rate_limit');
});
