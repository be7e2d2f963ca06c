import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { exists } from '../../system/files/files.ts';
import { splitTasks } from '../queue/several-tasks.ts';
import type { Shell } from '../shell.ts';
import type { Input } from '../verb.ts';
import { UnquotedText } from '../with-quotes.ts';
import { promptText } from './prompt-text.ts';

/** The operands of `start`: a task, or a worker and a task. */
export interface Operands {
  readonly worker: string | undefined;
  readonly task: string | undefined;
}

/** Reads `"Fix the typo"`, `adam "Fix the typo"`, `adam -f task.md` and `-`. Refuses a text without its quotes, and a worker without a task. */
export function taskOperands(input: Input, shell: Pick<Shell, 'layout'>): Operands {
  const { args } = input;
  const [first = '', second] = args;
  const isWorker = (word: string) => NAME.test(word) && exists(shell.layout.worktree(word));
  const named = input.text('worker');
  if (args.length > 2) throw unquoted(args, isWorker(first) ? 1 : 0);
  if (second !== undefined) {
    if (/\s/.test(first) && isWorker(second))
      throw new LlmcError('INVALID_ARGUMENT', 'the worker comes before the task', { hint: commandLine('llmc', 'start', second, first) });
    if (isWorker(first) && second !== '-' && !/\s/.test(second))
      throw new LlmcError('INVALID_ARGUMENT', `"${first}" is a worker, and may be the first word of the task too`, {
        hint: `${commandLine('llmc', 'start', '--worker', first, second)}, or ${commandLine('llmc', 'start', '--prompt', `${first} ${second}`)}`,
      });
    // A second word with a space in it had quotes, so the first one is not a part of the task.
    if (!NAME.test(first) || (second !== '-' && !/\s/.test(second))) throw unquoted(args, 0);
    return { worker: onlyWorker(first, named), task: second };
  }
  if (!isWorker(first)) return { worker: named, task: args[0] };
  if (input.text('prompt') !== undefined || input.text('promptFile') !== undefined)
    return { worker: onlyWorker(first, named), task: undefined };
  // Otherwise the first idle worker would get the task "adam".
  throw new LlmcError('INVALID_ARGUMENT', `"${first}" is a worker, not a task`, { hint: commandLine('llmc', 'start', first, '…') });
}

const NAME = /^[a-z][a-z0-9-]*$/;

const unquoted = (args: readonly string[], from: number): UnquotedText => new UnquotedText(args.length - from, from);

function onlyWorker(first: string, named: string | undefined): string {
  if (named === undefined || named === first) return first;
  throw new LlmcError('INVALID_ARGUMENT', `two workers are named: ${first} and ${named}`, { hint: 'llmc start --help' });
}

/** The task in words: from the command line, a file or standard input, which may hold several. Each is put into a template if one is named. */
export async function taskTexts(input: Input, task: string | undefined, shell: Shell): Promise<readonly string[]> {
  const { fillTemplate, readVariables } = await import('./template.ts');
  const variables = readVariables(input.list('var'));
  const hint = 'llmc start "…", llmc start -f task.md, or - for standard input';
  if (task !== undefined && task !== '-' && input.text('prompt') !== undefined)
    throw new LlmcError('INVALID_ARGUMENT', 'more than one prompt was given', { hint });
  const sources = {
    text: task === '-' ? input.text('prompt') : (task ?? input.text('prompt')),
    file: input.text('promptFile'),
    stdin: task === '-',
  };
  const template = input.text('template');
  const given = sources.text !== undefined || sources.file !== undefined || sources.stdin;
  const text = template === undefined || given ? await promptText(sources, hint) : undefined;
  const texts = text !== undefined && sources.stdin ? splitTasks(text) : [text];
  if (texts.length === 0) throw new LlmcError('INVALID_ARGUMENT', 'the prompt is empty', { hint });
  if (template === undefined) return texts.filter((one) => one !== undefined);
  // The lines of --- in a template are its own.
  const fill = (prompt: string | undefined) =>
    fillTemplate(shell.root, template, prompt === undefined ? variables : { ...variables, prompt });
  return await Promise.all(texts.map(fill));
}
