import type { Clock, Instant, Random } from '../../base/ports.ts';
import type { ErrorRecord } from '../error-record.ts';
import { errorFromThrown } from '../errors/from-thrown.ts';
import { isRetryable, type RetrySettings, retryDelayMs } from './retry.ts';

export interface RetryContext {
  /** From 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** Why the attempts before this one failed. */
  readonly errors: readonly ErrorRecord[];
  readonly startedAt: Instant;
}

interface Tried {
  readonly attempts: number;
  readonly totalMs: number;
  /** One for each attempt that failed. */
  readonly errors: readonly ErrorRecord[];
}

export type Retried<T> = Tried &
  (
    | { readonly kind: 'done'; readonly value: T }
    /** `thrown`: what the last attempt threw. */
    | { readonly kind: 'failed'; readonly thrown: unknown }
    /** The signal came before an attempt had succeeded. */
    | { readonly kind: 'cancelled'; readonly thrown: unknown }
  );

export interface RetryOptions {
  /** Names the operation in its error records. */
  readonly operation: string;
  readonly settings: RetrySettings;
  readonly clock: Clock;
  readonly random: Random;
  /** Called before each wait. */
  readonly onRetry?: (error: ErrorRecord, delayMs: number) => void;
}

/** Performs an operation again after each failure that may pass, at most as often as its settings say. */
export async function withRetry<T>(
  perform: (context: RetryContext) => Promise<T>,
  { operation, settings, clock, random, onRetry }: RetryOptions,
  signal?: AbortSignal,
): Promise<Retried<T>> {
  const startedAt = clock.now();
  const errors: ErrorRecord[] = [];
  const tried = (attempts: number): Tried => ({ attempts, totalMs: clock.now() - startedAt, errors });
  const maxAttempts = settings.maxRetries + 1;
  for (let attempt = 1; ; attempt += 1) {
    if (isAborted(signal)) return { kind: 'cancelled', thrown: signal?.reason, ...tried(attempt - 1) };
    const begunAt = clock.now();
    try {
      return { kind: 'done', value: await perform({ attempt, maxAttempts, errors: [...errors], startedAt }), ...tried(attempt) };
    } catch (thrown) {
      const at = clock.now();
      const error = errorFromThrown(thrown, { id: random.id(), component: operation, at, durationMs: at - begunAt, retries: attempt - 1 });
      errors.push(error);
      if (isAborted(signal)) return { kind: 'cancelled', thrown, ...tried(attempt) };
      if (attempt >= maxAttempts || !isRetryable(error, settings)) return { kind: 'failed', thrown, ...tried(attempt) };
      const delayMs = retryDelayMs(attempt, settings, random.next());
      onRetry?.(error, delayMs);
      try {
        await clock.sleep(delayMs, signal);
      } catch (reason) {
        return { kind: 'cancelled', thrown: reason, ...tried(attempt) };
      }
    }
  }
}

/** A function, because the compiler does not know that a signal changes while the operation runs. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

/** The value, for callers to whom a failure is an exception. */
export function valueOrThrow<T>(retried: Retried<T>): T {
  if (retried.kind === 'done') return retried.value;
  throw retried.thrown;
}
