import { expect, test } from 'vitest';
import { openDatabase } from '../database.ts';
import { failingServices } from './failing-services.ts';

test('only services whose breaker is open are listed', () => {
  const database = openDatabase(':memory:');
  const insert = (scope: string, state: unknown) =>
    database.prepare('INSERT INTO breakers (scope, state_json, changed_ms) VALUES (?, ?, 0)').run(scope, JSON.stringify(state));
  insert('provider:claude', { kind: 'open', failures: 3, until: 1_800_000_000_000 });
  insert('provider:codex', { kind: 'closed', failures: 2 });
  expect(failingServices(database)).toEqual([{ account: 'claude', failures: 3, until_ms: 1_800_000_000_000 }]);
  database.close();
});
