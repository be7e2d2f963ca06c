import { formatAge } from '../../base/duration.ts';
import { cutToWidth } from '../../base/text-width.ts';
import { visibleLine } from '../../base/visible-text.ts';
import type { HeldMessage } from '../../workers/prompt/held-messages.ts';
import type { TaskReport } from '../../workers/queue/show-queue.ts';
import type { Mode } from '../model/view.ts';
import { apart, dress, span } from '../screen/fit.ts';
import type { Line, Size } from '../screen/line.ts';

interface Drawn {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly top: number;
}

type Queue = Extract<Mode, { kind: 'queue' }>;

/** The tasks that wait, in their order, with what each waits for, and below them the messages. */
export function queueLines({ tasks, messages, at }: Queue, now: number, { columns, rows }: Size): Drawn {
  if (tasks === undefined) return { title: 'queue', lines: [[span('reading …', { dim: true })]], top: 0 };
  const counts = [...count(tasks, 'task'), ...count(messages, 'message')];
  if (counts.length === 0) return { title: 'queue', lines: [[], [span('No task waits. n: a new one', { dim: true })]], top: 0 };
  const heading: readonly Line[] = messages.length === 0 ? [] : [[], [span('MESSAGES', { bold: true, dim: true })]];
  const lines = [
    ...tasks.flatMap((task, index) => taskLines(task, now, columns, index === at)),
    ...heading,
    ...messages.flatMap((message, index) => messageLines(message, now, columns, tasks.length + index === at)),
  ];
  const selected = at * 2 + (at < tasks.length ? 0 : heading.length);
  return { title: `queue: ${counts.join(', ')}`, lines, top: Math.max(0, selected - Math.floor(rows / 2)) };
}

function count({ length }: readonly unknown[], what: string): readonly string[] {
  if (length === 0) return [];
  return [length === 1 ? `1 ${what} waits` : `${length} ${what}s wait`];
}

/** A prompt that llmc itself sends cannot be changed, and is named. */
function messageLines(message: HeldMessage, now: number, columns: number, isSelected: boolean): readonly Line[] {
  const { id, worker, purpose, text, state, reason, created_ms } = message;
  const what = purpose === 'message' ? '' : `${purpose}: `;
  const first = apart(
    [span(` ${id}  `, { bold: true }), span(`${visibleLine(worker)}  `, { color: 'cyan' }), span(visibleLine(`${what}${text.trim()}`))],
    [span(` ${formatAge(now - created_ms)}`, { dim: true })],
    columns,
  );
  const isTyped = (state === 'typed' || state === 'submitted') && reason === null;
  const waits = isTyped ? 'is being typed' : `waits: ${visibleLine(reason ?? 'it is next')}`;
  return entryLines(first, waits, columns, isSelected);
}

function taskLines(task: TaskReport, now: number, columns: number, isSelected: boolean): readonly Line[] {
  const age = ` ${formatAge(now - task.created_ms)}`;
  const wishes = [
    ...(task.priority === 0 ? [] : [`priority ${task.priority}`]),
    ...(task.worker === null ? [] : [task.worker]),
    ...(task.agent === null ? [] : [task.agent]),
  ];
  const first = apart(
    [span(` ${String(task.number).padStart(4)}  `, { bold: true }), span(visibleLine(task.prompt.trim()))],
    [span(wishes.length === 0 ? '' : `  ${wishes.join(', ')}`, { color: 'cyan' }), span(age, { dim: true })],
    columns,
  );
  return entryLines(first, visibleLine(task.waits ?? ''), columns, isSelected);
}

function entryLines(first: Line, waits: string, columns: number, isSelected: boolean): readonly Line[] {
  const second: Line = [span(cutToWidth(`       ${waits}`, columns), { dim: true })];
  return [isSelected ? dress(first, { inverse: true }) : first, second];
}
