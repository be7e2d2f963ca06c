import { LlmcError } from '../../../base/error.ts';
import { visibleLine } from '../../../base/visible-text.ts';
import type { Effect } from '../../../tui/model/effect.ts';
import type { ViewNotice } from '../../../tui/model/view.ts';
import { editText } from '../../input/editor.ts';
import { textOfFile } from '../../input/prompt-text.ts';
import { fillTemplate } from '../../input/template.ts';
import { addTasks } from '../../queue/add-tasks.ts';
import { queuedText } from '../../queue/queue-text.ts';
import { splitTasks } from '../../queue/several-tasks.ts';
import { offerText } from '../../queue/start-or-ask.ts';
import type { EffectOutcome, Surroundings } from '../outcome.ts';
import { homePath } from './home-path.ts';

type Given = Extract<Effect, { kind: 'task' | 'edit' | 'add-worker' | 'take-back' | 'list-agents' }>;

const ABOUT =
  '\n# The task. Lines that begin with # are left out.\n# A line of --- begins another task.\n# "template: <name>" in the first line fills templates/<name>.md of the root.\n';

/** Puts a task into the queue, from which the next idle worker gets it, or does what belongs to it: asks for a worker, opens its text in the editor. */
export async function performTaskEffect(given: Given, around: Surroundings): Promise<EffectOutcome> {
  const { own, terminal, dispatch } = around;
  switch (given.kind) {
    case 'edit': {
      // What waits was written before: a line of it that begins with # is not a comment.
      const isNew = given.edited.kind === 'task';
      const text = await terminal.lend(async () => await editText(isNew ? `${given.text}${ABOUT}` : given.text, { comments: isNew }));
      dispatch({ kind: 'edited', root: own.root, edited: given.edited, text });
      return {};
    }
    case 'list-agents':
      dispatch({ kind: 'agents', root: own.root, choices: await own.call('taskChoices', {}), part: given.part });
      return {};
    case 'add-worker':
      return { notice: { tone: 'good', text: await addForTask(given, own) } };
    case 'take-back': {
      for (const number of given.numbers) await own.call('queueCancel', { number });
      dispatch({ kind: 'taken-back', root: own.root, text: given.text, like: given.like });
      return {};
    }
    case 'task':
      return await queueOrAsk(given, own);
  }
}

/** The task is in the queue before anything is asked, so that no answer and no end of the view loses it. */
async function queueOrAsk({ text, like = {} }: Extract<Given, { kind: 'task' }>, own: Surroundings['own']): Promise<EffectOutcome> {
  const prompts = await promptsIn(text, own.root);
  // Before the tasks are there: the last idle worker may take one at once.
  const offered = await own.call('offerWorker', like);
  const numbers = await addTasks(own, { prompts: [...prompts], ...like, unserved: offered !== null });
  const notice: ViewNotice = { tone: 'good', text: own.atRoot(queuedText(numbers)) };
  if (offered === null) return { notice };
  return {
    notice,
    opens: {
      kind: 'confirm',
      question: offerText(offered),
      effect: { kind: 'add-worker', root: own.root, name: offered.name, like },
      offer: {
        no: { does: 'take the task back', effect: { kind: 'take-back', root: own.root, numbers, text, like } },
        leaves: 'leave it in the queue',
      },
      below: { kind: 'browse' },
    },
  };
}

/** Another person may have used the name meanwhile: then the next one is taken. */
async function addForTask({ name, like }: Extract<Given, { kind: 'add-worker' }>, own: Surroundings['own']): Promise<string> {
  const overrides = { ...(like.agent !== undefined && { agent: like.agent }), ...(like.model !== undefined && { model: like.model }) };
  const add = async (free: string) => await own.call('add', { name: free, overrides });
  const { name: added, agent } = await add(name).catch(async (error: unknown) => {
    const other = error instanceof LlmcError && error.code === 'WORKER_EXISTS' ? await own.call('offerWorker', like) : null;
    if (other === null) throw error;
    return await add(other.name);
  });
  return `Added ${visibleLine(added)} (${visibleLine(agent)}). It takes the first task of the queue that it can do.`;
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
