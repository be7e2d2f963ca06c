import type { Display } from '../shell.ts';
import { table } from '../text/table.ts';
import type { SessionLine } from './read-sessions.ts';

/** New ones come last: scripts count them. */
const COLUMNS = ['session', 'status', 'tasks', 'output_file', 'exit_code', 'session_state', 'run', 'agent', 'step'] as const;

/** The columns, as texts. */
function toCells(line: SessionLine): readonly string[] {
  const { session, status, tasks_done: done, tasks_total: total, output_file, exit_code, session_state, run, agent, step } = line;
  const tasks = done === null || total === null ? '' : `${done}/${total}`;
  const code = exit_code === null ? '' : String(exit_code);
  return [session, status ?? '', tasks, output_file ?? '', code, session_state, run ?? '', agent ?? '', step ?? ''];
}

/** One line per session, without a heading: the columns have fixed places. */
export function sessionsCsv(lines: readonly SessionLine[]): string {
  return lines.map((line) => toCells(line).map(csvCell).join(',')).join('\n');
}

/** As RFC 4180: a quote is written twice. */
export function csvCell(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function sessionsTable(lines: readonly SessionLine[], display: Pick<Display, 'columns'>): string {
  if (lines.length === 0) return 'There are no workers.';
  const rows = [COLUMNS.map((column) => column.replace('_', ' ')), ...lines.map(toCells)].map((cells) => {
    // The state is what a person looks for; the file is as long as it likes.
    const [session = '', status = '', tasks = '', file = '', code = '', state = '', run = '', agent = '', step = ''] = cells;
    return [session, state, code, tasks, status, agent, run, step, file];
  });
  return table(rows, display);
}
