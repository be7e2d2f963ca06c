import { parseDuration } from '../../base/duration.ts';
import { sentence } from '../../base/sentence.ts';
import { promptText } from '../input/prompt-text.ts';
import { defineVerb } from '../verb.ts';

export const message = defineVerb({
  name: 'message',
  summary: 'tell a worker something',
  description:
    'Goes into the running conversation. A busy agent gets it when its turn ends: until then it is shown as held, and nothing is lost when the supervisor stops.',
  arguments: [
    { syntax: '<worker>', about: 'who' },
    { syntax: '<text>', about: 'what; - reads standard input' },
  ],
  options: [
    { flags: '--now', about: 'interrupt the running turn first' },
    { flags: '--timeout <duration>', about: 'how long to wait for the acknowledgement (default: 2m)' },
  ],
  examples: ['llmc message adam "Use the existing helper instead"'],
  async run(input, shell) {
    const [worker = '', words = ''] = input.args;
    const text = await promptText(
      { text: words === '-' ? undefined : words, file: undefined, stdin: words === '-' },
      'llmc message <worker> "…"',
    );
    return await shell.call('message', { worker, text, now: input.flag('now'), timeoutMs: parseDuration(input.text('timeout') ?? '2m') });
  },
  text: ({ worker, state, reason }) =>
    state === 'held'
      ? `Queued for ${worker}: ${sentence(reason ?? '')} It is delivered by itself when that ends.`
      : `${worker} has the message.`,
});
