import { parseDuration } from '../../base/duration.ts';
import { promptText } from '../input/prompt-text.ts';
import { sentText } from '../text/sent-text.ts';
import { defineVerb } from '../verb.ts';

export const message = defineVerb({
  name: 'message',
  summary: 'send a message to a worker',
  description:
    'Sends text into the running conversation. A busy agent gets it when its turn ends; until then status shows it as held. The message survives a stop of the supervisor.',
  arguments: [
    { syntax: '<worker>', about: 'the worker' },
    { syntax: '<text>', about: 'the message; - reads standard input', isText: true },
  ],
  options: [
    { flags: '--now', about: 'interrupt the running turn first' },
    { flags: '--timeout <duration>', about: 'how long to wait for the acknowledgement (default: 2m)' },
  ],
  examples: ['llmc message adam "Use the existing helper instead"'],
  interrupted: () => 'Stopped waiting. The message stays queued, and llmc delivers it: llmc status',
  async run(input, shell) {
    const [worker = '', words = ''] = input.args;
    const text = await promptText(
      { text: words === '-' ? undefined : words, file: undefined, stdin: words === '-' },
      'llmc message adam "…"',
    );
    const request = { worker, text, now: input.flag('now'), timeoutMs: parseDuration(input.text('timeout') ?? '2m') };
    const { sendPrompt } = await import('../owner/recorded-prompt.ts');
    return await sendPrompt(shell.layout.database, text, async () => await shell.call('message', request));
  },
  text: (sent) => sentText(sent, `${sent.worker} has the message.`),
});
