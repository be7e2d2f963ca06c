import { formatAge } from '../../base/duration.ts';
import { cutToWidth } from '../../base/text-width.ts';
import { inOneLine, visibleLine, visibleText } from '../../base/visible-text.ts';
import type { HeldMessage } from '../../workers/prompt/held-messages.ts';
import type { TaskReport } from '../../workers/queue/show-queue.ts';
import { markdownText } from '../../workers/review/text/markdown.ts';
import type { Display } from '../shell.ts';

const LONGEST_TASK = 60;

/** What `start --queue` says. `waits`: what a task that was to begin at once waits for. */
export function queuedText(numbers: readonly number[], waits?: string): string {
  const [first] = numbers;
  if (waits !== undefined) return `Task ${first} is in the queue. It ${visibleLine(waits)}: llmc queue`;
  return numbers.length === 1 ? `Task ${first} is in the queue: llmc queue` : `Tasks ${numbers.join(', ')} are in the queue: llmc queue`;
}

/** One task per line, the next one first, with what each waits for. */
export function queueList(tasks: readonly TaskReport[], now: number, columns: number): string {
  if (tasks.length === 0) return 'The queue is empty.';
  const width = Math.max(...tasks.map(({ number }) => String(number).length));
  return tasks
    .map((task) => {
      const line = `${String(task.number).padStart(width)}  ${cutToWidth(visibleLine(inOneLine(task.prompt)), LONGEST_TASK)}  ${standing(task, now)}`;
      return cutToWidth(line, columns);
    })
    .join('\n');
}

/** One message per line, with the words that cancel or edit it. */
export function messageList(messages: readonly HeldMessage[], now: number, columns: number): string {
  return messages
    .map(({ id, worker, purpose, text, state, reason, created_ms }) => {
      const what = purpose === 'message' ? '' : `${purpose}: `;
      const isTyped = (state === 'typed' || state === 'submitted') && reason === null;
      const waits = isTyped ? 'is being typed' : `waits: ${visibleLine(reason ?? 'it is next')}`;
      const words = cutToWidth(visibleLine(inOneLine(`${what}${text}`)), LONGEST_TASK);
      return cutToWidth(`${id}  ${worker}  ${words}  ${waits}, for ${formatAge(now - created_ms)}`, columns);
    })
    .join('\n');
}

/** Everything about one task. */
export function taskText(task: TaskReport, now: number, display: Pick<Display, 'color' | 'columns'>): string {
  const { number, prompt, worker, agent, model, after, priority, created_ms, answer, answer_source } = task;
  return [
    `task ${number}: ${standing(task, now)}`,
    `given ${formatAge(now - created_ms)} ago`,
    ...(worker === null ? [] : [`for the worker ${worker}`]),
    ...(agent === null ? [] : [`for the agent ${agent}`]),
    ...(model === null ? [] : [`for the model ${visibleLine(model)}`]),
    ...(after.length === 0 ? [] : [`after ${after.join(', ')}`]),
    ...(priority === 0 ? [] : [`priority ${priority}`]),
    '',
    visibleText(prompt),
    ...(answer === null
      ? []
      : ['', answer_source === 'screen' ? 'answer, as its screen showed it:' : 'answer:', '', markdownText(answer, display)]),
  ].join('\n');
}

function standing({ state, waits, given_to, given_ms, ended_ms, created_ms }: TaskReport, now: number): string {
  const ago = (at: number | null) => formatAge(now - (at ?? created_ms));
  switch (state) {
    case 'waiting':
      return `${visibleLine(waits ?? 'gets a worker now')}, for ${ago(created_ms)}`;
    case 'given':
      return `${given_to} has it, for ${ago(given_ms)}`;
    case 'done':
      return `done by ${given_to} ${ago(ended_ms)} ago`;
    case 'dropped':
      return `dropped ${ago(ended_ms)} ago: ${given_to} was reset or removed`;
    case 'canceled':
      return `canceled ${ago(ended_ms)} ago`;
  }
}
