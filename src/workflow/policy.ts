import type { WorkflowSettings } from '../config/workflow-settings.ts';
import { type RetryOperation, type RetrySettings, retryTable } from '../recovery/retry/retry.ts';
import type { EnginePolicy } from './engine/ports.ts';
import { CHECKPOINT_TYPES, type CheckpointType } from './model/action.ts';
import type { DefaultAnswers } from './model/policy-parts.ts';
import type { RunPolicy } from './next/turn.ts';

/** The figures of the decisions on a run. The core itself puts a stage's and a workflow's own keys over them. */
export function makeEnginePolicy(
  settings: WorkflowSettings,
  defaultAgent = 'claude',
  accountOf: (agent: string) => string = (agent) => agent,
): EnginePolicy {
  return {
    maxAgents: settings.maxAgents,
    stageTimeoutMs: settings.stageTimeoutSecs * 1_000,
    runTimeoutMs: settings.timeoutSecs * 1_000,
    startTimeoutMs: settings.startTimeoutSecs * 1_000,
    nudgeTimeoutMs: settings.nudgeTimeoutSecs * 1_000,
    queueTimeoutMs: settings.queueTimeoutSecs * 1_000,
    saveTimeoutMs: settings.saveTimeoutSecs * 1_000,
    checkpointEveryMs: settings.checkpoints ? settings.checkpointIntervalSecs * 1_000 : Number.POSITIVE_INFINITY,
    checkpointTypes: CHECKPOINT_TYPES.filter((type) => isTaken(type, settings)),
    keepCheckpoints: settings.checkpointKeep,
    continueWithout: settings.continueWithout,
    answers: toAnswers(settings),
    // The engine knows the states.
    providers: {
      failures: settings.providerFailures,
      retryAfterMs: settings.providerRetrySecs * 1_000,
      states: {},
      defaultAgent,
      accountOf,
    },
    limits: {
      perError: settings.recoveriesPerError,
      inTotal: settings.recoveriesInTotal,
      coolDownMs: settings.recoveryCooldownMs,
    },
    retry: toRetries(settings),
    allowPartial: settings.allowPartial,
  };
}

/** A stage that takes long gets more time, and one that fails again and again is left out: the night must not wait for these. */
export const DEFAULT_ANSWERS: DefaultAnswers = {
  timeout: { option: 'extend', afterMs: 5 * 60_000 },
  circuit_breaker: { option: 'skip', afterMs: 5 * 60_000 },
};

function toAnswers({ answers }: WorkflowSettings): DefaultAnswers {
  const own = Object.entries(answers).map(([type, { option, afterSecs }]) => [type, { option, afterMs: afterSecs * 1_000 }]);
  return { ...DEFAULT_ANSWERS, ...Object.fromEntries(own) };
}

function isTaken(type: CheckpointType, { checkpoints, checkpointOnStage, checkpointOnError }: WorkflowSettings): boolean {
  if (type === 'manual') return true;
  if (!checkpoints) return false;
  if (type === 'stage_complete') return checkpointOnStage;
  return type === 'before_retry' || type === 'error_recovery' ? checkpointOnError : true;
}

const OPERATIONS = {
  agent_spawn: 'agentSpawn',
  message_send: 'messageSend',
  database_write: 'databaseWrite',
  rate_limited: 'rateLimited',
  service: 'service',
} as const satisfies Record<string, RetryOperation>;

function toRetries(settings: WorkflowSettings): RunPolicy['retry'] {
  const {
    maxRetries,
    retryDelayMs: initialDelayMs,
    retryMaxDelayMs: maxDelayMs,
    retryBackoff,
    retryJitter: jitter,
    retryableErrors,
  } = settings;
  const own = (name: keyof typeof OPERATIONS) => [OPERATIONS[name], toOverrides(settings.retry[name] ?? {})];
  return retryTable(
    { maxRetries, initialDelayMs, maxDelayMs, backoffMultiplier: retryBackoff, jitter, retryableErrors },
    Object.fromEntries([own('agent_spawn'), own('message_send'), own('database_write'), own('rate_limited'), own('service')]),
  );
}

type OwnRetry = NonNullable<WorkflowSettings['retry'][keyof WorkflowSettings['retry']]>;

/** Only what the table names: the rest comes from the operation's own default. */
function toOverrides({ maxRetries, delayMs, maxDelayMs, backoff, jitter }: Partial<OwnRetry>): Partial<RetrySettings> {
  return {
    ...(maxRetries !== undefined && { maxRetries }),
    ...(delayMs !== undefined && { initialDelayMs: delayMs }),
    ...(maxDelayMs !== undefined && { maxDelayMs }),
    ...(backoff !== undefined && { backoffMultiplier: backoff }),
    ...(jitter !== undefined && { jitter }),
  };
}
