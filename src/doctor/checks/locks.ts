import { formatAge } from '../../base/duration.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { staleLocks } from '../../git/worktree/stale-locks.ts';
import { type Check, ok, repairable, warning } from '../check.ts';
import { withWorkers } from '../needs.ts';

/** Whether a git that was killed left a lock, which makes every later git fail there. */
export const locksCheck: Check = {
  name: 'git locks',
  run: (context) =>
    withWorkers(context, async (workers) => {
      const { root, clock } = context;
      const names = workers.map(({ name }) => name);
      const found = staleLocks(root, names, clock.now());
      const [first] = found;
      if (first === undefined) return ok('none left behind');
      const message = `locks of git without a git: ${found.map(({ path, ageMs }) => `${path} (${formatAge(ageMs)} old)`).join(', ')}`;
      const hint = `If no git is running there, llmc doctor --repair --yes removes them; or type: ${commandLine('rm', '--', first.path)}`;
      const does = `remove ${found.length === 1 ? 'a lock' : `${found.length} locks`} of git older than ten minutes`;
      return repairable(warning(message, hint), { title: 'git locks', does, safe: false, step: { kind: 'git_locks' } });
    }),
};
