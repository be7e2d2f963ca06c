import { commandLine } from '../../base/shell-quote.ts';
import { type Check, failed, ok, repairable, warning } from '../check.ts';

/** How many paths the message and the hint name. */
const NAMED = 5;

/** Whether only this user can read and write what llmc keeps. */
export const accessCheck: Check = {
  name: 'access',
  async run({ root, ownPaths, accessTo }) {
    const paths = ownPaths();
    const foreign = paths.filter((path) => accessTo(path) === 'foreign');
    if (foreign.length > 0) {
      const [first = ''] = foreign;
      const verb = foreign.length === 1 ? 'belongs' : 'belong';
      return failed(
        `${listed(foreign)} ${verb} to another user`,
        `Make it yours, or move it away. See whose it is: ${commandLine('ls', '-ld', first)}`,
      );
    }
    const open = paths.filter((path) => accessTo(path) === 'open');
    if (open.length === 0) return ok(`only this user can read ${root}`);
    const found = warning(
      `other users may have access to ${listed(open)}`,
      `llmc doctor --repair takes it away; or type: ${commandLine('chmod', 'go-rwx', '--', ...open.slice(0, NAMED))}`,
    );
    const does = `take the access of other users away from ${open.length} path${open.length === 1 ? '' : 's'} of llmc`;
    return repairable(found, { title: 'open files', does, safe: true, step: { kind: 'access' } });
  },
};

function listed(paths: readonly string[]): string {
  const more = paths.length - NAMED;
  return `${paths.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
