import { undoQuestion, undoText } from '../text/undo-text.ts';
import { defineVerb } from '../verb.ts';

export const undo = defineVerb({
  name: 'undo',
  summary: 'take back the last accept',
  description:
    'Moves main back to the commit before the last accept, if nothing came after it, and gives the worker its commits, its task and its conversation: it waits for a review again. Your uncommitted changes stay as they are. If main has gone on, a remote has the commit, or the worker has another task, --revert adds a commit that does the opposite instead. A second undo changes nothing and says what the first one did. Without a name: the last accept of all.',
  decides: true,
  arguments: [{ syntax: '[worker]', about: 'the worker whose last accept to take back' }],
  options: [
    { flags: '--revert', about: 'add a commit that reverts it; validated like any other before it lands' },
    { flags: '--dry-run', about: 'only say what would be undone' },
  ],
  examples: ['llmc undo', 'llmc undo adam --yes', 'llmc undo adam --revert'],
  interrupted: () => 'Cancelled. An undo that has begun is finished by the next one: llmc undo',
  async run(input, shell) {
    const [worker] = input.args;
    const { patrol, yes } = shell.options;
    const request = { worker, revert: input.flag('revert'), dryRun: input.flag('dryRun'), patrol };
    if (request.dryRun || yes || !shell.isInteractive) return await shell.call('undo', request);
    const planned = await shell.call('undo', { ...request, dryRun: true });
    if (planned.outcome !== 'planned') return planned;
    await shell.confirm(undoQuestion(planned), { message: 'nothing was undone', hint: 'llmc status' });
    return await shell.call('undo', { ...request, landing: planned.landing });
  },
  text: undoText,
});
