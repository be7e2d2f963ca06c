import type { DismissResult } from '../../workers/review/dismiss-answer.ts';
import { defineVerb } from '../verb.ts';

export const dismiss = defineVerb<DismissResult>({
  name: 'dismiss',
  summary: 'put an answer away: its worker is free for the next task',
  description:
    'For a task that ended in an answer (start --expect answer). The history keeps the answer. Files that the worker changed are saved as a rescue. Without a name: the worker whose answer you read last, or the only one with an answer. To ask more instead: llmc message.',
  decides: true,
  arguments: [{ syntax: '[worker]', about: 'the worker whose answer you have read' }],
  options: [],
  examples: ['llmc dismiss', 'llmc dismiss adam'],
  interrupted: () => 'Cancelled. To check whether the answer was put away: llmc status',
  run: async (input, shell) => await shell.call('dismiss', { worker: input.args[0] }),
  text: ({ worker, task: number, rescued }) =>
    [
      `${worker} is idle.`,
      ...(number === null ? [] : [`Its answer stays here: llmc queue show ${number}`]),
      ...(rescued === null ? [] : [`The files that it had changed are saved: llmc rescue show ${rescued}`]),
    ].join(' '),
});
