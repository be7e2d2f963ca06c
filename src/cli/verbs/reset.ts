import { defineVerb } from '../verb.ts';

export const reset = defineVerb({
  name: 'reset',
  summary: 'put a worker back to the start',
  description:
    'Saves its work as a rescue, resets its worktree to the latest main, starts its agent with an empty conversation and sets it to idle.',
  decides: true,
  arguments: [{ syntax: '<worker>', about: 'the worker' }],
  options: [],
  examples: ['llmc reset adam'],
  interrupted: () => 'Cancelled. To check whether the worker was reset: llmc status',
  async run(input, shell) {
    const [name = ''] = input.args;
    await shell.confirm(`Reset ${name}? Work that has not landed is kept as a rescue.`, {
      message: `${name} was not reset`,
      hint: `llmc why ${name}`,
    });
    return await shell.call('reset', { name });
  },
  text: ({ worker, rescued }) => `${worker} is idle.${rescued === null ? '' : ` Its work is saved: llmc rescue show ${rescued}`}`,
});
