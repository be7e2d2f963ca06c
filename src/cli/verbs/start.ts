import { parseDuration } from '../../base/duration.ts';
import { LlmcError } from '../../base/error.ts';
import { visibleLine } from '../../base/visible-text.ts';
import type { WorkerReport } from '../../supervisor/report/status-report.ts';
import type { Sent } from '../../workers/prompt/await-delivery.ts';
import { markdownText } from '../../workers/review/text/markdown.ts';
import { predicateFor } from '../../workers/status/status-words.ts';
import { ringFor } from '../bell.ts';
import { taskOperands, taskTexts } from '../input/task-text.ts';
import { queuedText } from '../queue/queue-text.ts';
import { wholeNumber } from '../queue/several-tasks.ts';
import type { Shell } from '../shell.ts';
import { sentText } from '../text/sent-text.ts';
import { defineVerb, type Input } from '../verb.ts';

const ACK_PATIENCE_MS = 120_000;
const TASK_PATIENCE_MS = 24 * 3_600_000;

export const start = defineVerb({
  name: 'start',
  summary: 'give a task to an idle worker',
  description:
    'Returns when the agent has acknowledged the prompt. If no worker is idle, it asks whether to add one; with [pool] in config.toml, llmc makes one by itself. With --queue it returns at once with the number of the task, which waits for an idle worker, also over a restart. With --wait it returns when the task needs you: needs_review, needs_input or error. Standard input can hold several tasks, with a line of --- between them: all of them go into the queue.',
  arguments: [{ syntax: '[task...]', about: 'the task in quotes, or a worker and the task; - reads standard input', isText: true }],
  options: [
    { flags: '--worker <name>', about: 'the worker (default: the first idle one of the pool)' },
    { flags: '--prompt <text>', about: 'the task in words, as an option' },
    { flags: '--prompt-file <file>', about: 'read the task from a file' },
    { flags: '--template <name>', about: 'fill templates/<name>.md of the root; {{prompt}} is replaced by the prompt' },
    { flags: '--var <name=value>', about: 'a value for the template; may be repeated', repeats: true },
    {
      flags: '--expect <what>',
      about: 'what ends the task: commit (default), or answer for a question that changes no file',
      words: ['commit', 'answer'],
    },
    { flags: '--queue', about: 'put the task into the queue and return at once: a worker gets it when one is idle' },
    { flags: '--priority <number>', about: 'with --queue: before all tasks with a lower one (default: 0)' },
    { flags: '--after <task>', about: 'with --queue: not before this task is done; by its number, may be repeated', repeats: true },
    { flags: '--agent <name>', about: 'only a worker with this agent' },
    { flags: '--model <model>', about: 'only a worker with this model' },
    { flags: '--add', about: 'if no worker is idle: add one for the task, without asking' },
    { flags: '--wait', about: 'wait until the task needs you' },
    { flags: '--timeout <duration>', about: 'how long to wait (default: 2m for the acknowledgement, 24h with --wait)' },
  ],
  examples: [
    'llmc start "Fix the typo in README.md"',
    'llmc start adam "Fix the typo in README.md"',
    'llmc start -w adam -f task.md --wait',
    'llmc start --add --agent codex "Find the memory leak"',
    'llmc start --expect answer "Why is the build slow?"',
    'cat task.md | llmc start -',
    'llmc start --template fix --var area=parser --prompt "Handle empty input" --queue',
    'llmc start - < tasks.md',
  ],
  interrupted: (input) =>
    input.flag('queue')
      ? 'Stopped waiting. The task stays in the queue, or continues: llmc queue, llmc status'
      : 'Stopped waiting. The task continues: llmc status',
  async run(input, shell): Promise<StartResult> {
    const { worker, task } = taskOperands(input, shell);
    const prompts = await taskTexts(input, task, shell);
    const [prompt = ''] = prompts;
    refuseToAdd(input, worker, prompts);
    if (input.flag('queue') || prompts.length > 1) return await queue(input, shell, worker, prompts);
    refuseOfQueue(input);
    const given = input.text('timeout');
    const timeoutMs = given === undefined ? undefined : parseDuration(given);
    const began = Date.now();
    const request = { worker, prompt, ...expected(input), ...like(input), timeoutMs: timeoutMs ?? ACK_PATIENCE_MS };
    const { startOrAsk } = await import('../queue/start-or-ask.ts');
    const sent = await startOrAsk(shell, request, input.flag('add'));
    if (sent === 'queue') return await queue(input, shell, worker, prompts, { unserved: true });
    if ('queued' in sent) {
      const { queued: number, waits } = sent;
      if (input.flag('wait')) return await followTask(input, shell, number);
      return { tasks: [number], waits };
    }
    const failed = sent.state === 'held' && sent.reason_kind === 'not_running';
    if (failed && !input.flag('wait')) {
      const { attention } = await awaitPerson(shell, sent.worker, 0).catch(() => ({ attention: null }));
      const why = attention ?? 'Its agent ended before it received the task.';
      throw new LlmcError('AGENT_CRASHED', `the task stays queued for ${sent.worker}. ${why}`, { hint: `llmc why ${sent.worker}` });
    }
    if (!input.flag('wait'))
      return {
        worker: sent.worker,
        ...added(sent),
        delivery: sent,
        status: 'working' as const,
        commit_sha: null,
        attention: null,
        attention_kind: null,
      };
    if (!failed) shell.say(`${sent.worker} has the task; waiting`);
    const reached = await awaitPerson(shell, sent.worker, timeoutMs === undefined ? TASK_PATIENCE_MS : timeoutMs - (Date.now() - began));
    return { ...reached, ...added(sent), ...(await readAnswer(shell, reached)), delivery: sent };
  },
  text: (result, shell) => {
    if ('tasks' in result) return shell.atRoot(queuedText(result.tasks, result.waits));
    const { worker, delivery, status, attention, attention_kind, answer, answer_source } = result;
    const isNew = result.added === undefined ? '' : `Added ${visibleLine(worker)}. `;
    if (status === 'working' && delivery !== null) return `${isNew}${sentText(delivery, `${worker} has the task.`)}`;
    if (answer !== undefined) {
      const whence = answer_source === 'screen' ? ', as its screen shows it' : '';
      return `${worker} has an answer${whence}:\n\n${markdownText(answer, shell.display)}\n\n${shell.atRoot(`llmc dismiss ${worker}   or   llmc message ${worker} "…"`)}`;
    }
    return `${worker} ${predicateFor({ status, attention_kind })}.${attention === null ? '' : ` ${attention}`}`;
  },
});

