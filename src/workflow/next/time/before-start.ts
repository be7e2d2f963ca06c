import type { Step } from '../../model/run.ts';
import { addEscalation, closeEscalation, openQuestion } from '../escalation.ts';
import { roleAt } from '../seat.ts';
import type { Turn } from '../turn.ts';
import { parked } from './run-clock.ts';

/** The worker has the task: its agent must take it within the time for a start. */
export function given(turn: Turn, { address, state }: Step): void {
  const waited = openQuestion(turn.run, address, 'resource');
  if (waited !== undefined) closeEscalation(turn, waited.number, 'answered', null);
  if (state.kind !== 'acting') return;
  const startBy = { at: turn.at + turn.policy.startTimeoutMs, leftMs: null };
  // A question of the agent may have come first.
  const asks = openQuestion(turn.run, address, 'blocked') !== undefined;
  turn.changeStep(address, { state: { ...state, startBy: asks ? parked(startBy, turn.at) : startBy } });
}

/** Every place for an agent is taken, and has been for long. The action stays in the queue, whatever the answer, unless the run ends. */
export function queued(turn: Turn, { address, state }: Step): void {
  if (state.kind !== 'acting' || openQuestion(turn.run, address, 'resource') !== undefined) return;
  const last = turn.run.escalations.findLast(({ type, step }) => type === 'resource' && step === address);
  // A person who chose to wait is asked again after the same time.
  if (last?.answer != null && turn.at - last.answer.at < turn.policy.queueTimeoutMs) return;
  const role = roleAt(turn.stage(address)) ?? address;
  const text = `No place for the agent of ${role}: agents of runs have all of them ([workflow] max_agents).`;
  addEscalation(turn, { type: 'resource', step: address, text });
}
