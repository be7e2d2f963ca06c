import { z } from 'zod';
import { type Database, prepared } from '../../store/database.ts';
import { jsonColumn } from '../../store/tables/json-column.ts';
import { isOfItem } from '../model/address.ts';
import type { Run, Step } from '../model/run.ts';
import { type StoredRunState, stepSchema } from './run-schema.ts';

const itemRow = z.object({ step_json: jsonColumn(stepSchema) });

/** The steps of a run's items, in the order in which they were made. */
export function readItemSteps(database: Database, run: string): Readonly<Record<string, Step>> {
  const rows = prepared(database, 'SELECT step_json FROM run_items WHERE run = ? ORDER BY seq').all(run);
  return Object.fromEntries(rows.map((row) => itemRow.parse(row).step_json).map((step) => [step.address, step]));
}

/** Called in the transaction that commits a run. One row per step, so that a decision on one of hundreds writes a few of them. */
export function writeItemSteps(database: Database, { id, steps }: Run, changed: readonly string[]): void {
  for (const address of changed.filter(isOfItem)) {
    const step = steps[address];
    if (step === undefined) prepared(database, 'DELETE FROM run_items WHERE run = ? AND address = ?').run(id, address);
    else
      prepared(
        database,
        'INSERT INTO run_items (run, address, step_json) VALUES (?, ?, ?) ON CONFLICT (run, address) DO UPDATE SET step_json = excluded.step_json',
      ).run(id, address, JSON.stringify(step));
  }
}

export function withoutItems(state: StoredRunState): StoredRunState {
  return { ...state, steps: Object.fromEntries(Object.entries(state.steps).filter(([address]) => !isOfItem(address))) };
}
