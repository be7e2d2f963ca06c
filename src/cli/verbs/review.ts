import { LlmcError } from '../../base/error.ts';
import type { ReviewResult } from '../../workers/review/review-result.ts';
import { unlessPerson } from '../owner/require-person.ts';
import { chooseLandingPlace } from '../review/choose-landing-place.ts';
import { INTERFACES, interfaceFor } from '../review/interfaces.ts';
import { showReview, type Viewing } from '../review/show-review.ts';
import type { Walked } from '../review/walk-queue.ts';
import { nextCommands } from '../text/next-commands.ts';
import { defineVerb } from '../verb.ts';

type ReviewOutput = (ReviewResult & Viewing & { readonly next: boolean }) | Walked;

export const review = defineVerb<ReviewOutput>({
  name: 'review',
  summary: 'show finished work as a diff',
  description:
    'Rebases the work onto main (not with --no-patrol) and shows what it would change. What needs you comes first: an obstacle, the proof of a resolved conflict, what the work would conflict with, warnings about what a reader could overlook or misread. After a reject, the diff is what changed since your last review, without what main gained meanwhile; --whole shows all of it. Without a name: the worker that has waited longest and does not conflict with main. --next takes work that nobody has seen first; on a terminal it goes through all pending work with one key per decision: a (accept), r (reject with a message), s (skip), d (show the diff again, with --stat its lines), q (quit). Inside a worker, the command prints the same but does not count as a review.',
  verbatim: true,
  arguments: [{ syntax: '[worker]', about: 'the worker whose work to review' }],
  options: [
    { flags: '--next', about: 'the next work that nobody has seen; on a terminal, all pending work one after the other' },
    {
      flags: '--interface <how>',
      about: 'diff, difftastic or vscode; without it difftastic on a terminal where it is installed, else diff',
      words: INTERFACES,
    },
    { flags: '--stat', about: 'only the names of the files and the number of changed lines' },
    { flags: '--whole', about: 'all of the work, also if you sent it back: without it, what changed since then' },
    { flags: '--branch <name>', about: 'compare it with what it would be on this branch, and land it there; for the worker that you name' },
    { flags: '--main', about: 'the same for main, for example for work of a run that has landed on a branch before' },
    { flags: '--ignore-whitespace', about: 'leave out lines that differ only in white space' },
  ],
  examples: ['llmc review', 'llmc review --next', 'llmc review adam --stat', 'llmc review adam --whole'],
  interrupted: (input) => (input.flag('next') ? 'Stopped. What was decided before stays so: llmc status' : undefined),
  async run(input, shell) {
    const ignoreWhitespace = input.flag('ignoreWhitespace');
    const how = interfaceFor(shell, input.text('interface'), ignoreWhitespace);
    const [worker] = input.args;
    const next = input.flag('next');
    if (next && worker !== undefined)
      throw new LlmcError('INVALID_ARGUMENT', '--next chooses the worker itself', { hint: `llmc review --next, or llmc review ${worker}` });
    const place = chooseLandingPlace(input, 'llmc review adam --main');
    if (worker === undefined && (place.main || place.branch !== undefined))
      throw new LlmcError('INVALID_ARGUMENT', '--branch and --main need the name of a worker', { hint: 'llmc review adam --main' });
    const viewing: Viewing = { interface: how, only_stat: input.flag('stat'), whole: input.flag('whole') };
    const byAgent = (await unlessPerson(shell)) !== undefined && shell.options.code === undefined;
    // JSON has the lines.
    const reading = { ignoreWhitespace, onlyStat: viewing.only_stat && !shell.options.json };
    if (next && shell.isInteractive && !byAgent) return await (await import('../review/walk-queue.ts')).walkQueue(shell, viewing, reading);
    const asked = { worker, byAgent, next, patrol: shell.options.patrol, ...reading, place };
    return { ...(await shell.call('review', asked)), ...viewing, next };
  },
  async text(result, shell) {
    if ('accepted' in result) return shell.atRoot(walkedText(result));
    const { text } = await showReview(result, shell);
    const isForPerson = shell.isInteractive || result.next || result.only_stat || result.interface === 'vscode';
    return isForPerson ? `${text}\n${shell.atRoot(nextCommands(result))}` : text;
  },
});

function walkedText({ accepted, rejected, skipped, left }: Walked): string {
  const counts = `${accepted.length} accepted, ${rejected.length} sent back, ${skipped.length} skipped.`;
  return left.length === 0 ? `${counts} Nothing is left to review.` : `${counts} Still to review: ${left.join(', ')} (llmc review --next)`;
}
