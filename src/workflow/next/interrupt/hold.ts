import type { Redo, Step } from '../../model/run.ts';
import { closeQuestions } from '../escalation.ts';
import { halt } from '../release/halt.ts';
import type { Turn } from '../turn.ts';

/** The agent goes on in its conversation and in its worktree. */
export const GO_ON: Redo = { kind: 'attempt', conversation: 'resume' };

/** Stops a step where it is. It does this again when the run resumes; the stop charges no try. */
export function hold(turn: Turn, { address, seat, tries }: Step, then: Redo): void {
  closeQuestions(turn, address, 'paused');
  if (seat !== null) halt(turn, address);
  turn.changeStep(address, {
    state: { kind: 'cooling', until: turn.at, redo: then },
    tries: then.kind === 'attempt' ? Math.max(0, tries - 1) : tries,
  });
}
