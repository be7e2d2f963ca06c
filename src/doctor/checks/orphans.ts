import { commandLine } from '../../base/shell-quote.ts';
import { workerBranch } from '../../git/refs.ts';
import { read } from '../../git/run.ts';
import type { Repair } from '../../recovery/records/repair-step.ts';
import { type Check, ok, repairable, warning } from '../check.ts';
import { guardedGit } from '../guarded-git.ts';
import { withWorkers } from '../needs.ts';

export const orphansCheck: Check = {
  name: 'orphaned branches',
  run: (context) =>
    withWorkers(context, async (workers) => {
      const { root } = context;
      const refs = await guardedGit(context).ok(
        read(root, 'for-each-ref', '--format=%(objectname) %(refname:lstrip=2)', 'refs/heads/llmc'),
      );
      const known = new Set(workers.map(({ name }) => workerBranch(name)));
      // What `llmc rescue restore` makes for a person is called llmc-rescued/… and does not lie here.
      const orphans = refs
        .split('\n')
        .map((line) => ({ tip: line.slice(0, line.indexOf(' ')), branch: line.slice(line.indexOf(' ') + 1) }))
        .filter(({ branch }) => branch !== '' && !known.has(branch));
      const first = orphans[0]?.branch;
      if (first === undefined) return ok('none');
      const name = first.slice('llmc/'.length);
      const remove = `delete it: ${commandLine('git', '-C', root, 'branch', '-D', first)}`;
      // No worker can have a name with a slash, and the branch prevents git from creating llmc/<its first part>.
      const hint = name.includes('/') ? `Rename it, or ${remove}` : `Take one over with ${commandLine('llmc', 'add', name)}, or ${remove}`;
      const repairs = orphans.map(({ branch, tip }): Repair => {
        const does = `save the commits of ${branch} that main does not have as a rescue, then delete the branch (now at ${tip.slice(0, 12)})`;
        return { title: `branch ${branch}`, does, safe: false, step: { kind: 'branch', branch, tip } };
      });
      return repairable(warning(`branches without a worker: ${orphans.map(({ branch }) => branch).join(', ')}`, hint), ...repairs);
    }),
};
