import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '../src/store/database.ts';
import type { Plan } from '../src/workflow/definition/plan.ts';
import { readWorkflow } from '../src/workflow/definition/read-workflow.ts';
import { newRun } from '../src/workflow/model/new-run.ts';
import { SqliteQueue } from '../src/workflow/store/sqlite-queue.ts';
import { SqliteRuns } from '../src/workflow/store/sqlite-runs.ts';

/** A folder with the database of a root on the real disk, and a bare journal beside it: one row per event, as durable. */
export function makeRunWorld() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'llmc-bench-runs-')));
  const database = openDatabase(join(folder, 'llmc.db'));
  const journal = openDatabase(join(folder, 'journal.db'));
  journal.exec('CREATE TABLE journal (seq INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, event TEXT NOT NULL) STRICT');
  const dispose = (): void => {
    database.close();
    journal.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return {
    folder,
    database,
    runs: new SqliteRuns(database),
    queue: new SqliteQueue(database),
    insert: inserter(journal),
    [Symbol.dispose]: dispose,
  };
}

export type RunWorld = ReturnType<typeof makeRunWorld>;

/** Appends an event to the journal and waits for the disk. */
function inserter(journal: Database): (event: string) => void {
  const statement = journal.prepare('INSERT INTO journal (at_ms, event) VALUES (?, ?)');
  return (event) => void statement.run(Date.now(), event);
}

/** So many stages one after the other, each a commit of the same role. */
export function planWith(stages: number): Plan {
  const each = Array.from({ length: stages }, (_, index) => `  - { id: s${index + 1}, role: developer, prompt: "Do part ${index + 1}." }`);
  const reading = readWorkflow(`name: parts\nroles: { developer: {} }\nstages:\n${each.join('\n')}\n`);
  if (reading.kind === 'invalid') throw new Error(reading.problems.map(({ message }) => message).join('\n'));
  return reading.plan;
}

export async function beginRun(runs: SqliteRuns, id: string, plan: Plan): Promise<void> {
  const at = Date.now();
  await runs.create(newRun(id, plan, {}, at), { key: 'begin', at, dice: 0, what: { kind: 'begin' } });
}
