import type { Redo, Step } from '../../model/run.ts';
import { closeEscalation, openQuestion } from '../escalation.ts';
import { halt } from '../release/halt.ts';
import type { Turn } from '../turn.ts';

/** The agent goes on in its conversation and in its worktree. */
export const GO_ON: Redo = { kind: 'attempt', conversation: 'resume' };

/**
 * Stops a step where it is. It does this again when the run resumes; the stop charges no try. A question about its breaker is about other
 * steps too: the step waits for the answer.
 */
export function hold(turn: Turn, { address, seat, tries }: Step, then: Redo): void {
  closeForPause(turn, address);
  if (seat !== null) halt(turn, address);
  const asked = openQuestion(turn.run, address, 'circuit_breaker');
  turn.changeStep(address, {
    state: asked === undefined ? { kind: 'cooling', until: turn.at, redo: then } : { kind: 'asking', escalation: asked.number },
    tries: then.kind === 'attempt' ? Math.max(0, tries - 1) : tries,
  });
}

/** The questions about a step that a pause answers: whether it may take longer, and what its agent asked. */
export function closeForPause(turn: Turn, address: string): void {
  for (const { number, step, type, answer } of turn.run.escalations)
    if (step === address && answer === null && type !== 'circuit_breaker') closeEscalation(turn, number, 'paused', null);
}
