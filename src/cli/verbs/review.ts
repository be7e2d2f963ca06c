import { LlmcError } from '../../base/error.ts';
import { defineVerb } from '../verb.ts';

const INTERFACES = ['diff', 'difftastic', 'vscode'];

export const review = defineVerb({
  name: 'review',
  summary: 'show finished work as a diff',
  description:
    'Rebases the work onto main (not with --no-patrol) and shows what it would change. Without a name: the worker that has waited longest. Warnings about what a reader could overlook or misread come first (warnings, with --json). Inside a worker, the command prints the same but does not count as a review.',
  verbatim: true,
  arguments: [{ syntax: '[worker]', about: 'the worker whose work to review' }],
  options: [
    { flags: '--interface <how>', about: 'diff (default), difftastic or vscode' },
    { flags: '--stat', about: 'only the names of the files and the number of changed lines' },
  ],
  examples: ['llmc review', 'llmc review adam --stat'],
  async run(input, shell) {
    const how = input.text('interface') ?? 'diff';
    if (!INTERFACES.includes(how))
      throw new LlmcError('INVALID_ARGUMENT', `there is no interface "${how}"`, { hint: `Use one of: ${INTERFACES.join(', ')}.` });
    const { restrictedTo } = await import('../owner/inside-worker.ts');
    const byAgent = (await restrictedTo(shell)) !== undefined;
    const result = await shell.call('review', { worker: input.args[0], byAgent, patrol: shell.options.patrol });
    return { ...result, interface: how, only_stat: input.flag('stat') };
  },
  text: async (result, shell) => (await import('../text/show-review.ts')).showReview(result, shell),
});
