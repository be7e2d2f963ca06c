import type { ErrorCode, ErrorSeverity } from '../../base/error-codes.ts';
import { splitAddress } from '../model/address.ts';
import type { Run } from '../model/run.ts';
import type { LoggedError } from '../store/ports.ts';
import { judgeErrorOutcome, type ReportedOutcome } from './report-view.ts';

/** A failure as `log.yaml` and `llmc report --errors --json` have it. The names are a contract. */
export interface ErrorEntry {
  readonly timestamp: string;
  /** The run. */
  readonly workflow_id: string;
  /** The stage, without the item; or the part of llmc: `run`, `messages`. */
  readonly stage: string;
  readonly error_type: ErrorCode;
  readonly severity: LogSeverity;
  readonly message: string;
  readonly context: ErrorContext;
  readonly resolution: ErrorResolution;
}

export const LOG_SEVERITIES = ['info', 'warning', 'error', 'critical'] as const;
export type LogSeverity = (typeof LOG_SEVERITIES)[number];

export interface ErrorContext {
  /** The agent that had the stage, by name; null for a stage without one. */
  readonly agent: string | null;
  readonly role: string | null;
  /** The key of the item of a `for_each`. */
  readonly item: string | null;
  /** Which try of the stage it was, from 1; null for a failure that is not about a stage. */
  readonly attempt: number | null;
}

export interface ErrorResolution {
  /** What llmc really did: not what it would have done if another agent had been there. Null if nothing could follow. */
  readonly action_taken: string | null;
  /** Whether the stage ended well after it, without another failure; null while that is open, and after a rollback took the stage away. */
  readonly successful: boolean | null;
}

export function errorEntries(run: Pick<Run, 'id' | 'clock'>, errors: readonly LoggedError[]): readonly ErrorEntry[] {
  return errors.map((error) => ({
    timestamp: new Date(error.at).toISOString(),
    workflow_id: run.id,
    stage: splitAddress(error.component).stage,
    error_type: error.code,
    severity: logSeverity(error.severity),
    message: error.message,
    context: toContext(error),
    resolution: { action_taken: error.strategy, successful: SUCCESS[judgeErrorOutcome(run, error)] },
  }));
}

/** The severities of a log have other words than those of `llmc`. */
function logSeverity(severity: ErrorSeverity): LogSeverity {
  return severity === 'fatal' ? 'critical' : severity;
}

function toContext({ context: { agent, attempt }, role, component }: LoggedError): ErrorContext {
  return {
    agent: typeof agent === 'string' && agent !== '' ? agent : null,
    role,
    item: splitAddress(component).key,
    attempt: typeof attempt === 'number' ? attempt : null,
  };
}

const SUCCESS: Readonly<Record<ReportedOutcome, boolean | null>> = {
  recovered: true,
  'failed again': false,
  skipped: false,
  failed: false,
  cancelled: false,
  'rolled back': null,
  'under way': null,
};
