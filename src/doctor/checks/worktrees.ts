import { readStatus } from '../../git/inspect.ts';
import { type Git, openGit } from '../../git/run.ts';
import { isWorktreePresent } from '../../git/worktree/worktree.ts';
import { wallsOf } from '../../sandbox/walls.ts';
import { layoutOf } from '../../store/layout.ts';
import type { Worker } from '../../store/state.ts';
import { exists } from '../../system/files/files.ts';
import { treeFiles } from '../../system/files/tree-files.ts';
import { type Check, failed, ok, warning } from '../check.ts';
import { withWorkers } from '../needs.ts';

type Trouble = { readonly kind: 'missing' | 'astray' | 'dirty'; readonly text: string };

export const worktreesCheck: Check = {
  name: 'worktrees',
  run: (context) =>
    withWorkers(context, async (workers) => {
      const git = openGit(context.processes, treeFiles, wallsOf(layoutOf(context.root), exists));
      const found = await Promise.all(workers.map(async (worker) => ({ worker, trouble: await troubleOf(git, worker) })));
      const troubled = found.flatMap(({ worker, trouble }) => (trouble === undefined ? [] : [{ name: worker.name, ...trouble }]));
      const [first] = troubled;
      if (first === undefined) return ok(workers.length === 0 ? 'no workers yet' : `all ${workers.length} in place`);
      const message = troubled.map(({ name, text }) => `${name} ${text}`).join('; ');
      const missing = troubled.find(({ kind }) => kind === 'missing');
      if (missing !== undefined) return failed(message, 'A running supervisor creates it again on its branch; otherwise: llmc up --detach');
      return warning(message, `Check the worktree first; llmc reset ${first.name} saves the work as a rescue.`);
    }),
};

async function troubleOf(git: Git, worker: Worker): Promise<Trouble | undefined> {
  if (!(await isWorktreePresent(git, worker.worktree_path))) return { kind: 'missing', text: 'has no worktree' };
  const { branch, changes } = await readStatus(git, worker.worktree_path);
  // A worker that is not idle may have any branch checked out, with changes.
  if (worker.status !== 'idle') return undefined;
  if (branch !== worker.branch) return { kind: 'astray', text: `is idle, yet ${branch ?? 'a detached commit'} is checked out` };
  if (changes.length === 0) return undefined;
  const shown = changes.slice(0, 3).map(({ path }) => path);
  return { kind: 'dirty', text: `is idle, yet has changes (${shown.join(', ')}${changes.length > 3 ? ', …' : ''})` };
}
