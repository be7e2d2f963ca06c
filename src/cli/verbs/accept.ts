import { LlmcError } from '../../base/error.ts';
import { visibleLine } from '../../base/visible-text.ts';
import { defineVerb } from '../verb.ts';

export const accept = defineVerb({
  name: 'accept',
  summary: 'land finished work as one commit',
  description:
    'Rebases the work onto main, squashes it into one commit without attribution lines, runs the validation commands and lands the commit. Without a name: the worker you reviewed last.',
  decides: true,
  arguments: [{ syntax: '[worker]', about: 'the worker whose work to land' }],
  options: [
    { flags: '--message <text>', about: 'use this commit message' },
    { flags: '--edit', about: 'edit the commit message first' },
    { flags: '--allow-dropped', about: 'land also work whose resolved conflict has lost lines' },
  ],
  examples: ['llmc accept', 'llmc accept adam --message "Add the parser"'],
  interrupted: () => 'Cancelled. If the commit has not landed, its worker keeps it: llmc status',
  async run(input, shell) {
    const message = input.text('message');
    const allowDropped = input.flag('allow-dropped');
    if (message?.trim() === '')
      throw new LlmcError('INVALID_ARGUMENT', 'the commit message is empty', { hint: 'Omit --message to keep the worker’s own message.' });
    if (!input.flag('edit'))
      return await shell.call('accept', { worker: input.args[0], message, allowDropped, patrol: shell.options.patrol });
    if (!shell.isInteractive) throw new LlmcError('INVALID_ARGUMENT', '--edit needs a terminal', { hint: 'llmc accept --message "…"' });
    const reviewed = await shell.call('review', { worker: input.args[0], beforeAccept: true, patrol: shell.options.patrol });
    const { editText } = await import('../input/editor.ts');
    const edited = await editText(message ?? reviewed.message);
    if (edited === '') throw new LlmcError('CANCELLED', 'the commit message is empty; nothing was changed');
    return await shell.call('accept', { worker: reviewed.worker, message: edited, allowDropped, patrol: shell.options.patrol });
  },
  text: ({ worker, branch, commit, subject, status }) =>
    `${commit === null ? `Nothing to land: ${branch} has the change of ${worker} already.` : `Landed ${commit.slice(0, 12)} on ${branch}: ${visibleLine(subject)}`}\n${worker} is ${status === 'offline' ? 'offline and free for the next task' : `${status} again`}.`,
});
