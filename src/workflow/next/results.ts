import { formatSpan } from '../../base/duration.ts';
import type { CommandStage, LandStage, ReviewStage, WorkStage } from '../definition/plan.ts';
import { countMaxRounds, type Result, type Verdict } from '../model/run.ts';
import { ifInconsistent } from '../model/stage-at.ts';
import { closeBreaker, countFailure } from './breaker/breaker.ts';
import { canReassign } from './compensate/reassign.ts';
import { remarksPrompt } from './compose-prompt.ts';
import { fail, failOpen, listedReaction } from './failure.ts';
import { finishStep } from './finish-step.ts';
import { sendBack } from './send-back.ts';
import type { Turn } from './turn.ts';
import { requirementHolds } from './values.ts';

export function workCollected(turn: Turn, stage: WorkStage, result: Result): void {
  turn.changeStep(stage.id, { result, feedback: null });
  finishIfMet(turn, stage);
}

/** The requirement of a stage is about what it left, and about its rounds. */
function finishIfMet(turn: Turn, stage: WorkStage | ReviewStage | CommandStage): void {
  if (requirementHolds(turn.run, stage)) return finishStep(turn, stage.id);
  fail(turn, stage.id, 'unmet', { code: 'STAGE_FAILED', message: `what ${stage.id} left does not meet its requirement` });
}

/** Remarks go back to the agent that made the work, as long as a round is left. */
export function judged(turn: Turn, stage: ReviewStage, verdict: Verdict): void {
  const { id, of } = stage;
  const { round, result } = turn.step(id);
  const maxRounds = countMaxRounds(stage, turn.step(id));
  const none = { artifacts: {}, commit: null, answer: null };
  turn.changeStep(id, { result: { ...none, ...result, verdict } });
  if (verdict.verdict === 'cannot_judge' && stage.onFailure.cannot_judge !== undefined)
    return fail(turn, id, 'cannot_judge', {
      code: 'STAGE_FAILED',
      message: `${id} cannot judge ${of}`,
      details: verdict.issues.join('\n'),
    });
  // A reviewer that judges works, whatever it says about the work.
  closeBreaker(turn, stage);
  if (verdict.verdict === 'approved') return finishIfMet(turn, stage);
  if (round > maxRounds) return;
  if (verdict.verdict === 'inconsistent' && ifInconsistent(turn.run, stage) !== undefined)
    return fail(turn, id, 'inconsistent', {
      code: 'STAGE_FAILED',
      message: `${of} contradicts other results`,
      remarks: verdict.issues,
    });
  if (round === maxRounds) return roundsUsedUp(turn, stage, verdict.issues);
  const remarks = verdict.issues.length === 1 ? '1 remark goes' : `${verdict.issues.length} remarks go`;
  turn.note(id, `round ${round}: ${remarks} back to ${of}`);
  turn.changeStep(id, { state: { kind: 'waiting' }, round: round + 1, failures: {} });
  sendBack(turn, of, remarksPrompt(verdict.issues, round, maxRounds));
}

/** The work has failed for its own breaker too, unless another agent makes it again or the workflow file takes it as it is, with a mark. */
function roundsUsedUp(turn: Turn, stage: ReviewStage, issues: readonly string[]): void {
  const { id, of } = stage;
  const maxRounds = countMaxRounds(stage, turn.step(id));
  const rounds = `${maxRounds} ${maxRounds === 1 ? 'round' : 'rounds'} of review`;
  const trigger = lastRound(stage);
  if (trigger === 'limit' && !isHandled(turn, stage) && countRounds(turn, stage)) {
    // What becomes of the work decides what becomes of the review.
    turn.changeStep(id, { state: { kind: 'waiting' } });
    turn.changeStep(of, { feedback: remarksPrompt(issues, maxRounds, maxRounds) });
    return failOpen(turn, of, 'limit', { code: 'MAX_ITERATIONS', message: `${of} has remarks after ${rounds}`, remarks: issues });
  }
  fail(turn, id, trigger, { code: 'MAX_ITERATIONS', message: `open remarks about ${of} are left after ${rounds}`, remarks: issues });
}

function isHandled(turn: Turn, stage: ReviewStage): boolean {
  const reaction = listedReaction(turn, stage.id, 'limit', 'MAX_ITERATIONS');
  switch (reaction?.kind) {
    case undefined:
      return false;
    case 'substitute':
      return canReassign(turn, stage);
    case 'skip':
      return reaction.mark !== undefined;
    default:
      return true;
  }
}

/** For one item, every round was a try that failed. For the items of a stage together, the work that nobody accepts is one. */
function countRounds(turn: Turn, { of, maxRounds }: ReviewStage): boolean {
  const work = turn.stage(of);
  return countFailure(turn, work, work.circuitBreaker?.scope === 'item' ? maxRounds : 1);
}

/** A review that does not come to an end is a disagreement, if the workflow file says what follows one. */
function lastRound({ onFailure }: ReviewStage): 'limit' | 'disagreement' {
  return onFailure.limit === undefined && onFailure.disagreement !== undefined ? 'disagreement' : 'limit';
}

export function commandEnded(turn: Turn, stage: CommandStage, passed: boolean, output: string): void {
  const { id } = stage;
  if (passed) return finishIfMet(turn, stage);
  fail(turn, id, 'unmet', { code: 'STAGE_FAILED', message: `a command of ${id} failed`, details: output });
}

/** Not a remark on the work: whether it would have passed is not known. */
export function commandLate(turn: Turn, id: string, details?: string): void {
  const { timeoutMs = turn.policy.stageTimeoutMs } = turn.stage(id);
  const message = `a command of ${id} takes longer than it may (${formatSpan(timeoutMs)})`;
  fail(turn, id, 'timeout', { code: 'STAGE_FAILED', message, ...(details !== undefined && { details }) });
}

export function landed(turn: Turn, { id }: LandStage, commit: string | null): void {
  turn.changeStep(id, { result: { artifacts: {}, commit, answer: null, verdict: null } });
  finishStep(turn, id);
}

/** The worker gets the feedback from `llmc reject` itself, and its new commit waits for the same landing. */
export function rejected(turn: Turn, { id, of }: LandStage, feedback: string): void {
  turn.changeStep(id, { round: turn.step(id).round + 1 });
  turn.changeStep(of, { round: turn.step(of).round + 1, feedback, failures: {} });
  turn.note(id, `a person sent the work back to ${of}`);
}
