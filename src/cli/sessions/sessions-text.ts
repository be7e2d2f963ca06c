import type { Display } from '../shell.ts';
import { table } from '../text/table.ts';
import type { SessionLine } from './read-sessions.ts';

const COLUMNS = ['session', 'status', 'tasks', 'output_file', 'exit_code', 'session_state'] as const;

/** The six columns, as texts. */
function cellsOf(line: SessionLine): readonly string[] {
  const { session, status, tasks_done: done, tasks_total: total, output_file, exit_code, session_state } = line;
  const tasks = done === null || total === null ? '' : `${done}/${total}`;
  return [session, status ?? '', tasks, output_file ?? '', exit_code === null ? '' : String(exit_code), session_state];
}

/** One line per session, without a heading: the columns have fixed places. */
export function sessionsCsv(lines: readonly SessionLine[]): string {
  return lines.map((line) => cellsOf(line).map(csvCell).join(',')).join('\n');
}

/** As RFC 4180: a quote is written twice. */
export function csvCell(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function sessionsTable(lines: readonly SessionLine[], display: Pick<Display, 'columns'>): string {
  if (lines.length === 0) return 'There are no workers.';
  const rows = [COLUMNS.map((column) => column.replace('_', ' ')), ...lines.map(cellsOf)].map((cells) => {
    // The state is what a person looks for; the file is as long as it likes.
    const [session = '', status = '', tasks = '', file = '', code = '', state = ''] = cells;
    return [session, state, code, tasks, status, file];
  });
  return table(rows, display);
}
