import type { Repair } from '../../recovery/records/repair-step.ts';
import { type Check, type Finding, failed, ok, repairable, warning } from '../check.ts';
import { guardedGit } from '../guarded-git.ts';

const PUT_BACK: Repair = {
  title: 'root settings',
  does: 'put back the settings that llmc wrote into its repositories, and remove what it did not write',
  safe: true,
  step: { kind: 'connections' },
};

/** Checks that the repositories have the settings that llmc wrote and no others that matter, above all that no worktree can push. */
export const rootSettingsCheck: Check = {
  name: 'root settings',
  async run(context) {
    const { root, exists } = context;
    if (!(await exists(`${root}/.git`))) return warning('not checked: the root has no repository');
    const { guard } = guardedGit(context);
    const verdicts = (await guard?.inspect()) ?? [];
    if (guard === undefined || verdicts.length === 0) return warning('not checked: the root has no repository');
    const wrong = verdicts.filter(({ foreign, lost }) => foreign.length > 0 || lost.length > 0);
    if (wrong.length === 0) return checkFiles(guard.foreignFiles().map(({ path }) => path));
    const changed = wrong.map(({ path, foreign, lost }) => {
      const parts = [
        ...(lost.length === 0 ? [] : [`changed: ${lost.join(', ')}`]),
        ...(foreign.length === 0 ? [] : [`not from llmc: ${foreign.join(', ')}`]),
      ];
      return `settings in ${path} are ${parts.join('; ')}`;
    });
    const message = `${changed.join('. ')}. llmc does not use them, an agent's git does`;
    const hint =
      'A running supervisor puts them back; otherwise: llmc doctor --repair. Set what you need in the source, or with git config --global.';
    const found = wrong.some(({ lost }) => lost.includes('remote.origin.pushurl'))
      ? failed(`${message}; a worker could push`, hint)
      : warning(message, hint);
    return repairable(found, PUT_BACK);
  },
};

function checkFiles(foreign: readonly string[]): Finding {
  if (foreign.length === 0) return ok('rerere is on, pushing is disabled');
  const hint = 'A running supervisor removes them within a minute; otherwise: llmc doctor --repair';
  return repairable(warning(`files not from llmc: ${foreign.join(', ')}. llmc does not use them, an agent's git does`, hint), PUT_BACK);
}
