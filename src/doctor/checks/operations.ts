import { unfinishedOperation } from '../../git/rebase/operation.ts';
import { linkState } from '../../git/worktree/link.ts';
import type { Repair } from '../../recovery/records/repair-step.ts';
import type { Worker } from '../../store/state.ts';
import { type Check, ok, repairable, warning } from '../check.ts';
import { guardedGit } from '../guarded-git.ts';
import { withWorkers } from '../needs.ts';

/** Whether a rebase, a merge or the like was left in the worktree of an idle worker. One at work may be in the middle of it. */
export const operationsCheck: Check = {
  name: 'git operations',
  run: (context) =>
    withWorkers(context, async (workers) => {
      const git = guardedGit(context);
      const idle = workers.filter((worker) => isIdle(worker) && linkState(context.root, worker.worktree_path).kind === 'whole');
      const asked = idle.map(async ({ name, worktree_path: at }) => ({ name, unfinished: await unfinishedOperation(git, at) }));
      const left = (await Promise.all(asked)).flatMap(({ name, unfinished }) =>
        unfinished === undefined ? [] : [{ name, operation: unfinished.operation }],
      );
      const [first] = left;
      if (first === undefined) return ok('none left unfinished');
      const repairs = left.map(({ name, operation }): Repair => {
        const does = `save the work of ${name} as a rescue, then end the ${operation} and reset it to main`;
        return { title: `${operation} of ${name}`, does, safe: false, step: { kind: 'reset', worker: name } };
      });
      const message = left.map(({ name, operation }) => `${name} is idle, yet in the middle of a ${operation}`).join('; ');
      return repairable(warning(message, `llmc reset ${first.name} saves the work as a rescue and ends it.`), ...repairs);
    }),
};

const isIdle = ({ status, status_before_offline: before }: Worker): boolean =>
  (status === 'offline' ? (before ?? 'idle') : status) === 'idle';
