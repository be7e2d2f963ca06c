import { layoutOf } from '../../store/layout.ts';
import { type Check, ok, repairable, warning } from '../check.ts';

/** Whether a supervisor that was killed left its socket. */
export const socketsCheck: Check = {
  name: 'sockets',
  async run({ root, exists, isSupervised }) {
    const { apiSocket } = layoutOf(root);
    if (!(await exists(apiSocket)) || (await isSupervised())) return ok('none left behind');
    const finding = warning(`nobody answers at ${apiSocket}: its supervisor was killed`, 'llmc up --detach replaces it.');
    return repairable(finding, { title: 'socket', does: `remove ${apiSocket}`, safe: true, step: { kind: 'sockets' } });
  },
};
