import { visibleLine } from '../../base/visible-text.ts';
import type { RebaseResult } from '../../workers/rebase/rebase-work.ts';
import { defineVerb } from '../verb.ts';

export const rebase = defineVerb({
  name: 'rebase',
  summary: 'put finished work on the newest main',
  description:
    'Rebases the work of a worker onto main and runs the validation commands. If it conflicts, the rebase stays in the worktree and the worker’s agent resolves it in a new conversation; llmc proves that no line of either side was lost before it asks for a review. While an agent resolves a conflict, its worker takes no task and no review. A second call continues a resolution that waits for you.',
  decides: true,
  arguments: [{ syntax: '<worker>', about: 'the worker' }],
  options: [{ flags: '--abort', about: 'give up the resolution: the work is as before the rebase' }],
  examples: ['llmc rebase adam', 'llmc rebase adam --abort'],
  interrupted: () => 'Stopped waiting. A rebase that has begun continues: llmc status',
  async run(input, shell) {
    const [worker = ''] = input.args;
    return await shell.call('rebase', { worker, abort: input.flag('abort') });
  },
  text: rebaseText,
});

function rebaseText({ worker, branch, outcome, files, status }: RebaseResult): string {
  const where = files.length === 0 ? '' : ` in ${visibleLine(files.join(', '))}`;
  switch (outcome) {
    case 'up_to_date':
      return `${worker} is on the newest ${branch} already.`;
    case 'rebased':
      return `${worker} is on the newest ${branch}. ${status === 'needs_review' ? 'Review it: llmc review' : 'What it needs: llmc why'} ${worker}`;
    case 'resolving':
      return `${worker} conflicts with ${branch}${where}. Its agent is resolving that: llmc wait ${worker} --for needs_review`;
    case 'resolved':
      return `${worker} conflicted with ${branch}${where}, and an earlier resolution was used again. Review it: llmc review ${worker}`;
    case 'aborted':
      return `The rebase of ${worker} was given up. Its work: llmc review ${worker}; try again: llmc rebase ${worker}`;
  }
}
