import { localRef } from '../../../git/refs.ts';
import { openGit } from '../../../git/run.ts';
import { usesLfs } from '../../../git/source/lfs.ts';
import { inspectSource } from '../../../git/source/source.ts';
import { type Check, failed, ok, warning } from '../../check.ts';
import { readVersion, withConfig } from '../../needs.ts';

export const lfsCheck: Check = {
  name: 'git-lfs',
  run: (context) =>
    withConfig(context, async ({ repo }) => {
      const git = openGit(context.processes);
      const source = await inspectSource(git, repo.source, repo.branch).catch(() => undefined);
      if (source === undefined) return warning('not checked: the source cannot be read');
      const { path, branch } = source;
      const version = await readVersion(context, ['git', 'lfs', 'version']);
      if (version.kind === 'version') return ok(version.text);
      if (!(await usesLfs(git, path, localRef(branch)))) return ok('not needed by this repository');
      return failed('this repository keeps files in git-lfs, which is not installed', 'Install git-lfs, then: git lfs install');
    }),
};
