import { LlmcError } from '../../base/error.ts';
import { capitalised } from '../../base/sentence.ts';
import { showsNothing } from '../../base/shows-nothing.ts';
import { visibleLine } from '../../base/visible-text.ts';
import type { AcceptAllResult } from '../../workers/accept-all.ts';
import type { AcceptResult } from '../../workers/landing/finish-landing.ts';
import { formattedLine } from '../../workers/review/text/formatted-line.ts';
import { interruption } from '../interruption.ts';
import type { AcceptSeveralResult } from '../review/accept-several.ts';
import { chooseLandingPlace } from '../review/choose-landing-place.ts';
import type { Shell } from '../shell.ts';
import { defineVerb, type Input } from '../verb.ts';

export const accept = defineVerb({
  name: 'accept',
  summary: 'land finished work as one commit',
  description:
    'Rebases the work onto main, squashes it into one commit without attribution lines, runs the validation commands and lands the commit. With --branch, it goes to a branch of the source, made from main if it is new, and main stays as it is. Without a name: the worker you reviewed last. Several workers land one after the other, each as its own commit; one that is refused does not stop the others. Asks before it lands work that nobody has reviewed; --yes lands it, and without a terminal is the only way to, but never work whose resolved conflict lost or replaced lines. The exit status of several workers and of --all-clean is 2 if work is left.',
  decides: true,
  arguments: [{ syntax: '[worker...]', about: 'the workers whose work to land' }],
  options: [
    { flags: '--message <text>', about: 'use this commit message' },
    { flags: '--edit', about: 'edit the commit message first' },
    {
      flags: '--all-clean',
      about:
        'land all work that is reviewed (with --yes: all that is finished), does not conflict, and lost or replaced no line in a conflict',
    },
    { flags: '--branch <name>', about: 'land on this branch of the source instead of main' },
    { flags: '--main', about: 'land on main, whatever [repo] landing says' },
    { flags: '--allow-dropped', about: 'land work whose resolved conflict lost or replaced lines' },
  ],
  examples: [
    'llmc accept',
    'llmc accept adam baker',
    'llmc accept adam -m "Add the parser"',
    'llmc accept adam --branch parser',
    'llmc accept --all-clean',
  ],
  async run(input, shell): Promise<AcceptResult | AcceptAllResult | AcceptSeveralResult> {
    if (input.flag('allClean')) return await acceptAll(input, shell);
    if (input.args.length > 1) {
      const { acceptSeveral } = await import('../review/accept-several.ts');
      return await acceptSeveral(input, shell, async (worker) => await acceptOne(input, shell, { worker, message: undefined }));
    }
    const message = input.text('message');
    if (message !== undefined && showsNothing(message))
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
  text: (result) => ('accepted' in result ? textOfAll(result) : describeResult(result)),
});

/** Asks before work lands that nobody has reviewed. */
async function acceptOne(
  input: Input,
  shell: Shell,
  which: { worker: string | undefined; message: string | undefined },
): Promise<AcceptResult> {
  const { orCancelled } = await import('../review/or-cancelled.ts');
  const request = {
    ...which,
    ...chooseLandingPlace(input, 'llmc accept --branch parser'),
    allowDropped: input.flag('allowDropped'),
    patrol: shell.options.patrol,
  };
  try {
    return await orCancelled(shell, which.worker, () => shell.call('accept', { ...request, requireReview: !shell.options.yes }));
  } catch (error) {
    if (!(error instanceof LlmcError) || error.code !== 'WORK_NOT_REVIEWED' || !shell.isInteractive) throw error;
    await shell.confirm(`${capitalised(visibleLine(error.message))}. Land it without a review?`, {
      message: 'nothing landed',
      hint: error.hint ?? 'llmc review --next',
    });
    return await orCancelled(shell, which.worker, () => shell.call('accept', request));
  }
}

async function acceptAll(input: Input, shell: Shell): Promise<AcceptAllResult> {
  const others = ['message', 'edit', 'allowDropped'].filter((name) => input.flag(name) || input.text(name) !== undefined);
  if (input.args.length > 0 || others.length > 0)
    throw new LlmcError('INVALID_ARGUMENT', '--all-clean takes neither a worker nor a message, and never lands dropped lines', {
      hint: 'llmc accept --all-clean',
    });
  const request = {
    ...chooseLandingPlace(input, 'llmc accept --branch parser'),
    requireReview: !shell.options.yes,
    patrol: shell.options.patrol,
  };
  const signal = interruption();
  const result = await shell.call('acceptAll', request).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    throw new LlmcError('CANCELLED', 'what has landed stays, and the rest still waits for review', { hint: 'llmc accept --all-clean' });
  });
  // A script must not take the rest for landed.
  if (result.left.length > 0) process.exitCode = 2;
  return result;
}

function whatFollows(worker: string, status: AcceptResult['status'], run: string | null): string {
  if (run !== null) return `What follows in its run: llmc show ${run}`;
  return `${worker} is ${status === 'offline' ? 'offline and free for the next task' : `${status} again`}.`;
}

function describeResult({ worker, branch, commit, subject, status, formatted, run }: AcceptResult): string {
  const what =
    commit === null
      ? `Nothing to land: the work of ${worker} changes nothing on ${branch}.`
      : `Landed ${commit.slice(0, 12)} on ${branch}: ${visibleLine(subject)}`;
  const format = formatted === null ? '' : `\n${formattedLine(formatted)}`;
  return `${what}${format}\n${whatFollows(worker, status, run)}`;
}

function textOfAll(result: AcceptAllResult | AcceptSeveralResult): string {
  const { accepted, left } = result;
  const before = ('earlier' in result ? result.earlier : []).map(
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
