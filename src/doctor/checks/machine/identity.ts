import { read } from '../../../git/run.ts';
import { OWN_IDENTITY, setIdentityCommands } from '../../../git/source/identity.ts';
import { type Check, failed, ok, warning } from '../../check.ts';
import { guardedGit } from '../../guarded-git.ts';

/** Without a name and an address every `git commit` of an agent fails. */
export const identityCheck: Check = {
  name: 'identity',
  async run(context) {
    const { root, home, exists } = context;
    if (home === undefined || home === '')
      return failed('HOME is not set: neither git nor an agent finds its settings', 'export HOME=<your home directory>');
    const hasRoot = await exists(`${root}/.git`);
    const at = hasRoot ? root : '/';
    const answer = await guardedGit(context).run(read(at, 'var', 'GIT_COMMITTER_IDENT'));
    const identity = /^(.+ <.+>) \d+ [+-]\d{4}$/.exec(answer.stdout.trim())?.[1];
    if (identity === OWN_IDENTITY)
      return warning(`workers commit as ${OWN_IDENTITY}: git had no name and address of yours at llmc init`, setIdentityCommands(root));
    if (answer.status === 0 && identity !== undefined) return ok(`commits are made by ${identity}`);
    const everywhere = 'git config --global user.name "Your Name" && git config --global user.email you@example.com';
    return warning('git knows no name to commit with', hasRoot ? setIdentityCommands(root) : everywhere);
  },
};
