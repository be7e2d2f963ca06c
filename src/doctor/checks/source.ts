import { commandLine } from '../../base/shell-quote.ts';
import { openGit } from '../../git/run.ts';
import { readOrigin } from '../../git/source/origin.ts';
import { inspectSource } from '../../git/source/source.ts';
import { type Check, failed, ok, warning } from '../check.ts';
import { withConfig } from '../needs.ts';

export const sourceCheck: Check = {
  name: 'source',
  run: (context) =>
    withConfig(context, async ({ repo }) => {
      if (!(await context.exists(repo.source))) {
        const hint = `Restore it, or, if it moved, set source under [repo] in ${context.root}/config.toml`;
        return failed(`the source ${repo.source} does not exist`, hint);
      }
      const git = openGit(context.processes);
      const { path, branch, bare } = await inspectSource(git, repo.source, repo.branch);
      const origin = await readOrigin(git, context.root);
      // The next use of the source fixes this; until then an agent's own fetch uses the old source.
      if (origin !== repo.source) {
        const hint = `llmc up, start or accept sets it; by hand: ${commandLine('git', '-C', context.root, 'config', 'remote.origin.url', repo.source)}`;
        return warning(`the source is ${path}, but the root's remote still points at ${origin || 'nothing'}`, hint);
      }
      return ok(`${path}, branch ${branch}${bare ? ', bare' : ''}`);
    }),
};
