import { pastTime } from '../../base/clock-time.ts';
import { parseDuration } from '../../base/duration.ts';
import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import type { Sent } from '../../workers/prompt/await-delivery.ts';
import { changedDrafts, countedDrafts } from '../../workers/review/text/draft-words.ts';
import { promptText } from '../input/prompt-text.ts';
import { sentText } from '../text/sent-text.ts';
import { defineVerb } from '../verb.ts';

export const reject = defineVerb({
  name: 'reject',
  summary: 'send work back with feedback',
  description:
    'The worker continues in the same conversation with your feedback and the reviewed diff. (A long diff is cut to the files that fit into 16 KB, with the command that shows the rest.) Without --worker: the worker you reviewed last. Comments that you wrote in the view and did not send stay there, unless --drafts sends them.',
  decides: true,
  arguments: [{ syntax: '[message]', about: 'the feedback; - reads standard input; without it, a terminal opens $EDITOR', isText: true }],
  options: [
    { flags: '--worker <name>', about: 'the worker whose work to reject' },
    { flags: '--file <file>', about: 'read the feedback from a file' },
    { flags: '--at <place-and-text...>', about: 'a remark on one line: --at src/a.ts:12 "Off by one"; may be repeated' },
    { flags: '--drafts', about: 'send the comments that you wrote in the view (llmc ui) and did not send' },
    { flags: '--timeout <duration>', about: 'how long to wait for the acknowledgement (default: 2m)' },
  ],
  examples: [
    'llmc reject "Please handle the empty list"',
    'llmc reject --worker adam --file feedback.md',
    'llmc reject --at src/a.ts:12 "Off by one" "See the remark"',
    'llmc reject --worker adam --drafts',
  ],
  interrupted: () => 'Stopped waiting. Feedback that was sent stays queued, and llmc delivers it: llmc status',
  async run(input, shell) {
    const { notes, rest } = readNotes(input.list('at'));
    if (input.args[0] !== undefined && rest !== undefined)
      throw new LlmcError('INVALID_ARGUMENT', `"${rest}" has no file:line`, { hint: 'llmc reject "…" --at src/a.ts:12 "Off by one"' });
    const message = input.args[0] ?? rest;
    const file = input.text('file');
    const drafted = input.flag('drafts')
      ? await (await import('../review/draft-notes.ts')).draftNotes(shell, input.text('worker'))
      : undefined;
    const remarks = [...notes, ...(drafted?.notes ?? [])];
    const nothing = message === undefined && file === undefined;
    const isEmpty = remarks.length === 0 && drafted === undefined;
    if (nothing && isEmpty && !shell.isInteractive)
      throw new LlmcError('INVALID_ARGUMENT', 'no feedback was given', {
        hint: 'llmc reject "…", llmc reject --file feedback.md, or - for standard input',
      });
    const edited =
      nothing && isEmpty
        ? await (await import('../input/editor.ts')).editText('# What should change? Lines that begin with # are left out.\n', {
            comments: true,
          })
        : undefined;
    const sources = { text: message === '-' ? undefined : (message ?? edited), file, stdin: message === '-' };
    const words = nothing && !isEmpty ? 'See the remarks.' : await promptText(sources, 'llmc reject "…"');
    return await shell.call('reject', {
      worker: drafted?.worker ?? input.text('worker'),
      feedback: [words, drafted?.lost ?? ''].filter((part) => part !== '').join('\n\n'),
      notes: remarks,
      ...(drafted !== undefined && { drafts: [...drafted.drafts] }),
      timeoutMs: parseDuration(input.text('timeout') ?? '2m'),
    });
  },
  text: (sent) =>
    [
      sent.earlier_ms === null
        ? sentText(sent, `${sent.worker} has the feedback and is working on it.`)
        : repeatedText(sent, sent.earlier_ms),
      ...(sent.left_drafts === 0 ? [] : [`${countedDrafts(sent.left_drafts)} in the view stayed there: they were not sent.`]),
      ...changedDrafts(sent.changed_drafts.length),
    ].join('\n'),
});

/** The person could not know that the feedback was stored: the reject before was killed. */
function repeatedText(sent: Sent, at: number): string {
  const { worker } = sent;
  const became = sentText(sent, `${worker} has it.`);
  return `You sent this feedback at ${pastTime(at, Date.now())} with another reject, and it was not sent again. ${became} To send it once more, repeat the command. More: llmc why ${worker}`;
}

/** commander gives `--at` all words up to the next option: pairs of place and text, then perhaps the message. */
function readNotes(words: readonly string[]): { notes: { at: string; text: string }[]; rest: string | undefined } {
  const notes: { at: string; text: string }[] = [];
  for (let index = 0; index + 1 < words.length; index += 2) notes.push({ at: words[index] ?? '', text: words[index + 1] ?? '' });
  const wrong = notes.find(({ at }) => !/:\d+$/.test(at));
  if (wrong !== undefined)
    throw new LlmcError('INVALID_ARGUMENT', `"${wrong.at}" is not a file:line`, { hint: 'llmc reject --at src/a.ts:12 "Off by one"' });
  const rest = words.length % 2 === 1 ? words.at(-1) : undefined;
  if (rest !== undefined && (words.length === 1 || /^\S+:\d+$/.test(rest)))
    throw new LlmcError('INVALID_ARGUMENT', `${rest} has no remark`, {
      hint: commandLine('llmc', 'reject', '--at', rest, 'Off by one'),
    });
  return { notes, rest };
}
