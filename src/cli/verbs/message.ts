import { parseDuration } from '../../base/duration.ts';
import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import type { Sent } from '../../workers/prompt/await-delivery.ts';
import type { HeldMessage } from '../../workers/prompt/held-messages.ts';
import { promptText } from '../input/prompt-text.ts';
import { requirePerson } from '../owner/require-person.ts';
import { messageList } from '../queue/queue-text.ts';
import type { Shell } from '../shell.ts';
import { sentText } from '../text/sent-text.ts';
import { defineVerb, type Input } from '../verb.ts';

const HINT = 'llmc message adam "…"';

type MessageOutput =
  | Sent
  | { readonly messages: readonly HeldMessage[] }
  | { readonly canceled: HeldMessage }
  | { readonly changed: HeldMessage };

export const message = defineVerb<MessageOutput>({
  name: 'message',
  summary: 'send a message to a worker, and see or change those that wait',
  description:
    'Sends text into the running conversation. A busy agent gets it when its turn ends; until then it is held: --list shows it, and it can be canceled or edited until it is typed. A message survives a stop of the supervisor.',
  arguments: [
    { syntax: '<worker>', about: 'the worker' },
    {
      syntax: '[text]',
      about: 'the message; - reads standard input; not needed with --compact, --fresh, --list or --cancel',
      isText: true,
    },
  ],
  options: [
    { flags: '--now', about: 'interrupt the running turn first' },
    { flags: '--compact', about: 'let the CLI shorten its conversation first, then send the message or continue the task' },
    { flags: '--fresh', about: 'start a new conversation with the task so far, then the message' },
    { flags: '--list', about: 'list the messages that wait for the worker, with their ids' },
    { flags: '--cancel <id>', about: 'take back a message that waits' },
    { flags: '--edit <id>', about: 'replace the words of a message that waits' },
    { flags: '--timeout <duration>', about: 'how long to wait for the acknowledgement (default: 2m)' },
  ],
  examples: [
    'llmc message adam "Use the existing helper instead"',
    'llmc message adam --compact',
    'llmc message adam --list',
    'llmc message adam --edit 3f2a91bc "Use the new helper instead"',
  ],
  interrupted: () => 'Stopped waiting. The message stays queued, and llmc delivers it: llmc status',
  async run(input, shell) {
    const [worker = '', words = ''] = input.args;
    const first = firstStep(input);
    const changed = await changeWaiting(input, shell, worker, words);
    if (changed !== undefined) return changed;
    const text = first !== undefined && words === '' ? undefined : await readPrompt(words);
    const timeoutMs = parseDuration(input.text('timeout') ?? '2m');
    const request = { worker, text, first, now: input.flag('now'), timeoutMs };
    const send = async () => await shell.call('message', request);
    if (text === undefined) return await send();
    const { sendPrompt } = await import('../owner/recorded-prompt.ts');
    return await sendPrompt(shell.layout.database, text, send);
  },
  text(result, shell) {
    if ('messages' in result)
      return result.messages.length === 0 ? 'No message waits.' : messageList(result.messages, Date.now(), shell.display.columns);
    if ('canceled' in result) return `Message ${result.canceled.id} is canceled: ${result.canceled.worker} does not get it.`;
    if ('changed' in result) return `Message ${result.changed.id} is changed: ${result.changed.worker} gets the new words.`;
    return sentText(result, `${result.worker} has the message.`);
  },
});

const readPrompt = async (words: string): Promise<string> =>
  await promptText({ text: words === '-' ? undefined : words, file: undefined, stdin: words === '-' }, HINT);

/** What --list, --cancel and --edit do; undefined without one of them. */
async function changeWaiting(input: Input, shell: Shell, worker: string, words: string): Promise<MessageOutput | undefined> {
  const [cancel, edit] = [input.text('cancel'), input.text('edit')];
  const asked = [input.flag('list') && '--list', cancel !== undefined && '--cancel', edit !== undefined && '--edit'].filter(Boolean);
  const [only] = asked;
  if (only === undefined) return undefined;
  const sends = ['now', 'compact', 'fresh'].find((name) => input.flag(name));
  if (asked.length > 1 || sends !== undefined || (words !== '' && edit === undefined))
    throw new LlmcError('INVALID_ARGUMENT', `${only} sends nothing, and stands alone`, { hint: 'llmc message --help' });
  if (input.flag('list')) return { messages: await shell.call('messages', { worker }) };
  await requirePerson(`message ${only}`, shell);
  if (cancel !== undefined) return { canceled: await shell.call('messageCancel', { worker, id: cancel }) };
  return { changed: await shell.call('messageEdit', { worker, id: edit ?? '', text: await readPrompt(words) }) };
}

function firstStep(input: Input): 'compact' | 'fresh' | undefined {
  if (input.flag('compact') && input.flag('fresh'))
    throw new LlmcError('INVALID_ARGUMENT', '--compact and --fresh exclude each other', {
      hint: `Compact it: ${commandLine('llmc', 'message', input.args[0] ?? '', '--compact')}`,
    });
  return input.flag('compact') ? 'compact' : input.flag('fresh') ? 'fresh' : undefined;
}
