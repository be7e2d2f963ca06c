import { openGit, read } from '../../git/run.ts';
import { type Check, failed, ok, warning } from '../check.ts';

/** Without a name and an address every `git commit` of an agent fails. */
export const identityCheck: Check = {
  name: 'identity',
  async run({ root, home, processes, exists }) {
    if (home === undefined || home === '')
      return failed('HOME is not set: neither git nor an agent finds its settings', 'export HOME=<your home directory>');
    const at = (await exists(`${root}/.git`)) ? root : '/';
    const answer = await openGit(processes).run(read(at, 'var', 'GIT_COMMITTER_IDENT'));
    const identity = /^(.+ <.+>) \d+ [+-]\d{4}$/.exec(answer.stdout.trim())?.[1];
    if (answer.status === 0 && identity !== undefined) return ok(`commits are made by ${identity}`);
    return warning('git knows no name to commit with', 'git config --global user.name "…" && git config --global user.email "…"');
  },
};
