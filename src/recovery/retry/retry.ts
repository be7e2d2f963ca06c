import type { ErrorCode } from '../../base/error-codes.ts';
import { waitMs } from '../backoff.ts';

/** How often an operation is tried again, and after which waits. */
export interface RetrySettings {
  readonly maxRetries: number;
  readonly initialDelayMs: number;
  /** No wait is longer, apart from its share of chance. */
  readonly maxDelayMs: number;
  /** Each wait is this many times the one before. */
  readonly backoffMultiplier: number;
  /** The share of a wait that chance may add, from 0 to 1. */
  readonly jitter: number;
  readonly retryableErrors: readonly ErrorCode[];
}

export const DEFAULT_RETRY: RetrySettings = {
  maxRetries: 3,
  initialDelayMs: 1_000,
  maxDelayMs: 30_000,
  backoffMultiplier: 2,
  jitter: 0.2,
  retryableErrors: [
    'AGENT_SPAWN_FAILED',
    'AGENT_TIMEOUT',
    'AGENT_CRASHED',
    'TMUX_SESSION_FAILED',
    'GIT_WORKTREE_FAILED',
    'DATABASE_ERROR',
    'RATE_LIMITED',
    'NETWORK_ERROR',
  ],
};

export const RETRY_OPERATIONS = ['agentSpawn', 'messageSend', 'databaseWrite', 'rateLimited', 'service'] as const;
export type RetryOperation = (typeof RETRY_OPERATIONS)[number];

/** What each operation does differently from the default. */
const RETRY_OVERRIDES: Readonly<Record<RetryOperation, Partial<RetrySettings>>> = {
  agentSpawn: { maxRetries: 2, initialDelayMs: 2_000 },
  messageSend: { maxRetries: 5, initialDelayMs: 500 },
  databaseWrite: { maxRetries: 3, initialDelayMs: 100 },
  rateLimited: { maxRetries: 5, initialDelayMs: 5_000, maxDelayMs: 60_000 },
  service: { maxRetries: 6, initialDelayMs: 60_000, maxDelayMs: 1_800_000 },
};

export type RetryTable = Readonly<Record<RetryOperation | 'default', RetrySettings>>;

/** The settings of every operation: its own figures over the general ones. */
export function retryTable(
  general: Partial<RetrySettings> = {},
  overrides: Partial<Readonly<Record<RetryOperation, Partial<RetrySettings>>>> = {},
): RetryTable {
  const base = { ...DEFAULT_RETRY, ...general };
  const of = (name: RetryOperation): RetrySettings => ({ ...base, ...RETRY_OVERRIDES[name], ...overrides[name] });
  return {
    default: base,
    agentSpawn: of('agentSpawn'),
    messageSend: of('messageSend'),
    databaseWrite: of('databaseWrite'),
    rateLimited: of('rateLimited'),
    service: of('service'),
  };
}

export const RETRY_TABLE: RetryTable = retryTable();

/**
 * The wait after a failed attempt.
 *
 * @param attempt the number of the attempt that failed, from 1.
 * @param chance 0 to 1, drawn at random.
 */
export function retryDelayMs(attempt: number, settings: RetrySettings, chance: number): number {
  const { initialDelayMs, backoffMultiplier, maxDelayMs, jitter } = settings;
  // 0 ms times a power beyond the largest number is not a number.
  if (initialDelayMs === 0) return 0;
  return waitMs(Math.min(initialDelayMs * backoffMultiplier ** (attempt - 1), maxDelayMs), jitter, chance);
}

export function isRetryable({ code }: { readonly code: ErrorCode }, { retryableErrors }: RetrySettings): boolean {
  return retryableErrors.includes(code);
}
