import type { ErrorRecord } from '../../recovery/error-record.ts';
import type { AboutAction } from '../model/event.ts';
import type { Step } from '../model/run.ts';
import type { RunStage } from '../model/stage-at.ts';
import { collect } from './attempt.ts';
import { findBreaker, hasTheTry } from './breaker/breaker.ts';
import { providerAnswered } from './breaker/provider.ts';
import { landedLate } from './compensate/late-landing.ts';
import { undone, undoneLate, undoRefused } from './compensate/undo.ts';
import { closeEscalation, closeQuestions, openQuestion } from './escalation.ts';
import { blocked, fail, unblocked } from './failure.ts';
import { TRIGGER_OF } from './failure-trigger.ts';
import { landedBy } from './landed-by.ts';
import { atLimit } from './limit.ts';
import { commandEnded, commandLate, judged, landed, rejected, workCollected } from './results.ts';
import { hasNoAgent, nameSeat } from './seat.ts';
import { redo } from './start-stage.ts';
import { given, queued } from './time/before-start.ts';
import { tooLong } from './time/due.ts';
import { moreTime, nudged, nudgeTaken } from './time/nudge.ts';
import { moveDeadline, parked, unparked } from './time/run-clock.ts';
import type { Turn } from './turn.ts';

const toFailure = (error: ErrorRecord) => ({ code: error.code, message: error.message, cause: error });

export type Answering = Exclude<AboutAction, { kind: 'kept' | 'not_done' | 'undelivered' }>;

/** Something answered an action. What belongs to an action that no step waits for is over, and changes nothing. */
export function answered(turn: Turn, what: Answering): void {
  const step = turn.waitingFor(what.action);
  if (step === undefined) return answeredLate(turn, what);
  const stage = turn.stage(step.address);
  if (step.state.kind === 'working' && step.state.nudge?.action === what.action) return aboutNudge(turn, step, step.state, what);
  // Its agent went on while a person was asked whether it may.
  if (step.state.kind === 'asking' && ENDS_THE_WORK.includes(what.kind)) {
    if (openQuestion(turn.run, step.address, 'circuit_breaker') !== undefined) hasTheTry(turn, stage);
    closeQuestions(turn, step.address, 'ended');
  }
  switch (what.kind) {
    case 'started':
      return started(turn, step);
    case 'busy':
      return busy(turn, step);
    // Another look or the end of the turn came first.
    case 'nudged':
      return;
    case 'given':
      return given(turn, step);
    case 'queued':
      return queued(turn, step);
    case 'finished':
      closeQuestion(turn, step);
      providerAnswered(turn, step.address);
      return stage.kind === 'work' || stage.kind === 'review' ? collect(turn, stage) : undefined;
    case 'collected':
      if (stage.kind === 'work') return workCollected(turn, stage, what.result);
      if (stage.kind !== 'review' || what.result.verdict === null) return;
      turn.changeStep(stage.id, { result: what.result });
      return judged(turn, stage, what.result.verdict);
    case 'invalid':
      return fail(turn, stage.id, 'invalid_output', {
        code: 'AGENT_INVALID_OUTPUT',
        message: `${stage.id} left no valid result`,
        problems: what.problems,
        details: what.problems.join('\n'),
      });
    case 'asked':
      moveDeadline(turn, step, parked);
      return blocked(turn, step.address, what);
    case 'answered':
      closeQuestion(turn, step);
      unblocked(turn, step.address);
      return moveDeadline(turn, step, unparked);
    case 'parked':
      return what.limit === undefined ? moveDeadline(turn, step, parked) : atLimit(turn, step, what.limit.untilMs);
    case 'unparked':
      return moveDeadline(turn, step, unparked);
    case 'crashed':
      closeQuestion(turn, step);
      return fail(turn, stage.id, 'crash', toFailure(what.error));
    case 'failed':
      if (step.state.kind === 'acting' && step.state.doing === 'undo') return undoRefused(turn, step.address, what.error);
      return fail(turn, stage.id, TRIGGER_OF[what.error.code] ?? null, toFailure(what.error));
    case 'lost':
      return lost(turn, step);
    case 'checked':
      if (what.late === true) return commandLate(turn, stage.id, what.output);
      if (stage.kind === 'command') return commandEnded(turn, stage, what.passed, what.output);
      if (stage.kind === 'review')
        return judged(turn, stage, what.passed ? { verdict: 'approved', issues: [] } : { verdict: 'changes', issues: [what.output] });
      return;
    case 'landed':
      return stage.kind === 'land' ? landed(turn, stage, what.commit) : undefined;
    case 'rejected':
      return stage.kind === 'land' ? rejected(turn, stage, what.feedback) : undefined;
    case 'undone':
      return undone(turn, step.address, what.revert);
  }
}

