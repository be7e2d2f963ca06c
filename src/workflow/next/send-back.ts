import type { ReviewStage } from '../definition/plan.ts';
import { isOver } from '../model/run.ts';
import { ifInconsistent, listSiblings } from '../model/stage-at.ts';
import { newPiece } from './attempt.ts';
import { remarksPrompt } from './compose-prompt.ts';
import { sendFollowUp } from './follow-up.ts';
import { canWork } from './role.ts';
import { hasItsWorker, isSeatFree } from './seat.ts';
import type { Turn } from './turn.ts';

/** A person gives the work one more round: the remarks go to its author, with what the person adds, and the review looks again. */
export function anotherRound(turn: Turn, { id, of, maxRounds }: ReviewStage, added: string | null): void {
  const { round, moreRounds = 0, result } = turn.step(id);
  const issues = [...(result?.verdict?.issues ?? []), ...(added === null ? [] : [added])];
  // One that was asked about before its last round has rounds left.
  const more = Math.max(moreRounds, round + 1 - maxRounds);
  turn.note(id, `another round: the remarks go back to ${of}`);
  turn.changeStep(id, { state: { kind: 'waiting' }, round: round + 1, moreRounds: more });
  sendBack(turn, of, remarksPrompt(issues, round, maxRounds + more));
}

/** Whether the verdict of a review is about the work: the author can do something about it. */
export function hasRemarks(turn: Turn, stage: ReviewStage): boolean {
  switch (turn.step(stage.id).result?.verdict?.verdict) {
    case 'changes':
      return true;
    case 'inconsistent':
      return ifInconsistent(turn.run, stage) === undefined;
    case 'cannot_judge':
      return stage.onFailure.cannot_judge === undefined;
    default:
      return false;
  }
}

/** Whether the remarks of a review can go to the author of the work: it is there, and so is an agent of its role. */
export function canSendBack(turn: Turn, { of }: ReviewStage): boolean {
  const work = turn.stage(of);
  return work.kind === 'work' && turn.step(of).state.kind === 'done' && canWork(turn, work.role, of);
}

/** The stage that made the work gets another turn, in the same conversation if its worker still has it. */
export function sendBack(turn: Turn, address: string, feedback: string): void {
  const stage = turn.stage(address);
  if (stage.kind !== 'work') throw new Error(`${address} makes no work`);
  const step = turn.step(address);
  // Another review was faster. This one waits for the new work and judges that.
  if (!isOver(step)) return;
  for (const other of earlierReviews(turn, address)) {
    const again = isSeatFree(turn, other) ? {} : { seat: null, tried: [] };
    turn.changeStep(other, { state: { kind: 'waiting' }, endedMs: null, ...again });
  }
  turn.changeStep(address, { round: step.round + 1, feedback, failures: {}, endedMs: null });
  if (hasItsWorker(turn, address)) return sendFollowUp(turn, stage, feedback);
  turn.note(address, 'its worker has had another task since: another one goes on from its result');
  turn.changeStep(address, { seat: null });
  newPiece(turn, stage, 'fresh');
}

/** Reviews that approved the work as it was: they look at the new work again, without using up a round. */
function earlierReviews(turn: Turn, of: string): readonly string[] {
  return listSiblings(turn.run, of).flatMap((stage) =>
    stage.kind === 'review' && stage.of === of && turn.step(stage.id).state.kind === 'done' ? [stage.id] : [],
  );
}
