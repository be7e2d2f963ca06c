import { commandLine } from '../../base/shell-quote.ts';
import { openGit } from '../../git/run.ts';
import { listConfigCall, ROOT_SETTINGS } from '../../git/source/clone.ts';
import { parseConfig } from '../../git/source/local-config.ts';
import { type Check, failed, ok, warning } from '../check.ts';

/** Checks that the root's repository has the settings of `llmc init`, above all that no worktree can push. */
export const rootSettingsCheck: Check = {
  name: 'root settings',
  async run({ root, processes, exists }) {
    if (!(await exists(`${root}/.git`))) return warning('not checked: the root has no repository');
    const settings = parseConfig(await openGit(processes).ok(listConfigCall(root)));
    const astray = ROOT_SETTINGS.filter(({ key, value }) => {
      // git prints names of settings in lower case; the last of several lines counts.
      const found = settings.findLast((setting) => setting.key.toLowerCase() === key.toLowerCase());
      return found?.value !== value;
    });
    const [first] = astray;
    if (first === undefined) return ok('rerere is on, pushing is disabled');
    const message = `changed in the root's repository: ${astray.map(({ key }) => key).join(', ')}`;
    const hint = astray.map(({ key, value }) => commandLine('git', '-C', root, 'config', '--replace-all', key, value)).join(' && ');
    return astray.some(({ key }) => key === 'remote.origin.pushurl')
      ? failed(`${message}; a worker could push`, hint)
      : warning(message, hint);
  },
};
