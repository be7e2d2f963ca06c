import { type Database, prepared } from '../database.ts';

/** The workers that the next digest is about. */
export function keptNotices(database: Database): readonly string[] {
  return prepared(database, 'SELECT worker FROM kept_notices ORDER BY rowid')
    .all()
    .map(({ worker }) => String(worker));
}

export function keepNotice(database: Database, worker: string): void {
  prepared(database, 'INSERT INTO kept_notices (worker) VALUES (?) ON CONFLICT DO NOTHING').run(worker);
}

export function forgetNotice(database: Database, worker: string): void {
  prepared(database, 'DELETE FROM kept_notices WHERE worker = ?').run(worker);
}