/** Main has changed, whether or not a step waits for it. */
function answeredLate(turn: Turn, what: Answering): void {
  if (what.kind === 'landed') landedLate(turn, what.action, what.commit);
  if (what.kind === 'undone') undoneLate(turn, what.action, what.revert);
}

const ENDS_THE_WORK: readonly Answering['kind'][] = ['finished', 'crashed', 'failed', 'lost'];

/** The question how far it is has an action of its own; the task of the step goes on beside it. */
function aboutNudge(turn: Turn, step: Step, working: Extract<Step['state'], { kind: 'working' }>, what: Answering): void {
  switch (what.kind) {
    case 'started':
      return nudgeTaken(turn, step, working, what.action);
    case 'nudged':
      if (!nudged(turn, step, working, what.works)) tooLong(turn, step.address);
      return;
    case 'failed':
      turn.note(step.address, `its agent could not be asked: ${what.error.message}`);
      return moreTime(turn, step.address, working, 'goes on');
    case 'lost':
      return lost(turn, step);
  }
}

/** The agent is at work already, so it is not one that cannot start: the time of the stage counts from here. */
function busy(turn: Turn, { address, state }: Step): void {
  if (state.kind !== 'acting' || (state.doing !== 'attempt' && state.doing !== 'follow_up')) return;
  const deadline = { at: turn.at + chooseTimeout(turn, turn.stage(address), state.limitMs), leftMs: null };
  turn.changeStep(address, { state: { kind: 'working', action: state.action, deadline } });
  turn.note(address, `${nameSeat(turn, address)} is at work and is told more when its turn ends`);
}

function chooseTimeout(turn: Turn, stage: RunStage, own: number | null): number {
  return own ?? (stage.timeoutMs ?? turn.policy.stageTimeoutMs) * (findBreaker(turn.run, stage)?.stretch ?? 1);
}

/** An outside cause charges no try: the names of sessions and the counters stay. */
function lost(turn: Turn, step: Step): void {
  closeQuestion(turn, step);
  const isTold = step.state.kind === 'acting' && step.state.doing === 'follow_up';
  turn.note(step.address, isTold ? 'its agent cannot go on with it and starts again' : 'its agent was ended from outside and starts again');
  turn.changeStep(step.address, { tries: Math.max(0, step.tries - 1) });
  redo(turn, step.address, { kind: 'attempt', conversation: 'resume' });
}

/**
 * The time of a stage counts from the moment its agent has the task, not from its place in the queue. Shell lines that run again, because
 * llmc was killed, have all of it again.
 */
function started(turn: Turn, { address, state, tries }: Step): void {
  const stage = turn.stage(address);
  if (state.kind !== 'acting' && !(state.kind === 'working' && hasNoAgent(stage))) return;
  const limitMs = chooseTimeout(turn, stage, state.kind === 'acting' ? state.limitMs : null);
  const deadline = stage.kind === 'land' ? null : { at: turn.at + limitMs, leftMs: null };
  turn.changeStep(address, { state: { kind: 'working', action: state.action, deadline } });
  if (state.kind !== 'acting') return;
  // It has asked before its report that it has the task: the time of the question does not count.
  if (openQuestion(turn.run, address, 'blocked') !== undefined) moveDeadline(turn, turn.step(address), parked);
  if (state.doing === 'attempt') turn.note(address, `${nameSeat(turn, address)} has the task${tries > 1 ? ` (try ${tries})` : ''}`);
  else if (stage.kind === 'land' && landedBy(turn.run, stage) === 'person')
    turn.note(address, `the work of ${stage.of} waits for a person's review`);
}

/** The agent went on: its question needs no answer any more. */
function closeQuestion(turn: Turn, { address }: Step): void {
  for (const { number, type, step, answer } of turn.run.escalations)
    if (type === 'blocked' && step === address && answer === null) closeEscalation(turn, number, 'answered', null);
}
