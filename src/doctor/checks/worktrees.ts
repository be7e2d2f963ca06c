import { readStatus } from '../../git/inspect.ts';
import type { Git } from '../../git/run.ts';
import { linkState } from '../../git/worktree/link.ts';
import type { Worker } from '../../store/state.ts';
import { type Check, failed, ok, warning } from '../check.ts';
import { guardedGit } from '../guarded-git.ts';
import { withWorkers } from '../needs.ts';

type Trouble = { readonly kind: 'missing' | 'astray' | 'dirty'; readonly text: string };

export const worktreesCheck: Check = {
  name: 'worktrees',
  run: (context) =>
    withWorkers(context, async (workers) => {
      const git = guardedGit(context);
      const found = await Promise.all(workers.map(async (worker) => ({ worker, trouble: await troubleOf(git, context.root, worker) })));
      const troubled = found.flatMap(({ worker, trouble }) => (trouble === undefined ? [] : [{ name: worker.name, ...trouble }]));
      const [first] = troubled;
      if (first === undefined) return ok(workers.length === 0 ? 'no workers yet' : `all ${workers.length} in place`);
      const message = troubled.map(({ name, text }) => `${name} ${text}`).join('; ');
      const missing = troubled.find(({ kind }) => kind === 'missing');
      if (missing !== undefined) return failed(message, 'A running supervisor repairs it within a minute; otherwise: llmc up --detach');
      return warning(message, `Check the worktree first; llmc reset ${first.name} saves the work as a rescue.`);
    }),
};

async function troubleOf(git: Git, root: string, worker: Worker): Promise<Trouble | undefined> {
  const link = linkState(root, worker.worktree_path);
  if (link.kind === 'cut')
    return { kind: 'missing', text: `is not connected with its repository as llmc wrote it (${link.files.join(', ')})` };
  if (link.kind !== 'whole') return { kind: 'missing', text: 'has no worktree' };
  const { branch, changes } = await readStatus(git, worker.worktree_path);
  // A worker that is not idle may have any branch checked out, with changes.
  if (worker.status !== 'idle') return undefined;
  if (branch !== worker.branch) return { kind: 'astray', text: `is idle, yet ${branch ?? 'a detached commit'} is checked out` };
  if (changes.length === 0) return undefined;
  const shown = changes.slice(0, 3).map(({ path }) => path);
  return { kind: 'dirty', text: `is idle, yet has changes (${shown.join(', ')}${changes.length > 3 ? ', …' : ''})` };
}
