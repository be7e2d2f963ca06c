import { pastTime } from '../../base/clock-time.ts';
import { STALL_HINT, stalledSince, stallText } from '../../recovery/decide-stall.ts';
import { type Check, failed, ok, warning } from '../check.ts';

/** What the supervisor has to be able to write before it continues. */
const WAITS_BELOW = 1024 * 1024;

/** Whether the supervisor answers and still works. One that lives and does nothing may answer, so its last pass counts too. */
export const supervisorCheck: Check = {
  name: 'supervisor',
  async run({ isSupervised, silence, lastHeartbeat, clock, root, isWritable, freeBytes }) {
    if (!(await isSupervised())) return ok('not running');
    const silent = await silence();
    if (silent !== undefined) return failed(silent.message, silent.hint);
    const last = lastHeartbeat();
    const now = clock.now();
    const stalled = stalledSince(last?.at, now);
    // It waits until it can write, and a new one would wait too.
    if (stalled !== undefined && (!isWritable(root) || (await freeBytes(root)) < WAITS_BELOW))
      return warning('it cannot record that it works, because the root cannot be written', 'llmc status');
    if (stalled !== undefined) return failed(stallText(stalled, now), STALL_HINT);
    return ok(last === undefined ? 'running' : `process ${last.pid}, at work at ${pastTime(last.at, now)}`);
  },
};
