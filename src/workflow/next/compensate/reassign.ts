import type { ReviewStage } from '../../definition/plan.ts';
import { fallbackFor } from '../breaker/provider.ts';
import { roleAt } from '../seat.ts';
import type { Turn } from '../turn.ts';
import { approvedAfter, rollBack, rollBackOrAsk } from './roll-back.ts';

/** Whether another agent can make the work that a review does not accept. */
export function canReassign(turn: Turn, { of }: Pick<ReviewStage, 'of'>): boolean {
  const role = roleAt(turn.stage(of));
  return role !== undefined && fallbackFor(turn, role, of) !== undefined;
}

/** The work that a review does not accept is archived, and the fallback of its role makes it again. False: there is no other agent. */
export function reassign(turn: Turn, { id, of }: ReviewStage, reason: string): boolean {
  const role = roleAt(turn.stage(of));
  const fallback = role === undefined ? undefined : fallbackFor(turn, role, of);
  if (role === undefined || fallback === undefined) return false;
  // The agent that makes it again, also if a person decides first.
  turn.changeAgent(role, of, { agent: 'fallback', unavailable: false });
  if (approvedAfter(turn, of).length > 0) {
    rollBackOrAsk(turn, id, of, reason);
    return true;
  }
  rollBack(turn, of, { reason, from: id, action: 'reassign' });
  turn.note(of, `${fallback} makes it again`);
  return true;
}
