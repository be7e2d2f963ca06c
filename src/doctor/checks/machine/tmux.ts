import { MINIMUM_TMUX, requireTmux } from '../../../terminal/version.ts';
import { type Check, ok, warning } from '../../check.ts';

export const tmuxCheck: Check = {
  name: 'tmux',
  async run({ processes }) {
    const version = await requireTmux(processes);
    if (version !== undefined) return ok(`tmux ${version.text}`);
    return warning(`tmux is there, but its version cannot be read; llmc needs ${MINIMUM_TMUX.text} or newer`, 'See: tmux -V');
  },
};
