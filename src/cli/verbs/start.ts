import { parseDuration } from '../../base/duration.ts';
import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { exists } from '../../system/files/files.ts';
import { predicateOf } from '../../workers/status/status-words.ts';
import { ringFor } from '../bell.ts';
import { promptText } from '../input/prompt-text.ts';
import type { Shell } from '../shell.ts';
import { sentText } from '../text/sent-text.ts';
import { defineVerb, type Input } from '../verb.ts';

const ACK_PATIENCE_MS = 120_000;
const TASK_PATIENCE_MS = 24 * 3_600_000;

export const start = defineVerb({
  name: 'start',
  summary: 'give a task to an idle worker',
  description:
    'Returns when the agent has acknowledged the prompt. With --wait it returns when the task needs you: needs_review, needs_input or error.',
  arguments: [{ syntax: '[task]', about: 'the task in words; - reads standard input', isText: true }],
  options: [
    { flags: '--worker <name>', about: 'the worker (default: the first idle one of the pool)' },
    { flags: '--prompt <text>', about: 'the task in words, as an option' },
    { flags: '--prompt-file <file>', about: 'read the task from a file' },
    { flags: '--template <name>', about: 'fill templates/<name>.md of the root; {{prompt}} is replaced by the prompt' },
    { flags: '--var <name=value...>', about: 'a value for the template; may be repeated' },
    { flags: '--queue', about: 'wait in the start queue until a worker is idle' },
    { flags: '--wait', about: 'wait until the task needs you' },
    { flags: '--timeout <duration>', about: 'how long to wait (default: 2m for the acknowledgement, 24h with --wait)' },
  ],
  examples: [
    'llmc start "Fix the typo in README.md"',
    'llmc start --worker adam --prompt-file task.md --wait',
    'cat task.md | llmc start -',
    'llmc start --template fix --var area=parser --prompt "Handle empty input" --queue',
  ],
  interrupted: (input) =>
    input.flag('queue')
      ? 'Stopped waiting. A task that was still in the start queue is withdrawn; one that a worker has continues: llmc status'
      : 'Stopped waiting. The task continues: llmc status',
  async run(input, shell) {
    const prompt = await taskText(input, shell);
    const given = input.text('timeout');
    const timeoutMs = given === undefined ? undefined : parseDuration(given);
    const began = Date.now();
    const patienceMs = timeoutMs ?? (input.flag('queue') ? TASK_PATIENCE_MS : ACK_PATIENCE_MS);
    const request = { worker: input.text('worker'), prompt, queue: input.flag('queue'), timeoutMs: patienceMs };
    const { sendPrompt } = await import('../owner/recorded-prompt.ts');
    const sent = await sendPrompt(shell.layout.database, prompt, async () => await shell.call('start', request));
    const failed = sent.state === 'held' && sent.reason_kind === 'not_running';
    if (failed && !input.flag('wait'))
      throw new LlmcError('AGENT_CRASHED', `the agent of ${sent.worker} ended before it received the task; the task stays queued`, {
        hint: `llmc why ${sent.worker}`,
      });
    if (!input.flag('wait'))
      return { worker: sent.worker, delivery: sent, status: 'working' as const, commit_sha: null, attention: null, attention_kind: null };
    if (!failed) shell.say(`${sent.worker} has the task; waiting`);
    const left = timeoutMs === undefined ? TASK_PATIENCE_MS : Math.max(0, timeoutMs - (Date.now() - began));
    const reached = await shell.call('wait', { worker: sent.worker, statuses: ['needs_review', 'needs_input', 'error'], timeoutMs: left });
    await ringFor(shell, sent.worker);
    const { status, commit_sha, attention, attention_kind } = reached;
    return { worker: sent.worker, delivery: sent, status, commit_sha, attention, attention_kind };
  },
  text: ({ worker, delivery, status, attention }) =>
    status === 'working'
      ? sentText(delivery, `${worker} has the task.`)
      : `${worker} ${predicateOf(status)}.${attention === null ? '' : ` ${attention}`}`,
});

async function taskText(input: Input, shell: Shell): Promise<string> {
  const { fillTemplate, readVariables } = await import('../input/template.ts');
  // `--var` takes every word up to the next option, so it may have taken the task.
  const variables = readVariables(input.list('var'));
  const [task] = input.args;
  const hint = 'llmc start "…", llmc start --prompt-file task.md, or - for standard input';
  if (task !== undefined && task !== '-' && input.text('prompt') !== undefined)
    throw new LlmcError('INVALID_ARGUMENT', 'more than one prompt was given', { hint });
  if (task !== undefined) await requireNotAWorker(task, shell);
  const sources = {
    text: task === '-' ? input.text('prompt') : (task ?? input.text('prompt')),
    file: input.text('promptFile'),
    stdin: task === '-',
  };
  const template = input.text('template');
  if (template === undefined) return await promptText(sources, hint);
  const given = sources.text !== undefined || sources.file !== undefined || sources.stdin;
  return await fillTemplate(shell.root, template, given ? { ...variables, prompt: await promptText(sources, hint) } : variables);
}

/** Refuses `llmc start adam`: the user means the worker, but llmc would give the task "adam" to the first idle worker. */
async function requireNotAWorker(task: string, shell: Shell): Promise<void> {
  if (!/^[a-z][a-z0-9-]*$/.test(task)) return;
  if (!exists(shell.layout.worktree(task))) return;
  throw new LlmcError('INVALID_ARGUMENT', `"${task}" is a worker, not a task`, {
    hint: commandLine('llmc', 'start', '--worker', task, '…'),
  });
}
