import { visibleLine } from '../../base/visible-text.ts';
import type { Answered } from '../../supervisor/dialogs/answer-dialog.ts';
import { askSupervisor, notRunning } from '../owner/owner.ts';
import { defineVerb } from '../verb.ts';

export const answer = defineVerb<Answered>({
  name: 'answer',
  summary: 'answer an open question or permission dialog',
  description:
    'Chooses by number or by text; where the text of a choice is a number, the text counts. If the dialog accepts free text, any other text is the answer. The answer is for the question that this terminal was shown last, by "llmc status", "why", "wait" or an answer: if the agent asks something else by now, or nothing was shown here, it is refused and shows the question; the same command then answers it. In scripts, name the dialog with --to. If the agent ended while it asked, the answer is sent as a prompt that quotes the question. "llmc status" shows the open questions.',
  decides: true,
  arguments: [
    { syntax: '<worker>', about: 'the worker whose dialog is open' },
    { syntax: '<choice>', about: 'a number, a label, or text; where several may be chosen, with commas: 1,2', isText: true },
  ],
  options: [{ flags: '--to <id>', about: 'only this dialog; "llmc status --json" has its id' }],
  examples: ['llmc answer adam 1', 'llmc answer adam 1,2', 'llmc answer adam "PostgreSQL"'],
  interrupted: () => 'Stopped waiting. To check whether the answer arrived: llmc status',
  async run(input, shell) {
    const [worker = '', choice = ''] = input.args;
    const asked = input.text('to');
    const typedAt = performance.timeOrigin;
    const answered = await askSupervisor(shell, 'answer', {
      worker,
      choice,
      typedAt,
      inWords: !shell.options.json,
      ...(asked !== undefined && { asked }),
    });
    if (answered === undefined) throw notRunning();
    return answered.result;
  },
  text: ({ worker, question, answer: given, sent, next }) => {
    const asks = next === null ? '' : `\nIt now asks: ${visibleLine(next)}`;
    if (sent) return `Answered "${visibleLine(question)}" of ${worker} with "${given}".${asks}`;
    return `Kept "${given}" for "${visibleLine(question)}" of ${worker}. Nothing is sent before its last question is answered.${asks}`;
  },
});
