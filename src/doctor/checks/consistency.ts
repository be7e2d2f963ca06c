import { findInconsistencies } from '../../recovery/records/decide-consistency.ts';
import { makeLayout } from '../../store/layout.ts';
import { type Check, ok, repairable, warning } from '../check.ts';

/** Whether the records of the workers contradict themselves. A record of the wrong shape is the finding of the state check. */
export const consistencyCheck: Check = {
  name: 'consistency',
  async run({ root, readState, resolving, knownRuns, isSupervised, clock }) {
    const read = readState();
    if (read.kind !== 'ok') return warning('not checked: there is no usable state file');
    const supervised = await isSupervised();
    const found = findInconsistencies({
      workers: Object.values(read.state.workers),
      lastReviewed: read.state.last_reviewed_worker,
      nowUnix: Math.floor(clock.now() / 1_000),
      worktree: makeLayout(root).worktree,
      supervised,
      // A supervisor changes the file and the database one after the other.
      resolving: supervised ? undefined : resolving(),
      runs: supervised ? undefined : knownRuns(),
    });
    if (found.length === 0) return ok('the records of the workers fit together');
    const message = found.map(({ worker, text }) => (worker === null ? text : `${worker} ${text}`)).join('; ');
    const finding = { ...warning(message, 'llmc doctor --repair, or the next llmc up, corrects them.'), details: found };
    return repairable(finding, {
      title: 'records',
      does: 'correct the records of the workers that contradict themselves; what llmc cannot know is asked of you',
      safe: true,
      step: { kind: 'state' },
    });
  },
};
