import { formatSpan } from '../../../base/duration.ts';
import { systemClock } from '../../../system/clock.ts';
import type { RunView } from '../../../workflow/view/run-view.ts';
import type { Shell } from '../../shell.ts';
import { isWatched } from '../is-watched.ts';
import { readRunView } from '../read-runs.ts';

const EVERY_MS = 250;
/** A line per second would push away what a person wants to read. */
const COUNT_EVERY_S = 5;

/** Counts down until the run is paused. Returns early if it ended or no supervisor pauses it. */
export async function followPause(shell: Shell, id: string): Promise<RunView> {
  for (let said = Number.POSITIVE_INFINITY, polls = 1; ; polls += 1) {
    const view = await readRunView(shell, id);
    const until = view.pause?.until_ms ?? null;
    if (until === null) return view;
    const left = Math.ceil(Math.max(0, until - systemClock.now()) / (COUNT_EVERY_S * 1_000)) * COUNT_EVERY_S;
    if (left < said) shell.say(`Pausing: agents save what they have, ${formatSpan(left * 1_000)} left.`);
    said = Math.min(said, left);
    if (polls % 20 === 0 && !(await isWatched(shell))) return view;
    await systemClock.sleep(EVERY_MS);
  }
}
