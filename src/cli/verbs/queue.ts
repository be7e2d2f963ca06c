import { LlmcError } from '../../base/error.ts';
import type { HeldMessage } from '../../workers/prompt/held-messages.ts';
import type { TaskReport } from '../../workers/queue/show-queue.ts';
import { promptText } from '../input/prompt-text.ts';
import { requirePerson } from '../owner/require-person.ts';
import { messageList, queueList, taskText } from '../queue/queue-text.ts';
import { wholeNumber } from '../queue/several-tasks.ts';
import type { Shell } from '../shell.ts';
import { defineVerb, type Input } from '../verb.ts';

const ACTIONS = ['list', 'show', 'edit', 'move', 'cancel'] as const;
type Action = (typeof ACTIONS)[number];

type QueueOutput =
  | { readonly action: 'list'; readonly tasks: readonly TaskReport[]; readonly messages: readonly HeldMessage[] }
  | { readonly action: 'show' | 'edit'; readonly task: TaskReport }
  | { readonly action: 'move'; readonly task: TaskReport }
  /** `followers`: the tasks that waited for it. */
  | { readonly action: 'cancel'; readonly task: TaskReport; readonly followers: readonly number[] };

/** How many tasks `list --all` goes back. */
const LATEST = 200;

export const queue = defineVerb<QueueOutput>({
  name: 'queue',
  summary: 'tasks that wait for a worker: list, show, change, move, cancel',
  description:
    'llmc start --queue puts tasks there. They are stored: a restart, a crash and a reboot change nothing. The first task that an idle worker can do gets it. "list" shows them in their order, with what each waits for; "edit" changes one that still waits, "move" its place, "cancel" takes it out.',
  arguments: [
    { syntax: '[action]', about: 'list (default), show, edit, move or cancel', words: ACTIONS },
    { syntax: '[task]', about: 'the number of the task' },
  ],
  options: [
    { flags: '--all', about: 'with list: also the tasks that workers have or had' },
    { flags: '--prompt <text>', about: 'with edit: the task in other words' },
    { flags: '--prompt-file <file>', about: 'with edit: read them from a file' },
    { flags: '--priority <number>', about: 'with edit: before all tasks with a lower one' },
    { flags: '--worker <name>', about: 'with edit: only this worker; any: each of the pool' },
    { flags: '--agent <name>', about: 'with edit: only a worker with this agent; any: each' },
    { flags: '--model <model>', about: 'with edit: only a worker with this model; any: each' },
    { flags: '--after <task>', about: 'with edit: not before this task is done, may be repeated; none: at once', repeats: true },
    { flags: '--before <task>', about: 'with move: before this task' },
    { flags: '--first', about: 'with move: before all others' },
    { flags: '--last', about: 'with move: behind all others' },
  ],
  examples: ['llmc queue', 'llmc queue show 7', 'llmc queue move 7 --first', 'llmc queue edit 7 --worker adam', 'llmc queue cancel 7'],
  async run(input, shell) {
    const [word = 'list', task] = input.args;
    const action = ACTIONS.find((known) => known === word);
    if (action === undefined)
      throw new LlmcError('INVALID_ARGUMENT', `"${word}" is not list, show, edit, move or cancel`, { hint: 'llmc queue --help' });
    refuseMisplaced(input, action);
    if (action === 'list') {
      const tasks = await shell.call('queueList', { all: input.flag('all'), limit: LATEST });
      return { action, tasks, messages: await shell.call('messages', {}) };
    }
    if (task === undefined) throw new LlmcError('INVALID_ARGUMENT', `name the task to ${action}`, { hint: 'llmc queue list' });
    const number = wholeNumber(task, 'task');
    if (action !== 'show') await requirePerson(`queue ${action}`, shell);
    if (action === 'edit') await edit(input, shell, number);
    if (action === 'move') await shell.call('queueMove', { number, before: choosePlace(input) });
    if (action !== 'cancel') return { action, task: await shell.call('queueShow', { number }) };
    await shell.call('queueCancel', { number });
    const others = await shell.call('queueList', { all: false, limit: LATEST });
    const followers = others.filter(({ after }) => after.includes(number)).map((other) => other.number);
    return { action, task: await shell.call('queueShow', { number }), followers };
  },
  text(result, shell) {
    const now = Date.now();
    if (result.action === 'list') return shell.atRoot(listText(result, now, shell.display.columns));
    const { task } = result;
    if (result.action !== 'cancel' && result.action !== 'move') return taskText(task, now, shell.display);
    if (result.action === 'move') return `Task ${task.number} is number ${task.position} of the queue.`;
    // They wait for a person now.
    const [number] = result.followers;
    const waits = number === undefined ? '' : ` Task ${result.followers.join(', ')} waited for it: llmc queue edit ${number} --after none`;
    return `Task ${task.number} is canceled.${waits}`;
  },
});

