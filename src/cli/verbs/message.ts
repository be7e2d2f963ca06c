import { parseDuration } from '../../base/duration.ts';
import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { promptText } from '../input/prompt-text.ts';
import { sentText } from '../text/sent-text.ts';
import { defineVerb, type Input } from '../verb.ts';

const HINT = 'llmc message adam "…"';

export const message = defineVerb({
  name: 'message',
  summary: 'send a message to a worker',
  description:
    'Sends text into the running conversation. A busy agent gets it when its turn ends; until then status shows it as held. The message survives a stop of the supervisor.',
  arguments: [
    { syntax: '<worker>', about: 'the worker' },
    { syntax: '[text]', about: 'the message; - reads standard input; not needed with --compact or --fresh', isText: true },
  ],
  options: [
    { flags: '--now', about: 'interrupt the running turn first' },
    { flags: '--compact', about: 'let the CLI shorten its conversation first, then send the message or continue the task' },
    { flags: '--fresh', about: 'start a new conversation with the task so far, then the message' },
    { flags: '--timeout <duration>', about: 'how long to wait for the acknowledgement (default: 2m)' },
  ],
  examples: ['llmc message adam "Use the existing helper instead"', 'llmc message adam --compact'],
  interrupted: () => 'Stopped waiting. The message stays queued, and llmc delivers it: llmc status',
  async run(input, shell) {
    const [worker = '', words = ''] = input.args;
    const first = firstStep(input);
    const text =
      first !== undefined && words === ''
        ? undefined
        : await promptText({ text: words === '-' ? undefined : words, file: undefined, stdin: words === '-' }, HINT);
    const timeoutMs = parseDuration(input.text('timeout') ?? '2m');
    const request = { worker, text, first, now: input.flag('now'), timeoutMs };
    const send = async () => await shell.call('message', request);
    if (text === undefined) return await send();
    const { sendPrompt } = await import('../owner/recorded-prompt.ts');
    return await sendPrompt(shell.layout.database, text, send);
  },
  text: (sent) => sentText(sent, `${sent.worker} has the message.`),
});

function firstStep(input: Input): 'compact' | 'fresh' | undefined {
  if (input.flag('compact') && input.flag('fresh'))
    throw new LlmcError('INVALID_ARGUMENT', '--compact and --fresh exclude each other', {
      hint: `Compact it: ${commandLine('llmc', 'message', input.args[0] ?? '', '--compact')}`,
    });
  return input.flag('compact') ? 'compact' : input.flag('fresh') ? 'fresh' : undefined;
}
