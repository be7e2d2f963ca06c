import { type Database, inTransaction } from './database.ts';
import { insertHistory } from './tables/history.ts';
import { holdWaiting } from './tables/queue.ts';

/**
 * Ends what was under way when a copy of the database was made. The copy does not know what happened since: a prompt sent again, or an
 * accept gone on with, would happen twice. A run would wait for ever for what it does not know of; if it has files, which are newer than
 * the copy, it is taken out, and the supervisor reads it back from them. Returns what the user must know; the history has it at once, so
 * that a crash does not hide the restore.
 */
export function settleRestored(
  database: Database,
  now: number,
  restored: string,
  runHasFiles: (run: string) => boolean = () => false,
): readonly string[] {
  return inTransaction(database, () => {
    const { changes } = database
      .prepare("UPDATE deliveries SET state = 'failed', reason = ? WHERE state NOT IN ('acked', 'done', 'failed')")
      .run(JSON.stringify({ kind: 'database_restored' }));
    database.prepare("UPDATE deliveries SET state = 'done', done_ms = ? WHERE state = 'acked'").run(now);
    // What runs after an accept, and its report, may have been done since the copy: a second run could deploy twice.
    database
      .prepare("UPDATE landings SET after_ms = COALESCE(after_ms, ?), reported_ms = COALESCE(reported_ms, ?) WHERE outcome = 'landed'")
      .run(now, now);
    const settled = "phase = 'settled', settled_ms = ?";
    database.prepare(`UPDATE landings SET ${settled}, outcome = ? WHERE phase <> 'settled'`).run(now, 'llmc.db was restored from a copy');
    database
      .prepare(`UPDATE undos SET ${settled}, outcome = 'failed', problem = ? WHERE phase <> 'settled'`)
      .run(now, 'llmc.db was restored from a copy');
    database.prepare(`UPDATE resolutions SET ${settled}, outcome = 'replaced' WHERE phase <> 'settled'`).run(now);
    const held = holdWaiting(database);
    const taken = takeOutRuns(database, runHasFiles);
    const told = [restored];
    if (changes > 0) told.push(`Prompts that were on their way then were given up: ${changes}. llmc why <worker> lists them.`);
    if (held > 0) told.push(`${held} tasks of the queue wait for you, because they may have been given since: llmc queue`);
    if (taken.length > 0)
      told.push(`Runs that were under way are read back from their files at the next start: ${taken.join(', ')}. llmc runs`);
    const revision = Number(database.prepare('SELECT revision FROM state_journal').get()?.revision ?? 0);
    for (const summary of told) insertHistory(database, { at: now, worker: null, kind: 'repair', summary }, revision);
    return told;
  });
}

/** Every table with rows of a run, those that refer to the run first. */
const OF_RUNS = [
  'run_tasks',
  'run_events',
  'run_history',
  'run_items',
  'run_plans',
  'run_questions',
  'run_retries',
  'checkpoints',
  'error_log',
];

function takeOutRuns(database: Database, hasFiles: (run: string) => boolean): readonly string[] {
  const rows = database.prepare('SELECT id FROM runs WHERE ended_ms IS NULL ORDER BY created_ms').all();
  const taken = rows.map(({ id }) => String(id)).filter(hasFiles);
  for (const id of taken) {
    for (const table of OF_RUNS) database.prepare(`DELETE FROM ${table} WHERE run = ?`).run(id);
    database.prepare('DELETE FROM runs WHERE id = ?').run(id);
  }
  return taken;
}