/** The tasks, then the messages that wait for a busy agent. */
function listText({ tasks, messages }: Extract<QueueOutput, { action: 'list' }>, now: number, columns: number): string {
  if (messages.length === 0) return queueList(tasks, now, columns);
  const held = ['Prompts that wait for an agent (llmc message <worker> --cancel <id>):', messageList(messages, now, columns)];
  return [...(tasks.length === 0 ? [] : [queueList(tasks, now, columns), '']), ...held].join('\n');
}

async function edit(input: Input, shell: Shell, number: number): Promise<void> {
  const [text, file] = [input.text('prompt'), input.text('promptFile')];
  const hint = `llmc queue edit ${number} --prompt "…"`;
  const prompt = text === undefined && file === undefined ? undefined : await promptText({ text, file, stdin: false }, hint);
  const priority = input.text('priority');
  const after = input.list('after');
  const change = {
    prompt,
    priority: priority === undefined ? undefined : wholeNumber(priority, '--priority'),
    worker: orAny(input.text('worker')),
    agent: orAny(input.text('agent')),
    model: orAny(input.text('model')),
    after: after.length === 0 ? undefined : after.filter((word) => word !== 'none').map((word) => wholeNumber(word, '--after')),
  };
  if (Object.values(change).every((value) => value === undefined)) throw new LlmcError('INVALID_ARGUMENT', 'say what to change', { hint });
  await shell.call('queueEdit', { number, ...change });
}

const orAny = (name: string | undefined): string | null | undefined => (name === 'any' ? null : name);

function choosePlace(input: Input): number | 'first' | 'last' {
  const before = input.text('before');
  const places = [
    before === undefined ? [] : [wholeNumber(before, '--before')],
    input.flag('first') ? ['first' as const] : [],
    input.flag('last') ? ['last' as const] : [],
  ].flat();
  const [place] = places;
  if (place === undefined || places.length > 1)
    throw new LlmcError('INVALID_ARGUMENT', 'say where to: --before <task>, --first or --last', { hint: 'llmc queue' });
  return place;
}

const BELONGS: Readonly<Record<string, Action>> = {
  all: 'list',
  prompt: 'edit',
  promptFile: 'edit',
  priority: 'edit',
  worker: 'edit',
  agent: 'edit',
  model: 'edit',
  after: 'edit',
  before: 'move',
  first: 'move',
  last: 'move',
};

function refuseMisplaced(input: Input, action: Action): void {
  const wrong = Object.entries(BELONGS).find(
    ([key, to]) => to !== action && (input.flag(key) || input.text(key) !== undefined || input.list(key).length > 0),
  );
  if (wrong === undefined) return;
  const flag = wrong[0] === 'promptFile' ? '--prompt-file' : `--${wrong[0]}`;
  throw new LlmcError('INVALID_ARGUMENT', `${flag} is for queue ${wrong[1]}`, { hint: 'llmc queue --help' });
}
