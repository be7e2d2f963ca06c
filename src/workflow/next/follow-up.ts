import type { ReviewStage, WorkStage } from '../definition/plan.ts';
import { LETTERS } from './compose-prompt.ts';
import { nameSeat, requireRole } from './seat.ts';
import type { Turn } from './turn.ts';

/** Tells the agent of a stage more about its task. It also gets the messages that came while it had nothing to do. */
export function sendFollowUp(turn: Turn, stage: WorkStage | ReviewStage, text: string, limitMs: number | null = null): void {
  const role = requireRole(stage);
  const { letters } = turn.role(role);
  const whole = letters.length === 0 ? text : `${text}\n\n${LETTERS}`;
  turn.act(stage.id, 'follow_up', { kind: 'follow_up', seat: nameSeat(turn, stage.id), text: whole, letters }, limitMs);
  if (letters.length > 0) turn.changeRole(role, { letters: [] });
}
