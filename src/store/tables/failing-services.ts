import { type Database, prepared } from '../database.ts';

/** A service behind an agent whose circuit breaker is open: runs use the fallback agents of their roles until then. */
export interface FailingService {
  readonly account: string;
  readonly failures: number;
  readonly until_ms: number;
}

/** Without a schema: `llmc status` starts without loading one. */
export function failingServices(database: Database): readonly FailingService[] {
  return prepared(
    database,
    `SELECT substr(scope, length('provider:') + 1) AS account, state_json ->> 'failures' AS failures, state_json ->> 'until' AS until_ms
       FROM breakers WHERE scope LIKE 'provider:%' AND json_valid(state_json) AND state_json ->> 'kind' = 'open' ORDER BY scope`,
  )
    .all()
    .map(({ account, failures, until_ms }) => ({ account: String(account), failures: Number(failures), until_ms: Number(until_ms) }));
}
