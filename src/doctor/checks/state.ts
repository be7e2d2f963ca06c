import type { StateSource } from '../../store/state-record.ts';
import { type Check, type Finding, failed, ok, repairable, warning } from '../check.ts';

export const stateCheck: Check = {
  name: 'state',
  async run({ root, readState, stateSource, exists }) {
    const read = readState();
    if (read.kind === 'ok') {
      const count = Object.keys(read.state.workers).length;
      return ok(`state.json is valid: ${count} worker${count === 1 ? '' : 's'}, revision ${read.state.revision}`);
    }
    const { kind } = read;
    if (kind === 'missing' && !(await exists(`${root}/config.toml`)) && !(await exists(`${root}/llmc.db`)))
      return warning('no root here yet, so no state', 'llmc init --source path/to/repository');
    const message = kind === 'missing' ? `${root}/state.json is missing` : `${root}/state.json is damaged: ${read.problem}`;
    const source = stateSource();
    if (source !== undefined) return fromCopy(message, source);
    return failed(message, 'llmc doctor --rebuild makes it again from the branches, worktrees and conversations of the workers.');
  },
};

function fromCopy(message: string, copy: StateSource): Finding {
  const does = `keep a damaged state.json under another name, and restore the state from ${copy}`;
  return repairable(failed(message, `The state can be restored from ${copy}: llmc doctor --repair`), {
    ...{ title: 'state', does, safe: true, step: { kind: 'state' } },
  });
}
