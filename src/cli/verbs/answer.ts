import type { Answered } from '../../supervisor/dialogs/answer-dialog.ts';
import { defineVerb } from '../verb.ts';

export const answer = defineVerb<Answered>({
  name: 'answer',
  summary: 'answer an open question or permission dialog',
  description:
    'Picks a choice by its number or its words; where the dialog takes free text, any other text is the answer. What is open shows in "llmc status".',
  decides: true,
  arguments: [
    { syntax: '<worker>', about: 'whose dialog' },
    { syntax: '<choice>', about: 'a number, a label, or text' },
  ],
  options: [],
  examples: ['llmc answer adam 1', 'llmc answer adam "PostgreSQL"'],
  async run(input, shell) {
    const [worker = '', choice = ''] = input.args;
    const { askSupervisor, notRunning } = await import('../owner/owner.ts');
    const answered = await askSupervisor(shell, 'answer', { worker, choice });
    if (answered === undefined) throw notRunning();
    return answered.result;
  },
  text: ({ worker, question, answer: given, next }) =>
    `Answered "${question}" of ${worker} with "${given}".${next === null ? '' : `\nIt now asks: ${next}`}`,
});
