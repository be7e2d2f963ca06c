import { formatAge } from '../../../base/duration.ts';
import { type Check, ok, warning } from '../../check.ts';

/** What two clocks, or one that was corrected, may differ by. */
const TOLERATED_MS = 120_000;

/** Whether the clock went back since llmc last wrote: waits would last longer by as much. */
export const clockCheck: Check = {
  name: 'clock',
  async run({ clock, lastHeartbeat, readState }) {
    const read = readState();
    const patrol = read.kind === 'ok' ? (read.state.patrol_last_run_unix ?? 0) * 1_000 : 0;
    const ahead = Math.max(lastHeartbeat()?.at ?? 0, patrol) - clock.now();
    if (ahead <= TOLERATED_MS) return ok('not behind what llmc recorded');
    return warning(`the clock is ${formatAge(ahead)} behind what llmc recorded`, 'Compare it with another clock: date -u');
  },
};
