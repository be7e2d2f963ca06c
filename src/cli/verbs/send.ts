import { LlmcError } from '../../base/error.ts';
import { showsNothing } from '../../base/shows-nothing.ts';
import { defineVerb } from '../verb.ts';

export const send = defineVerb({
  name: 'send',
  summary: 'send a message to a role of a run',
  description:
    'Messages of one run arrive in their order, each once: the agent of the role gets it while it works, otherwise with its next task. Inside an agent of a run, the run can be left out. A message to a role that the workflow does not have is kept in the error log of the run.',
  arguments: [
    { syntax: '<run>', about: 'the run; inside an agent of the run it can be left out' },
    { syntax: '<role>', about: 'the role' },
    { syntax: '[text]', about: 'the message', isText: true },
  ],
  options: [],
  examples: ['llmc send swarm-1 developer "Keep the old flag as an alias"', 'llmc send reviewer "The tests need port 8080"'],
  async run(input, shell) {
    const { readMessage } = await import('../runs/read-message.ts');
    const message = await readMessage(shell, input.args, process.env.LLMC_WORKER);
    if (showsNothing(message.text)) throw new LlmcError('INVALID_ARGUMENT', 'the message is empty', { hint: 'llmc send --help' });
    return await shell.call('send', message);
  },
  text: async ({ run, role, taken }) =>
    taken ? `The message is on its way to ${role} of ${run}.` : (await import('../runs/text/taken-text.ts')).notYetTaken('The message'),
});
