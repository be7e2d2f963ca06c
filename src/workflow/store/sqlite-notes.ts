import { type Database, prepared } from '../../store/database.ts';
import type { Escalation } from '../model/escalation.ts';
import type { LoggedError, LoggedRetry } from './ports.ts';

/** Each is called in a transaction, and changes nothing when it is repeated. */
export function writeError(database: Database, run: string, { outcome, ...error }: LoggedError, at: number): void {
  prepared(
    database,
    `INSERT INTO error_log (id, run, code, category, severity, message, details, component, agent_role, recoverable, recovered, outcome,
        recovery_strategy, stack, context_json, error_json, created_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  ).run(
    ...[error.id, run, error.code, error.category, error.severity, error.message, error.details, error.component],
    ...[error.role, Number(error.recoverable), Number(outcome === 'recovered'), outcome, error.strategy, error.stack],
    ...[JSON.stringify(error.context), JSON.stringify(error), at],
  );
}

/** A question that has an answer replaces the same one without it. */
export function writeQuestion(database: Database, run: string, question: Escalation): void {
  prepared(
    database,
    `INSERT INTO run_questions (run, number, question_json) VALUES (?, ?, ?)
       ON CONFLICT (run, number) DO UPDATE SET question_json = excluded.question_json`,
  ).run(run, question.number, JSON.stringify(question));
}

/** What the operation came to is known later. */
export function writeRetry(database: Database, run: string, retry: LoggedRetry): void {
  const { step, operation, key, attempt, at, delayMs, error, outcome } = retry;
  prepared(
    database,
    `INSERT INTO run_retries (run, step, operation, key, attempt, at_ms, delay_ms, error_json, outcome)
       SELECT id, ?, ?, ?, ?, ?, ?, ?, ? FROM runs WHERE id = ?
       ON CONFLICT (run, key, attempt) DO UPDATE SET outcome = excluded.outcome, delay_ms = excluded.delay_ms`,
  ).run(step, operation, key, attempt, at, delayMs, JSON.stringify(error), outcome, run);
}
