import type { CommandStage, LandStage, ReviewStage, WorkStage } from '../definition/plan.ts';
import type { Redo } from '../model/run.ts';
import type { RunStage } from '../model/stage-at.ts';
import { attempt, collect, newPiece } from './attempt.ts';
import { openEscalation } from './escalation.ts';
import { sendFollowUp } from './follow-up.ts';
import { before, lastCommit } from './items/before.ts';
import { retryItems, startItem, startItems } from './items/start-items.ts';
import { landedBy } from './landed-by.ts';
import { canWork, roleIsGone } from './role.ts';
import { isSeatFree, nameSeat, takeSeat } from './seat.ts';
import { skip } from './skip.ts';
import type { Turn } from './turn.ts';

/** Sets a stage in motion whose needs have ended. */
export function startStage(turn: Turn, stage: RunStage): void {
  switch (stage.kind) {
    case 'work':
      return startWork(turn, stage);
    case 'review':
      return startReview(turn, stage);
    case 'command':
      return startCommand(turn, stage);
    case 'land':
      return startLand(turn, stage);
    case 'for_each':
      return startItems(turn, stage);
    case 'item':
      return startItem(turn, stage);
  }
}

function startWork(turn: Turn, stage: WorkStage): void {
  if (!canWork(turn, stage.role, stage.id)) return roleIsGone(turn, stage, stage.role);
  newPiece(turn, stage, 'fresh');
}

function startReview(turn: Turn, stage: ReviewStage): void {
  const { id, of, by } = stage;
  if (turn.step(of).state.kind !== 'done') return skip(turn, id, `${of} left nothing to review`);
  switch (by.kind) {
    case 'role':
      if (!canWork(turn, by.role, id)) return roleIsGone(turn, stage, by.role);
      return newPiece(turn, stage, turn.step(id).tried.length > 0 ? 'resume' : 'fresh');
    case 'person':
      return openEscalation(turn, { type: 'approval', step: id, text: `Approve the result of ${of}?` });
    case 'command':
      return check(turn, stage, by.lines, [of]);
  }
}

function startCommand(turn: Turn, stage: CommandStage): void {
  check(turn, stage, stage.lines, before(turn.run, stage.id));
}

/** Shell lines, at the last commit of these stages. */
function check(turn: Turn, { id, timeoutMs }: RunStage, lines: readonly string[], at: readonly string[]): void {
  turn.act(id, 'check', { kind: 'check', lines, base: lastCommit(turn.run, at), ...(timeoutMs !== undefined && { timeoutMs }) });
}

function startLand(turn: Turn, stage: LandStage): void {
  const { id, of } = stage;
  const producer = turn.stage(of);
  const { result, marks } = turn.step(of);
  const commit = result?.commit ?? null;
  if (commit === null || producer.kind !== 'work') return skip(turn, id, `${of} left no commit`);
  const by = landedBy(turn.run, stage);
  if (by !== stage.by) turn.note(id, `the work of ${of} is ${marks.join(', ')}, so a person lands it`);
  // Its author may be at work on another item by now: any worker of the role can offer the commit.
  if (turn.step(of).seat === null || !isSeatFree(turn, of)) {
    turn.changeStep(of, { seat: null, tried: [] });
    takeSeat(turn, of);
  }
  turn.act(id, 'land', { kind: 'land', of, seat: nameSeat(turn, of), commit, by, marks });
}

/** Does again what failed or was interrupted, in the way of the step's own stage. */
export function redo(turn: Turn, address: string, then: Redo): void {
  const stage = turn.stage(address);
  switch (stage.kind) {
    case 'command':
      return startCommand(turn, stage);
    case 'land':
      return startLand(turn, stage);
    case 'for_each':
      return retryItems(turn, stage);
    case 'item':
      return startItem(turn, stage);
    case 'review':
      if (stage.by.kind !== 'role') return startReview(turn, stage);
  }
  // A person was asked before it had a worker: its role had no agent any more.
  if (turn.step(address).seat === null) return newPiece(turn, stage, 'fresh');
  switch (then.kind) {
    case 'follow_up':
      return sendFollowUp(turn, stage, then.text, then.limitMs);
    case 'collect':
      return collect(turn, stage);
    default:
      return attempt(turn, stage, then.kind === 'attempt' ? then.conversation : 'resume', then.kind === 'attempt' && then.endSession);
  }
}
