import { LlmcError } from '../../../base/error.ts';
import type { Effect } from '../../../tui/model/effect.ts';
import { editText } from '../../input/editor.ts';
import { textOfFile } from '../../input/prompt-text.ts';
import { fillTemplate } from '../../input/template.ts';
import { addTasks } from '../../queue/add-tasks.ts';
import { queuedText } from '../../queue/queue-text.ts';
import { splitTasks } from '../../queue/several-tasks.ts';
import type { Outcome, Surroundings } from '../outcome.ts';
import { homePath } from './home-path.ts';

type Given = Extract<Effect, { kind: 'task' | 'edit' }>;

const ABOUT =
  '\n# The task. Lines that begin with # are left out.\n# A line of --- begins another task.\n# "template: <name>" in the first line fills templates/<name>.md of the root.\n';

/** Puts a task into the queue, from which the next idle worker gets it; or opens its text in the editor first. */
export async function giveTask(given: Given, around: Surroundings): Promise<Outcome> {
  const { own, terminal, dispatch } = around;
  if (given.kind === 'edit') {
    // What waits was written before: a line of it that begins with # is not a comment.
    const isNew = given.edited.kind === 'task';
    const text = await terminal.lend(async () => await editText(isNew ? `${given.text}${ABOUT}` : given.text, { comments: isNew }));
    dispatch({ kind: 'edited', root: own.root, edited: given.edited, text });
    return {};
  }
  const prompts = await promptsIn(given.text, own.root);
  const numbers = await addTasks(own, { prompts: [...prompts] });
  return { notice: { tone: 'good', text: own.atRoot(queuedText(numbers)) } };
}

/** `@tasks.md` means the tasks of that file. */
async function promptsIn(text: string, root: string): Promise<readonly string[]> {
  const [, file] = /^@(\S.*)$/.exec(text.trim()) ?? [];
  const tasks = splitTasks(file === undefined ? text : await textOfFile(homePath(file.trim())));
  if (tasks.length === 0) throw new LlmcError('INVALID_ARGUMENT', 'the task is empty', { hint: 'llmc start "…"' });
  return await Promise.all(tasks.map(async (task) => await filled(task, root)));
}

async function filled(task: string, root: string): Promise<string> {
  const [line, template] = /^template:[ \t]*(\S+)[ \t]*(?:\n|$)/.exec(task) ?? [];
  return line === undefined || template === undefined
    ? task
    : await fillTemplate(root, template, { prompt: task.slice(line.length).trim() });
}
