import { commandLine } from '../../base/shell-quote.ts';
import { readableStatus } from '../../git/inspect.ts';
import { localRef } from '../../git/refs.ts';
import { type Git, read } from '../../git/run.ts';
import { linkState } from '../../git/worktree/link.ts';
import type { Repair } from '../../recovery/records/repair-step.ts';
import type { Worker } from '../../store/state.ts';
import { readKind } from '../../system/files/no-follow.ts';
import { type Check, failed, ok, repairable, warning } from '../check.ts';
import { guardedGit } from '../guarded-git.ts';
import { withWorkers } from '../needs.ts';

type Trouble = { readonly kind: 'link' | 'missing' | 'cut' | 'unread' | 'unborn' | 'astray' | 'dirty'; readonly text: string };

export const worktreesCheck: Check = {
  name: 'worktrees',
  run: (context) =>
    withWorkers(context, async (workers) => {
      const git = guardedGit(context);
      const found = await Promise.all(workers.map(async (worker) => ({ worker, trouble: await findTrouble(git, context.root, worker) })));
      const troubled = found.flatMap(({ worker, trouble }) => (trouble === undefined ? [] : [{ name: worker.name, ...trouble }]));
      const [first] = troubled;
      if (first === undefined) return ok(workers.length === 0 ? 'no workers yet' : `all ${workers.length} in place`);
      const message = troubled.map(({ name, text }) => `${name} ${text}`).join('; ');
      const missing = troubled.find(({ kind }) => kind === 'missing' || kind === 'cut');
      const unread = troubled.find(({ kind }) => kind === 'unread' || kind === 'unborn');
      const linked = found.find(({ trouble }) => trouble?.kind === 'link')?.worker.worktree_path;
      const repairs = troubled.flatMap(({ name, kind }) => (kind === 'link' ? [] : [toRepair(name, kind)]));
      if (linked !== undefined)
        return repairable(failed(message, `Remove the link: ${commandLine('rm', '--', linked)}; then: llmc doctor --repair`), ...repairs);
      if (missing !== undefined)
        return repairable(failed(message, 'A running supervisor repairs it within a minute; otherwise: llmc doctor --repair'), ...repairs);
      if (unread !== undefined)
        return repairable(failed(message, 'llmc doctor --repair --yes lets git read it again; the files stay as they are.'), ...repairs);
      const hint = `Check the worktree first; llmc reset ${first.name} saves the work as a rescue.`;
      return repairable(warning(message, hint), ...repairs);
    }),
};

function toRepair(worker: string, kind: Exclude<Trouble['kind'], 'link'>): Repair {
  const title = `worktree of ${worker}`;
  switch (kind) {
    case 'missing':
      return { title, does: `make the worktree of ${worker} again from its branch`, safe: true, step: { kind: 'worktree', worker } };
    case 'cut':
      return { title, does: `connect the worktree of ${worker} with its repository again`, safe: true, step: { kind: 'connections' } };
    case 'unread':
    case 'unborn': {
      const does = `let git read ${worker} again: its branch at the commit that waits for a review, or at the newest one that git can read; its files stay as they are`;
      // A commit that git cannot read may only be damaged, so a person decides to give it up.
      return { title: `git of ${worker}`, does, safe: false, step: { kind: 'worker_git', worker } };
    }
    case 'astray':
    case 'dirty':
      return { title, does: `save the work of ${worker} as a rescue, then reset it to main`, safe: false, step: { kind: 'reset', worker } };
  }
}

async function findTrouble(git: Git, root: string, worker: Worker): Promise<Trouble | undefined> {
  if (readKind(worker.worktree_path) === 'link') return { kind: 'link', text: 'has a link in the place of its worktree' };
  const link = linkState(root, worker.worktree_path);
  if (link.kind === 'cut') return { kind: 'cut', text: `is not connected with its repository as llmc wrote it (${link.files.join(', ')})` };
  if (link.kind !== 'whole') return { kind: 'missing', text: 'has no worktree' };
  const status = await readableStatus(git, worker.worktree_path);
  if (status === undefined) return { kind: 'unread', text: 'cannot be read by git: its HEAD, its branch or its index is broken' };
  const { branch, changes } = status;
  const hasBranch = (await git.run(read(worker.worktree_path, 'cat-file', '-e', `${localRef(worker.branch)}^{tree}`))).status === 0;
  if (!hasBranch) return { kind: 'unread', text: `has lost its branch ${worker.branch}, or the commit that it named` };
  // An agent that works may be about to make the first commit of a branch.
  if (status.head === undefined && worker.status !== 'working')
    return { kind: 'unborn', text: `has no commit checked out: ${branch ?? 'HEAD'} is unborn` };
  // A worker that is not idle may have any branch checked out, with changes.
  if (standing(worker) !== 'idle') return undefined;
  if (branch !== worker.branch) return { kind: 'astray', text: `is idle, yet ${branch ?? 'a detached commit'} is checked out` };
  if (changes.length === 0) return undefined;
  const shown = changes.slice(0, 3).map(({ path }) => path);
  return { kind: 'dirty', text: `is idle, yet has changes (${shown.join(', ')}${changes.length > 3 ? ', …' : ''})` };
}

/** Where the worker is in the flow of work, also while it is offline. */
function standing({ status, status_before_offline: before }: Worker): Worker['status'] {
  return status === 'offline' ? (before ?? 'idle') : status;
}
