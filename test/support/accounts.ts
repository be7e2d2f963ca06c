import { existsSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describeError } from '../../src/base/error.ts';
import { makeLayout } from '../../src/store/layout.ts';

const LAST_LINES = 60;

/** The roots of this test file, and what those had recorded that are gone by now. */
const open = new Set<string>();
const closed: string[] = [];

/** Remembers what is recorded in a root, for the message of a failed test. Dispose it before the root is removed. */
export function keepAccount(root: string): Disposable {
  open.add(root);
  return {
    [Symbol.dispose]: () => {
      if (open.delete(root)) closed.push(accountOf(root));
    },
  };
}

/** What is recorded in the roots that are there, and in those that went since the last call; nothing if nobody wants it. */
export function takeAccounts(isWanted: boolean): string {
  const gone = closed.splice(0);
  if (!isWanted) return '';
  return [...gone, ...[...open].map(accountOf)].filter((text) => text !== '').join('\n\n');
}

/** The end of the history of a root with its runs, the deliveries that are not done, and what the supervisor printed beside its log. */
function accountOf(root: string): string {
  const { database: file, log } = makeLayout(root);
  if (!existsSync(file)) return '';
  try {
    using database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    const rows = (sql: string) => database.prepare(sql).all();
    const history = rows(
      `SELECT at_ms, worker AS who, kind || ': ' || summary AS what FROM history
       UNION ALL SELECT at_ms, run, coalesce(step || ': ', '') || text FROM run_history ORDER BY at_ms DESC LIMIT ${LAST_LINES}`,
    ).toReversed();
    const waiting = rows("SELECT worker, purpose, state, reason, attempt, created_ms FROM deliveries WHERE state <> 'done' ORDER BY seq");
    const last = Number(history.at(-1)?.at_ms);
    return [
      `${root}, to ${new Date(last).toISOString()}:`,
      ...history.map(({ at_ms, who, what }) => `${Number(at_ms) - last} ms ${who ?? 'llmc'}: ${what}`),
      ...waiting.map((row) => `delivery: ${JSON.stringify(row)}`),
      ...printed(log('llmc')),
    ].join('\n');
  } catch (error) {
    return `${root}: ${describeError(error)}`;
  }
}

function printed(log: string): readonly string[] {
  if (!existsSync(log)) return [];
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('{"time"'))
    .slice(-20);
}