interface Reached extends Pick<WorkerReport, 'status' | 'commit_sha' | 'attention' | 'attention_kind'> {
  readonly worker: string;
  /** Only of a task that was waited for, and that ended in one. */
  readonly answer?: string;
  /** `screen`: the agent reports no messages, and this was read from its screen. */
  readonly answer_source?: 'message' | 'screen';
}

type StartResult =
  /** `waits`: what the only task waits for, if it was to begin at once. */
  | { readonly tasks: readonly number[]; readonly waits?: string }
  | (Reached & { readonly delivery: Sent | null; readonly task?: number; readonly added?: string });

/** The worker that was added for the task, if one was. */
const added = ({ added: name }: { readonly added?: string }): { added?: string } => (name === undefined ? {} : { added: name });

/** What the task asks of its worker. */
function like(input: Input): { agent?: string; model?: string } {
  const [agent, model] = [input.text('agent'), input.text('model')];
  if (agent === '' || model === '')
    throw new LlmcError('INVALID_ARGUMENT', `--${agent === '' ? 'agent' : 'model'} is empty`, {
      hint: 'Omit it for a task that any worker may have: llmc start --help',
    });
  return { ...(agent !== undefined && { agent }), ...(model !== undefined && { model }) };
}

/** Puts the tasks into the queue. With --wait, a single one is followed until it needs a person. */
async function queue(
  input: Input,
  shell: Shell,
  worker: string | undefined,
  prompts: readonly string[],
  chosen: { readonly unserved?: true } = {},
): Promise<StartResult> {
  const priority = input.text('priority');
  if (input.flag('wait') && prompts.length > 1)
    throw new LlmcError('INVALID_ARGUMENT', `--wait follows one task, not ${prompts.length}`, {
      hint: 'Without it: llmc start - < tasks.md',
    });
  const { addTasks } = await import('../queue/add-tasks.ts');
  const numbers = await addTasks(shell, {
    prompts: [...prompts],
    ...expected(input),
    ...(worker !== undefined && { worker }),
    ...like(input),
    ...chosen,
    ...(priority !== undefined && { priority: wholeNumber(priority, '--priority') }),
    after: input.list('after').map((number) => wholeNumber(number, '--after')),
  });
  const [number] = numbers;
  if (!input.flag('wait') || number === undefined) return { tasks: numbers };
  return await followTask(input, shell, number);
}

