import { isOfItem } from '../model/address.ts';
import { isOver } from '../model/run.ts';
import { countSuccess } from './breaker/breaker.ts';
import { closeQuestions } from './escalation.ts';
import { describeLoss } from './loss.ts';
import { nameSeat, needsItsWorker } from './seat.ts';
import type { Turn } from './turn.ts';

/**
 * A checkpoint holds all items. One for each end of a stage of one of hundreds would cost more with every item, and nothing is lost
 * without it: a recovery keeps what was done after its checkpoint.
 */
const ITEM_CHECKPOINT_MS = 1_000;

/** `partial`: the run goes on with less than was asked, which does not count as a success for a circuit breaker. */
export function finishStep(turn: Turn, address: string, end: 'whole' | 'partial' = 'whole'): void {
  closeQuestions(turn, address, 'ended');
  if (end === 'whole') countSuccess(turn, turn.stage(address));
  const recovered = turn.step(address).unsettled === true;
  turn.settle(address, 'recovered');
  turn.changeStep(address, { state: { kind: 'done' }, endedMs: turn.at });
  if (end === 'partial') turn.lose(describeLoss(turn, address));
  // Work that was accepted as it was, and that a review sent back since. A list lacks what its items say.
  else if (turn.stage(address).kind !== 'for_each') turn.regain([address]);
  if (!isOfItem(address) || turn.at - turn.run.checkpointMs >= ITEM_CHECKPOINT_MS)
    turn.record({ kind: 'checkpoint', type: recovered ? 'error_recovery' : 'stage_complete', note: address });
  turn.note(address, 'done');
  restWorkers(turn, address);
}

/** The worker of a stage rests as soon as no later stage can send it back. */
export function restWorkers(turn: Turn, address: string): void {
  const stage = turn.stage(address);
  const producers = stage.kind === 'review' || stage.kind === 'land' ? [address, stage.of] : [address];
  for (const producer of producers) {
    const step = turn.step(producer);
    if (step.seat !== null && isOver(step) && !needsItsWorker(turn, step))
      turn.perform(producer, { kind: 'rest', seat: nameSeat(turn, producer) });
  }
}
