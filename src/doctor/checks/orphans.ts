import { commandLine } from '../../base/shell-quote.ts';
import { workerBranch } from '../../git/refs.ts';
import { openGit, read } from '../../git/run.ts';
import { type Check, ok, warning } from '../check.ts';
import { withWorkers } from '../needs.ts';

export const orphansCheck: Check = {
  name: 'orphaned branches',
  run: (context) =>
    withWorkers(context, async (workers) => {
      const { root, processes } = context;
      const refs = await openGit(processes).ok(read(root, 'for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads/llmc'));
      const known = new Set(workers.map(({ name }) => workerBranch(name)));
      // Deeper names, such as llmc/rescued/…, were asked for by a person.
      const orphans = refs.split('\n').filter((branch) => /^llmc\/[^/]+$/.test(branch) && !known.has(branch));
      const [first] = orphans;
      if (first === undefined) return ok('none');
      return warning(
        `branches of no worker: ${orphans.join(', ')}`,
        `Take one over with ${commandLine('llmc', 'add', first.slice('llmc/'.length))}, or delete it: ${commandLine('git', '-C', root, 'branch', '-D', first)}`,
      );
    }),
};
