import { visibleLine } from '../../base/visible-text.ts';
import type { UndoResult } from '../../workers/undo/undo-result.ts';
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
    await shell.confirm(question(planned), { message: 'nothing was undone', hint: 'llmc status' });
    return await shell.call('undo', { ...request, landing: planned.landing });
  },
  text: undoText,
});

const commitText = ({ commit, subject }: UndoResult): string => `${commit.slice(0, 12)} "${visibleLine(subject)}"`;

function question(planned: UndoResult): string {
  const { worker, branch, kind } = planned;
  const what = `${commitText(planned)}, the last accept of ${worker},`;
  return kind === 'revert' ? `Revert ${what} by a commit on ${branch}?` : `Take ${what} back from ${branch}?`;
}

function planText(planned: UndoResult): string {
  const { worker, branch, kind } = planned;
  return kind === 'revert'
    ? `A commit on ${branch} would revert ${commitText(planned)}, the last accept of ${worker}`
    : `${commitText(planned)}, the last accept of ${worker}, would be taken back from ${branch}`;
}

function undoText(result: UndoResult): string {
  const { worker, branch, kind, outcome, revert, status } = result;
  if (outcome === 'planned') return `${planText(result)}.`;
  const already = outcome === 'already_undone' ? 'already ' : '';
  if (kind === 'revert')
    return `Commit ${revert?.slice(0, 12)} on ${branch} ${already}reverts ${commitText(result)}, the last accept of ${worker}.`;
  const done = `${commitText(result)} was ${already}taken back from ${branch}.`;
  if (outcome === 'already_undone')
    return `${done} Nothing was changed. For an earlier accept, name its worker, such as: llmc undo ${worker}`;
  return [done, `${worker} has its work back${conversationText(result)}: llmc review ${worker}`, ...offlineText(status, worker)].join('\n');
}

function conversationText({ conversation }: UndoResult): string {
  switch (conversation) {
    case 'kept':
      return ' and is still in its conversation';
    case 'resumed':
      return ' and its conversation';
    case 'lost':
    case null:
      return ', and its agent begins a new conversation';
  }
}

const offlineText = (status: UndoResult['status'], worker: string): readonly string[] =>
  status === 'offline' ? [`${worker} is offline: llmc up --detach`] : [];
