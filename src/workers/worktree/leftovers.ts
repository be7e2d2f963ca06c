import { join } from 'node:path';
import type { Signals } from '../../base/ports.ts';
import type { Layout } from '../../store/layout.ts';
import { LINE_MARK } from '../../system/processes/strays.ts';

/** What marks everything that a command of the user starts, in whatever process group: the root and an id of its own. */
export const lineMark = ({ run }: Pick<Layout, 'run'>, id: string): string => join(run, id);

/**
 * Ends what a command of the user has left running: it runs what agents wrote, and a process without parents could later be taken for
 * one of the user's. Found by its environment, or by the session that the command led. What is started meanwhile is found by the next round.
 */
export function endLeftovers({ signals }: { readonly signals: Signals }, mark: string, leader: number | undefined): void {
  for (let round = 0; round < 5 && signals.killStrays([`${LINE_MARK}=${mark}`], leader) > 0; round += 1);
}
