import type { Repair } from '../../recovery/records/repair-step.ts';
import { type Check, type Finding, failed, ok, repairable, warning } from '../check.ts';
import { guardedGit } from '../guarded-git.ts';

const PUT_BACK: Repair = {
  title: 'root settings',
  does: "put back the settings that llmc wrote into the root's clone, and remove what it did not write",
  safe: true,
  step: { kind: 'connections' },
};

/** Checks that the root's repository has the settings that llmc wrote and no others that matter, above all that no worktree can push. */
export const rootSettingsCheck: Check = {
  name: 'root settings',
  async run(context) {
    const { root, exists } = context;
    if (!(await exists(`${root}/.git`))) return warning('not checked: the root has no repository');
    const { guard } = guardedGit(context);
    const verdict = await guard?.inspect();
    if (guard === undefined || verdict === undefined) return warning('not checked: the root has no repository');
    const { foreign, lost } = verdict;
    if (foreign.length === 0 && lost.length === 0) return checkFiles(guard.foreignFiles().map(({ path }) => path));
    const changed = [
      ...(lost.length === 0 ? [] : [`changed: ${lost.join(', ')}`]),
      ...(foreign.length === 0 ? [] : [`not from llmc: ${foreign.join(', ')}`]),
    ];
    const message = `settings in ${root}/.git/config are ${changed.join('; ')}. llmc does not use them, an agent's git does`;
    const hint =
      'A running supervisor puts them back; otherwise: llmc doctor --repair. Set what you need in the source, or with git config --global.';
    const found = lost.includes('remote.origin.pushurl') ? failed(`${message}; a worker could push`, hint) : warning(message, hint);
    return repairable(found, PUT_BACK);
  },
};

function checkFiles(foreign: readonly string[]): Finding {
  if (foreign.length === 0) return ok('rerere is on, pushing is disabled');
  const hint = 'A running supervisor removes them within a minute; otherwise: llmc doctor --repair';
  return repairable(warning(`files not from llmc: ${foreign.join(', ')}. llmc does not use them, an agent's git does`, hint), PUT_BACK);
}
