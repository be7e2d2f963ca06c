import type { Worker } from '../../store/state.ts';
import { paneState } from '../observe/tmux-watch.ts';
import type { Watch } from '../observe/watch.ts';

const FEW = 5;

/** Whether most of the agents that should be running seem dead at once. Then tmux is more likely to be wrong than all of them. */
export function suspectMassDeath(watches: readonly Watch[], statusOf: (name: string) => Worker['status'] | undefined): boolean {
  const expected = watches.filter((watch) => !isGivenUp(watch, statusOf(watch.name)));
  const dead = expected.filter(({ tmux }) => ['gone', 'dead'].includes(paneState(tmux.pane))).length;
  return dead >= FEW && dead > expected.length / 2;
}

/** llmc does not act on the end of such an agent, so it is neither news nor a reason to doubt tmux. */
function isGivenUp({ exit }: Watch, status: Worker['status'] | undefined): boolean {
  return status === 'error' || status === 'offline' || (status === 'needs_review' && exit.counted);
}

/** Whether an agent ended together with most of the fleet, or every session is gone at once: then its end was not its own doing. */
export function diedWithOthers(
  watch: Watch,
  watches: readonly Watch[],
  statusOf: (name: string) => Worker['status'] | undefined,
  massDeath: boolean,
): boolean {
  const state = paneState(watch.tmux.pane);
  if (state !== 'gone' && state !== 'dead') return false;
  const expected = watches.filter((each) => !isGivenUp(each, statusOf(each.name)));
  const everyoneGone = expected.length > 1 && expected.every(({ tmux }) => paneState(tmux.pane) === 'gone');
  return watch.diedWithOthers || massDeath || everyoneGone;
}
