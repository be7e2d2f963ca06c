import { LlmcError } from '../../base/error.ts';
import { capitalised } from '../../base/sentence.ts';
import { visibleLine } from '../../base/visible-text.ts';
import type { AcceptAllResult } from '../../workers/accept-all.ts';
import type { AcceptResult } from '../../workers/landing/finish-landing.ts';
import type { Shell } from '../shell.ts';
import { formattedLine } from '../text/formatted-line.ts';
import { defineVerb, type Input } from '../verb.ts';

export const accept = defineVerb({
  name: 'accept',
  summary: 'land finished work as one commit',
  description:
    'Rebases the work onto main, squashes it into one commit without attribution lines, runs the validation commands and lands the commit. Without a name: the worker you reviewed last. Asks before it lands work that nobody has reviewed; --yes lands it, and without a terminal is the only way to. The exit status of --all-clean is 2 if work is left.',
  decides: true,
  arguments: [{ syntax: '[worker]', about: 'the worker whose work to land' }],
  options: [
    { flags: '--message <text>', about: 'use this commit message' },
    { flags: '--edit', about: 'edit the commit message first' },
    { flags: '--all-clean', about: 'land all work that is reviewed (with --yes: all that is finished) and does not conflict' },
    { flags: '--allow-dropped', about: 'land work whose resolved conflict lost lines' },
  ],
  examples: ['llmc accept', 'llmc accept adam --message "Add the parser"', 'llmc accept --all-clean'],
  interrupted: (input) =>
    input.flag('allClean')
      ? 'Cancelled. What has landed stays on main. Continue with the rest: llmc accept --all-clean'
      : 'Cancelled. If the commit has not landed, its worker keeps it: llmc status',
  async run(input, shell): Promise<AcceptResult | AcceptAllResult> {
    if (input.flag('allClean')) return await acceptAll(input, shell);
    const message = input.text('message');
    if (message?.trim() === '')
      throw new LlmcError('INVALID_ARGUMENT', 'the commit message is empty', { hint: 'Omit --message to keep the worker’s own message.' });
    if (!input.flag('edit')) return await acceptOne(input, shell, { worker: input.args[0], message });
    if (!shell.isInteractive) throw new LlmcError('INVALID_ARGUMENT', '--edit needs a terminal', { hint: 'llmc accept --message "…"' });
    const reviewed = await shell.call('review', { worker: input.args[0], beforeAccept: true, patrol: shell.options.patrol });
    const { editText } = await import('../input/editor.ts');
    // A line of a message may begin with "#", such as the number of an issue.
    const edited = await editText(message ?? reviewed.message, { comments: false });
    if (edited === '') throw new LlmcError('CANCELLED', 'the commit message is empty; nothing landed', { hint: 'llmc accept --edit' });
    return await acceptOne(input, shell, { worker: reviewed.worker, message: edited });
  },
  text: (result) => ('accepted' in result ? textOfAll(result) : textOf(result)),
});

/** Asks before work lands that nobody has reviewed. */
async function acceptOne(
  input: Input,
  shell: Shell,
  which: { worker: string | undefined; message: string | undefined },
): Promise<AcceptResult> {
  const request = { ...which, allowDropped: input.flag('allowDropped'), patrol: shell.options.patrol };
  try {
    return await shell.call('accept', { ...request, requireReview: !shell.options.yes });
  } catch (error) {
    if (!(error instanceof LlmcError) || error.code !== 'WORK_NOT_REVIEWED' || !shell.isInteractive) throw error;
    await shell.confirm(`${capitalised(visibleLine(error.message))}. Land it without a review?`, {
      message: 'nothing landed',
      hint: error.hint ?? 'llmc review --next',
    });
    return await shell.call('accept', request);
  }
}

async function acceptAll(input: Input, shell: Shell): Promise<AcceptAllResult> {
  const others = ['message', 'edit', 'allowDropped'].filter((name) => input.flag(name) || input.text(name) !== undefined);
  if (input.args.length > 0 || others.length > 0)
    throw new LlmcError('INVALID_ARGUMENT', '--all-clean takes neither a worker nor a message, and never lands dropped lines', {
      hint: 'llmc accept --all-clean',
    });
  const result = await shell.call('acceptAll', { requireReview: !shell.options.yes, patrol: shell.options.patrol });
  // A script must not take the rest for landed.
  if (result.left.length > 0) process.exitCode = 2;
  return result;
}

function textOf({ worker, branch, commit, subject, status, formatted }: AcceptResult): string {
  const what =
    commit === null
      ? `Nothing to land: the work of ${worker} changes nothing on ${branch}.`
      : `Landed ${commit.slice(0, 12)} on ${branch}: ${visibleLine(subject)}`;
  const format = formatted === null ? '' : `\n${formattedLine(formatted)}`;
  return `${what}${format}\n${worker} is ${status === 'offline' ? 'offline and free for the next task' : `${status} again`}.`;
}

function textOfAll({ accepted, earlier, left }: AcceptAllResult): string {
  const before = earlier.map(
    ({ worker, commit, subject }) =>
      `${worker}: landed ${commit.slice(0, 12)} before, by an accept that was interrupted: ${visibleLine(subject)}`,
  );
  const landed = accepted.map(({ worker, branch, commit, subject }) =>
    commit === null
      ? `${worker}: nothing to land, its work changes nothing on ${branch}`
      : `${worker}: landed ${commit.slice(0, 12)} on ${branch}: ${visibleLine(subject)}`,
  );
  const kept = left.map(
    ({ worker, message, hint }) => `${worker}: not landed: ${visibleLine(message)}${hint === null ? '' : `\n  ${visibleLine(hint)}`}`,
  );
  return [...before, ...landed, ...kept, `${accepted.length} landed, ${left.length} left.`].join('\n');
}
