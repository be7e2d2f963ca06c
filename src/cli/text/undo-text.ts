import { visibleLine } from '../../base/visible-text.ts';
import type { UndoResult } from '../../workers/undo/undo-result.ts';

const commitText = ({ commit, subject }: UndoResult): string => `${commit.slice(0, 12)} "${visibleLine(subject)}"`;

/** What a person confirms. */
export function undoQuestion(planned: UndoResult): string {
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

export function undoText(result: UndoResult): string {
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
