import { formatAge } from '../../base/duration.ts';
import { cutToWidth } from '../../base/text-width.ts';
import { visibleLine } from '../../base/visible-text.ts';
import type { TaskReport } from '../../workers/queue/show-queue.ts';
import type { Mode } from '../model/view.ts';
import { apart, dress, span } from '../screen/fit.ts';
import type { Line, Size } from '../screen/line.ts';

interface Drawn {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly top: number;
}

/** The tasks that wait, in their order, with what each waits for. */
export function queueLines({ tasks, at }: Extract<Mode, { kind: 'queue' }>, now: number, { columns, rows }: Size): Drawn {
  const title = tasks === undefined ? 'queue' : `queue: ${tasks.length === 1 ? '1 task waits' : `${tasks.length} tasks wait`}`;
  if (tasks === undefined) return { title, lines: [[span('reading …', { dim: true })]], top: 0 };
  if (tasks.length === 0) return { title, lines: [[], [span('No task waits. n: a new one', { dim: true })]], top: 0 };
  const lines = tasks.flatMap((task, index) => taskLines(task, now, columns, index === at));
  return { title, lines, top: Math.max(0, at * 2 - Math.floor(rows / 2)) };
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
  const second: Line = [span(cutToWidth(`       ${visibleLine(task.waits ?? '')}`, columns), { dim: true })];
  return isSelected ? [dress(first, { inverse: true }), second] : [first, second];
}
