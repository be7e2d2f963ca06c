import { LlmcError } from '../../base/error.ts';
import { defineVerb } from '../verb.ts';

const INTERFACES = ['diff', 'difftastic', 'vscode'];

export const review = defineVerb({
  name: 'review',
  summary: 'look at finished work',
  description:
    'Brings the work up to date with main (not with --no-patrol) and shows what it would change. Without a name: the one that has waited longest. Inside a worker it shows the same and does not count as a review.',
  arguments: [{ syntax: '[worker]', about: 'whose work' }],
  options: [
    { flags: '--interface <how>', about: 'diff (default), difftastic or vscode' },
    { flags: '--stat', about: 'only the files and how much changed in them' },
  ],
  examples: ['llmc review', 'llmc review adam --stat'],
  async run(input, shell) {
    const how = input.text('interface') ?? 'diff';
    if (!INTERFACES.includes(how))
      throw new LlmcError('INVALID_ARGUMENT', `there is no interface "${how}"`, { hint: `Use one of: ${INTERFACES.join(', ')}.` });
    const { undecidingWorker } = await import('../owner/inside-worker.ts');
    const byAgent = (await undecidingWorker(shell)) !== undefined;
    const { color, patrol } = shell.options;
    const result = await shell.call('review', { worker: input.args[0], color: color && how === 'diff', byAgent, patrol });
    if (byAgent) shell.say('An agent asked for this: it does not count as a review.');
    return { ...result, interface: how, only_stat: input.flag('stat') };
  },
  text: async (result, shell) => (await import('../text/show-review.ts')).showReview(result, shell),
});
