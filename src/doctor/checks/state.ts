import type { Instant } from '../../base/ports.ts';
import type { Repair } from '../../recovery/records/repair-step.ts';
import type { StateSource } from '../../store/state-record.ts';
import { type Check, failed, ok, repairable, warning } from '../check.ts';
import { copyAge } from '../copy-text.ts';
import { editing } from '../editing.ts';

export const stateCheck: Check = {
  name: 'state',
  async run({ root, readState, stateSource, exists, clock }) {
    const read = readState();
    if (read.kind === 'ok') {
      const count = Object.keys(read.state.workers).length;
      return ok(`state.json is valid: ${count} worker${count === 1 ? '' : 's'}, revision ${read.state.revision}`);
    }
    const { kind } = read;
    if (kind === 'missing' && !(await exists(`${root}/config.toml`)) && !(await exists(`${root}/llmc.db`)))
      return warning('no root here yet, so no state', 'llmc init --source path/to/repository');
    const path = `${root}/state.json`;
    const message = kind === 'missing' ? `${path} is missing` : `${path} is damaged: ${read.problem}`;
    const source = stateSource();
    const edit = kind === 'missing' ? [] : [editing(path)];
    if (source === undefined)
      return repairable(
        failed(message, 'llmc doctor --rebuild makes it again from the branches, worktrees and conversations of the workers.'),
        ...edit,
      );
    const from = source.at === undefined ? source.name : `${source.name} ${copyAge(source.at, clock.now())}`;
    return repairable(
      failed(message, `The state can be restored from ${from}: llmc doctor --repair`),
      fromCopy(source, from, clock.now()),
      ...edit,
    );
  },
};

function fromCopy({ path, at, workers }: StateSource, from: string, now: Instant): Repair {
  const does = `keep a damaged state.json under another name, and restore the state from ${from}`;
  const repair = { title: 'state', safe: true, step: { kind: 'state' } } as const;
  // The record in llmc.db has every change.
  if (at === undefined) return { ...repair, does };
  const loses = `every change of the state since then; it has ${workers.length === 0 ? 'no worker' : workers.join(', ')}`;
  return { ...repair, does: `${does}. Lost: ${loses}`, copy: { path, at: Math.min(at, now), loses } };
}
