import { makeLayout } from '../../store/layout.ts';
import { Terminal } from '../../terminal/terminal.ts';
import { type Check, ok, repairable, warning } from '../check.ts';

/** Whether a supervisor or a tmux server that was killed left its socket. */
export const socketsCheck: Check = {
  name: 'sockets',
  async run({ root, exists, isSupervised, tmuxSocket, processes }) {
    const { apiSocket } = makeLayout(root);
    // A running supervisor uses the one, and starts tmux again on the other.
    if (await isSupervised()) return ok('none left behind');
    const left = [
      ...((await exists(apiSocket)) ? [{ path: apiSocket, whose: 'its supervisor' }] : []),
      ...((await exists(tmuxSocket)) && (await new Terminal(tmuxSocket, processes).isGone()) ? [{ path: tmuxSocket, whose: 'tmux' }] : []),
    ];
    if (left.length === 0) return ok('none left behind');
    const message = left.map(({ path, whose }) => `nobody answers at ${path}: ${whose} was killed`).join('; ');
    const does = `remove ${left.map(({ path }) => path).join(', ')}`;
    return repairable(warning(message, 'llmc up --detach replaces it.'), { title: 'sockets', does, safe: true, step: { kind: 'sockets' } });
  },
};
