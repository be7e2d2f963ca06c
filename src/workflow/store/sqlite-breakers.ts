import { z } from 'zod';
import { afterFailure, afterSuccess, type Breaker, CLOSED } from '../../recovery/decide-breaker.ts';
import { type Database, prepared } from '../../store/database.ts';
import { jsonColumn } from '../../store/tables/json-column.ts';
import type { ProviderOutcome } from '../model/action.ts';
import { breakerStateSchema } from './run-schema.ts';

const row = z.object({ scope: z.string(), state_json: jsonColumn(breakerStateSchema) });

const nameScope = (account: string): string => `provider:${account}`;

/** The breakers of services that have failed and not answered since, by account. */
export function readProviders(database: Database): Readonly<Record<string, Breaker>> {
  const rows = prepared(database, "SELECT scope, state_json FROM breakers WHERE scope LIKE 'provider:%'").all();
  return Object.fromEntries(
    rows.map((each) => row.parse(each)).map(({ scope, state_json: state }) => [scope.slice('provider:'.length), state]),
  );
}

/** Called in the transaction that commits a run. */
export function writeProvider(database: Database, { account, by, outcome, policy }: ProviderOutcome, at: number): void {
  const before = readProviders(database)[account] ?? CLOSED;
  const after = changed(before, { account, by, outcome, policy }, at);
  if (after.kind === 'closed' && after.failures === 0) prepared(database, 'DELETE FROM breakers WHERE scope = ?').run(nameScope(account));
  else
    prepared(
      database,
      `INSERT INTO breakers (scope, state_json, changed_ms) VALUES (?, ?, ?)
         ON CONFLICT (scope) DO UPDATE SET state_json = excluded.state_json, changed_ms = excluded.changed_ms`,
    ).run(nameScope(account), JSON.stringify(after), at);
}

function changed(before: Breaker, { by, outcome, policy }: ProviderOutcome, at: number): Breaker {
  switch (outcome) {
    case 'failed':
      // A try of a run that ended meanwhile brings no answer: any failure opens it again.
      return afterFailure(before.kind === 'half_open' ? { ...before, trial: by } : before, by, policy, at);
    case 'succeeded':
      // A step that reached the service proves that it works.
      return before.kind === 'closed' ? afterSuccess(before, by) : CLOSED;
    case 'tried':
      // Open for the others, until the try has an answer, or until the same wait has passed without one.
      return { kind: 'open', failures: before.failures, until: at + policy.retryAfterMs };
  }
}
