import { trackingRef } from '../../git/refs.ts';
import { read } from '../../git/run.ts';
import { type Check, type Finding, failed, ok, repairable } from '../check.ts';
import { guardedGit } from '../guarded-git.ts';
import { withConfig } from '../needs.ts';

/** Whether git can read the refs of the root, and the commits that they name. Not all objects: that takes minutes in a large repository. */
export const repositoryCheck: Check = {
  name: 'repository',
  run: (context) =>
    withConfig(context, async ({ repo }) => {
      const { root } = context;
      const git = guardedGit(context);
      const listed = await git.run(read(root, 'for-each-ref', '--format=%(objectname)^{tree}'));
      if (listed.status !== 0) return broken(root, repo.source, listed.stderr.trim().split('\n')[0] ?? '');
      const main = repo.branch === undefined ? [] : [`${trackingRef(repo.branch)}^{tree}`];
      const names = [...new Set([...main, ...listed.stdout.split('\n').filter((name) => name !== '')])];
      const found = await git.run({
        ...read(root, 'cat-file', '--batch-check', '--buffer'),
        stdin: names.map((name) => `${name}\n`).join(''),
      });
      const rows = found.stdout.split('\n');
      const missing = names.filter((_, index) => !/ tree \d+$/.test(rows[index] ?? ''));
      if (missing.length === 0) return ok('git can read its refs');
      return broken(root, repo.source, `git cannot read ${missing.slice(0, 3).join(', ')}${missing.length > 3 ? ', …' : ''}`);
    }),
};

function broken(root: string, source: string, problem: string): Finding {
  const does =
    `keep what git cannot read in ${root}/.git under another name, bring the objects of main again from ${source}, ` +
    'and put each branch back to its newest commit that git can read; the files of the worktrees stay as they are';
  return repairable(failed(`the repository of the root is damaged: ${problem}`, `llmc doctor --repair --yes. It would ${does}.`), {
    title: 'repository',
    does,
    safe: false,
    step: { kind: 'repository' },
  });
}
