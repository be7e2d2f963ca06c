import { LlmcError } from '../../base/error.ts';
import { showsNothing } from '../../base/shows-nothing.ts';

/** Opens or closes a block of code in Markdown. */
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const RULE = /^---[ \t]*$/;

/** Splits standard input at the lines that are only `---`, except in blocks of code. Empty parts, such as behind the last line, do not count. */
export function splitTasks(text: string): readonly string[] {
  const tasks: string[][] = [[]];
  let fence: string | undefined;
  const lines = text.split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    const [, mark] = FENCE.exec(line) ?? [];
    if (fence === undefined && RULE.test(line)) {
      tasks.push([]);
      continue;
    }
    if (fence !== undefined) fence = closes(line, fence) ? undefined : fence;
    // Without an end, it is not a block: it would swallow all tasks that follow.
    else if (mark !== undefined && lines.slice(index + 1).some((later) => closes(later, mark))) fence = mark;
    tasks.at(-1)?.push(line);
  }
  return tasks.map((own) => own.join('\n').trim()).filter((task) => !showsNothing(task));
}

const closes = (line: string, fence: string): boolean => FENCE.exec(line)?.[1]?.startsWith(fence) === true;

export function wholeNumber(text: string, what: string): number {
  if (/^-?\d{1,9}$/.test(text)) return Number(text);
  throw new LlmcError('INVALID_ARGUMENT', `${what} takes a number, not "${text}"`, { hint: 'llmc queue' });
}
