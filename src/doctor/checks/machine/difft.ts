import { type Check, ok } from '../../check.ts';
import { readVersion } from '../../needs.ts';

/** difftastic is optional, so its absence is not a warning. */
export const difftCheck: Check = {
  name: 'difftastic',
  async run(context) {
    const version = await readVersion(context, ['difft', '--version']);
    return ok(version.kind === 'version' ? version.text : 'not installed; llmc review shows plain diffs');
  },
};