/** Waits until a task that is in the queue needs a person. */
async function followTask(input: Input, shell: Shell, number: number): Promise<StartResult> {
  const given = input.text('timeout');
  const until = Date.now() + (given === undefined ? TASK_PATIENCE_MS : parseDuration(given));
  shell.say(`Task ${number} is in the queue; waiting`);
  const { task, reached } = await shell.call('queueWait', { number, timeoutMs: Math.max(0, until - Date.now()) });
  if (task.given_to === null || reached === null)
    throw new LlmcError('CANCELLED', `task ${number} was ${task.state}`, { hint: `llmc queue show ${number}` });
  await ringFor(shell, task.given_to);
  const { name, ...standing } = reached;
  return { ...standing, worker: name, ...(await readAnswer(shell, reached)), delivery: null, task: number };
}

/** What the task ends in, if the person said it. */
function expected(input: Input): { expects?: 'commit' | 'answer' } {
  const what = input.text('expect');
  if (what === undefined) return {};
  if (what === 'commit' || what === 'answer') return { expects: what };
  throw new LlmcError('INVALID_ARGUMENT', `a task does not end in "${what}"`, { hint: 'Use one of: commit, answer.' });
}

/** A person who waited for an answer reads it at once. */
async function readAnswer(shell: Shell, reached: { attention_kind: Reached['attention_kind']; worker?: string; name?: string }) {
  if (reached.attention_kind !== 'answer') return {};
  const { answer } = await shell.call('review', { worker: reached.worker ?? reached.name, patrol: false });
  return answer === null ? {} : { answer: answer.text, answer_source: answer.source };
}

async function awaitPerson(shell: Shell, worker: string, leftMs: number): Promise<Reached> {
  const statuses = ['needs_review', 'needs_input', 'error'] as const;
  const { status, commit_sha, attention, attention_kind } = await shell.call('wait', {
    worker,
    statuses: [...statuses],
    timeoutMs: Math.max(0, leftMs),
    inWords: !shell.options.json,
  });
  await ringFor(shell, worker);
  return { worker, status, commit_sha, attention, attention_kind };
}

/** A worker is added for a task that begins at once, and for no worker that is named. */
function refuseToAdd(input: Input, worker: string | undefined, prompts: readonly string[]): void {
  if (!input.flag('add')) return;
  const other = worker !== undefined ? `a task for ${worker}` : input.flag('queue') ? 'a task that waits' : undefined;
  const problem = other ?? (prompts.length > 1 ? 'several tasks' : undefined);
  if (problem !== undefined)
    throw new LlmcError('INVALID_ARGUMENT', `--add is not for ${problem}`, { hint: 'llmc start --add "…", or first: llmc add zoe' });
}

function refuseOfQueue(input: Input): void {
  const wrong = input.text('priority') !== undefined ? 'priority' : input.list('after').length > 0 ? 'after' : undefined;
  if (wrong !== undefined)
    throw new LlmcError('INVALID_ARGUMENT', `--${wrong} is for tasks in the queue`, { hint: 'llmc start --queue …' });
}
