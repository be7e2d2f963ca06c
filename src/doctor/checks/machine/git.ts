import { openGit } from '../../../git/run.ts';
import { requireGit } from '../../../git/version.ts';
import { type Check, ok } from '../../check.ts';

export const gitCheck: Check = {
  name: 'git',
  async run({ processes }) {
    return ok(`git ${(await requireGit(openGit(processes))).text}`);
  },
};
