import type { Agent } from '../../agents/agent.ts';
import { typedDeliveries } from '../../store/tables/deliveries.ts';
import type { WorkContext } from '../../workers/context.ts';
import { condemnPattern } from '../observe/condemn-pattern.ts';
import type { Watch } from '../observe/watch.ts';
import { wrongAtStart } from '../observe/wrong-pattern.ts';

/** Finds out a pattern that fits no screen of an agent at its start. True if one was found, and the screen has to be classified again. */
export function distrustPattern(context: WorkContext, watch: Watch, agent: Agent): boolean {
  const { capture } = watch.screen;
  const { pane } = watch.tmux;
  if (agent.patterns === undefined || capture === undefined || typeof pane === 'string' || pane.dead) return false;
  const wasTyped = () => typedDeliveries(context.store.database, watch.name, 1)[0]?.incarnation === watch.life.incarnation;
  const { reading, since, stillSince, screen } = capture;
  const { launchedAt } = watch.life;
  const wrong = wrongAtStart(
    { reading, since, stillSince, launchedAt, wasReady: watch.life.ready === true, wasUsed: pane.attached || wasTyped() },
    context.clock.now(),
  );
  if (wrong === undefined) return false;
  condemnPattern(context, watch, agent, wrong, { lines: screen.lines });
  return true;
}
