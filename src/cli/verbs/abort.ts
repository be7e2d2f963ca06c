import { commandLine } from '../../base/shell-quote.ts';
import { defineVerb } from '../verb.ts';

export const abort = defineVerb({
  name: 'abort',
  summary: 'end a run',
  description:
    'Ends a run: its agents stop, and what they have left is kept, commits and files alike. Only llmc recover lets it go on. On a terminal it asks first.',
  decides: true,
  arguments: [{ syntax: '<run>', about: 'the run' }],
  options: [{ flags: '--reason <text>', about: 'why; it is kept in the history of the run' }],
  examples: ['llmc abort swarm-1', 'llmc abort swarm-1 --reason "The task has changed" --yes'],
  async run(input, shell) {
    const id = input.args[0] ?? '';
    const otherwise = { message: 'the run goes on', hint: commandLine('llmc', 'show', id) };
    await shell.confirm(`End the run ${id}? Its agents stop; what they have left is kept.`, otherwise);
    return await shell.call('abort', { run: id, why: input.text('reason') || 'a person aborted it' });
  },
  text: async ({ run, taken }) =>
    taken ? `${run} is aborted: llmc report ${run}` : (await import('../runs/text/taken-text.ts')).notYetTaken(`The end of ${run}`),
});
