import { expect, test } from 'vitest';
import { type Database, openDatabase } from '../../store/database.ts';
import { untoldReports } from '../../store/tables/tasks.ts';
import { SqliteQueue } from './sqlite-queue.ts';
import { SqliteRuns } from './sqlite-runs.ts';

/** A database that tells how SQLite reads the tables for each statement that was prepared. */
function explained(): { readonly database: Database; readonly plans: () => readonly string[] } {
  const database = openDatabase(':memory:');
  const statements: string[] = [];
  const prepare = database.prepare.bind(database);
  database.prepare = (sql) => {
    statements.push(sql);
    return prepare(sql);
  };
  const linesOf = (sql: string) =>
    prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail));
  return { database, plans: () => statements.flatMap(linesOf).filter((line) => /^(?:SCAN|SEARCH) /.test(line)) };
}

const runs = (database: Database) => new SqliteRuns(database);
const queue = (database: Database) => new SqliteQueue(database);

/** What the engine asks in a pass in which nothing is due. A plan that scans a table would read every run that ever was. */
const QUESTIONS: Readonly<Record<string, (database: Database) => unknown>> = {
  'which runs are due': (database) => runs(database).due(1),
  'when the next run is due': (database) => runs(database).nextDue(),
  'which events nothing was decided on': (database) => runs(database).undecided(),
  'which tasks can be claimed': (database) => queue(database).claimable(1),
  'when the next task is due': (database) => queue(database).nextAt(1),
  'what happened to the tasks of workers': (database) => untoldReports(database),
};

/** They hold only what is open: rows of runs that have ended, decided events and performed tasks are not in them. */
const OPEN = /USING (?:COVERING )?INDEX (?:runs_by_wake|run_events_undecided|run_tasks_open|task_reports_untold)\b/;
/** One row by its key. */
const ONE_ROW = /^SEARCH \w+ USING (?:INTEGER PRIMARY KEY \(rowid=\?\)|INDEX sqlite_autoindex_runs_1 \(id=\?\))$/;

test.for(Object.entries(QUESTIONS))('%s is read from what is open', async ([, ask]) => {
  const { database, plans } = explained();
  await ask(database);
  expect(plans()).not.toEqual([]);
  expect(plans().filter((line) => !OPEN.test(line) && !ONE_ROW.test(line) && !line.includes('SUBQUERY'))).toEqual([]);
});
