import { defineVerb } from '../verb.ts';

export const unpark = defineVerb({
  name: 'unpark',
  summary: 'end the wait for a usage limit',
  description:
    'For a person who bought more, or knows better: the workers of the account go on now, one after the other. If the limit still holds, the first agent that reaches it again parks the account again.',
  decides: true,
  arguments: [{ syntax: '<account>', about: 'which one, as llmc status names it' }],
  options: [],
  examples: ['llmc unpark claude'],
  async run(input, shell) {
    const [account = ''] = input.args;
    return await shell.call('unpark', { account });
  },
  text: ({ account, workers }) => `${account} goes on: ${workers.join(', ') || 'no worker uses it'}.`,
});
