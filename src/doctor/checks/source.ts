import { openGit } from '../../git/run.ts';
import { inspectSource } from '../../git/source.ts';
import { type Check, failed, ok } from '../check.ts';
import { withConfig } from '../needs.ts';

export const sourceCheck: Check = {
  name: 'source',
  run: (context) =>
    withConfig(context, async ({ repo }) => {
      if (!(await context.exists(repo.source))) {
        return failed(`the source ${repo.source} does not exist`, 'Put it back, or set source under [repo] in config.toml.');
      }
      const { path, branch, bare } = await inspectSource(openGit(context.processes), repo.source, repo.branch);
      return ok(`${path}, branch ${branch}${bare ? ', bare' : ''}`);
    }),
};
