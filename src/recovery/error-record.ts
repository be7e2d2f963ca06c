import { inspect } from 'node:util';
import { ERROR_CODES, type ErrorCategory, type ErrorCode, type ErrorSeverity } from '../base/error-codes.ts';
import type { Instant } from '../base/ports.ts';

/** A failure in a run, with everything that its log, its report and the next decision need. JSON keeps all of it. */
export interface ErrorRecord {
  /** Unique in the run. */
  readonly id: string;
  readonly code: ErrorCode;
  readonly category: ErrorCategory;
  readonly severity: ErrorSeverity;
  readonly message: string;
  readonly details: string | null;
  /** What the thrown error itself says to do next. */
  readonly suggestion: string | null;
  /** The part of llmc or the stage that failed. */
  readonly component: string;
  readonly role: string | null;
  readonly at: Instant;
  /** How long the operation ran before it failed. */
  readonly durationMs: number | null;
  readonly recoverable: boolean;
  readonly retryable: boolean;
  readonly retries: number;
  readonly strategy: string | null;
  readonly stack: string | null;
  /** Values of JSON only. */
  readonly context: Readonly<Record<string, unknown>>;
  readonly cause: ErrorRecord | null;
}

type Given = Pick<ErrorRecord, 'id' | 'code' | 'message' | 'component' | 'at'> & Partial<ErrorRecord>;

/** The code decides category, severity and whether a retry can help. */
export function errorRecord(given: Given): ErrorRecord {
  return {
    ...ERROR_CODES[given.code],
    details: null,
    suggestion: null,
    role: null,
    durationMs: null,
    retries: 0,
    strategy: null,
    stack: null,
    cause: null,
    ...given,
    context: jsonContext(given.context ?? {}),
  };
}

/** What JSON cannot hold becomes text, so that a record is the same after JSON and back. */
function jsonContext(context: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(context)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, jsonValue(value)]),
  );
}

function jsonValue(value: unknown): unknown {
  try {
    const text = JSON.stringify(value);
    return text === undefined ? inspect(value) : JSON.parse(text);
  } catch {
    // A BigInt, or a value that contains itself.
    return inspect(value, { depth: 2 });
  }
}
