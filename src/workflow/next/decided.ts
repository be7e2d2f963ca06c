import { type ErrorRecord, errorRecord } from '../../recovery/error-record.ts';
import type { Escalation, EscalationAnswer } from '../model/escalation.ts';
import type { What } from '../model/event.ts';
import type { Redo } from '../model/run.ts';
import { withMark } from '../model/with-mark.ts';
import { answerBreaker, refuse } from './breaker/when-open.ts';
import { rollBack } from './compensate/roll-back.ts';
import { holding, keepLanding, undoNext } from './compensate/undo.ts';
import { MORE_TIME } from './compose-prompt.ts';
import { endWith } from './end-run.ts';
import { closeEscalation, closeQuestions } from './escalation.ts';
import { unblocked } from './failure.ts';
import { finishStep } from './finish-step.ts';
import { goOnWithout, leaveItems } from './items/leave-items.ts';
import { openItems } from './items/open-items.ts';
import { unanswered } from './questions/deadlines.ts';
import { judged } from './results.ts';
import { replaceAgent, tryAgain } from './role.ts';
import { hasNoAgent, roleAt } from './seat.ts';
import { anotherRound, hasRemarks } from './send-back.ts';
import { skip } from './skip.ts';
import { redo } from './start-stage.ts';
import { measureExtraTime, moreTime } from './time/nudge.ts';
import type { Turn } from './turn.ts';

/** An answer to a question that is answered already, or that nobody asked, changes nothing. */
export function decided(turn: Turn, { escalation: number, option, text, given }: Extract<What, { kind: 'decided' }>): void {
  const found = turn.run.escalations.find((one) => one.number === number);
  if (found === undefined || !found.options.includes(option)) return;
  if (given === true) {
    // The agent may have reported before that it goes on.
    if (found.answer === null || found.answer.by === 'run') closeEscalation(turn, number, option, text, 'person');
    return;
  }
  if (found.answer !== null) return;
  closeEscalation(turn, number, option, text, 'person');
  if (found.step !== null) apply(turn, found.step, { option, text, by: 'person' }, found);
}

/** Nobody answered in time: the default is taken, and the result says so. */
export function takeDefaults(turn: Turn): void {
  for (const found of unanswered(turn)) {
    const { number, step, deadline } = found;
    // The default of another question may have ended the run, or this step.
    const isOpen = turn.run.status === 'running' && turn.run.escalations.some((one) => one.number === number && one.answer === null);
    if (deadline === null || !isOpen) continue;
    closeEscalation(turn, number, deadline.option, null, 'default');
    if (step === null) continue;
    apply(turn, step, { option: deadline.option, text: null, by: 'default' }, found);
    if (Object.hasOwn(turn.run.steps, step))
      turn.changeStep(step, { marks: withMark(turn.step(step).marks, `by default: ${deadline.option}`) });
  }
}

function apply(
  turn: Turn,
  address: string,
  { option, text, by }: Omit<EscalationAnswer, 'at'>,
  { type, text: asked, target, reason, lost }: Escalation,
): void {
  const stage = turn.stage(address);
  if (type === 'circuit_breaker') answerBreaker(turn, stage, option);
  switch (option) {
    case 'approve':
      return stage.kind === 'review' ? judged(turn, stage, { verdict: 'approved', issues: [] }) : finishStep(turn, address);
    case 'reject':
      if (stage.kind !== 'review') return;
      return judged(turn, stage, { verdict: 'changes', issues: text === null ? ['a person does not approve it'] : [text] });
    case 'accept':
      if (stage.kind === 'for_each') leaveItems(turn, address, `${WHO[by]} accepted ${address} without it`, CAUSE[by]);
      turn.warn(`${WHO[by]} accepted ${address} as it is`);
      return finishStep(turn, address, 'partial');
    case 'wait':
      // The action is still in the queue.
      return;
    case 'answer':
      // Whether it may take longer is not asked any more: its time begins again.
      closeQuestions(turn, address, 'answered');
      unblocked(turn, address);
      return redo(turn, address, { kind: 'follow_up', text: text ?? 'Go on.', limitMs: null });
    case 'extend':
      if (stage.kind === 'for_each') return openItems(turn, stage);
      if (stage.kind === 'review' && type === 'unmet' && hasRemarks(turn, stage)) return anotherRound(turn, stage, text);
      return extend(turn, address, type);
    case 'restart':
      return again(turn, address, isAboutAgent(type) ? tryAgain(turn, address, 'own') : { kind: 'attempt', conversation: 'resume' });
    case 'fallback':
      if (isReplaced(turn, address)) return again(turn, address, tryAgain(turn, address, 'fallback'));
      return replaceAgent(turn, address, (lost && ownEnd(turn, address)) ?? decidedError(turn, address, asked));
    case 'skip':
      skip(turn, address, `${WHO[by]} skipped it (${type})`, stage.kind === 'review' ? 'unverified' : 'partial', CAUSE[by]);
      return turn.warn(`${WHO[by]} skipped ${address}`);
    case 'rollback':
      if (holding(turn.run, address) !== undefined) return undoNext(turn, address);
      return rollBack(turn, target ?? address, { reason: reason ?? asked, from: address });
    case 'keep':
      if (holding(turn.run, address) !== undefined) return keepLanding(turn, address);
      turn.warn(`${WHO[by]} kept what was approved, so ${address} ${stage.kind === 'for_each' ? 'goes on as it is' : 'is left out'}`);
      if (stage.kind === 'for_each') return goOnWithout(turn, address, `${WHO[by]} kept what was approved`);
      return skip(turn, address, `${WHO[by]} kept what was approved`, 'partial', CAUSE[by]);
    case 'manual':
      return refuse(turn, stage);
    case 'abort':
      return endWith(turn, 'aborted', decidedError(turn, address, asked));
    default:
      // A word of the workflow file is a mark on the result.
      turn.warn(`${WHO[by]} chose ${option} for ${address}`);
      return skip(turn, address, `${WHO[by]} chose ${option}`, option, CAUSE[by]);
  }
}

/** Its agents are lost: another try begins with the one that the role should have. */
function isAboutAgent(type: Escalation['type']): boolean {
  return type === 'crash' || type === 'unavailable';
}

function isReplaced(turn: Turn, address: string): boolean {
  const role = roleAt(turn.stage(address));
  return role !== undefined && turn.role(role, address).agent === 'fallback';
}

const WHO = { person: 'a person', default: 'llmc, because nobody answered,', run: 'the run' } as const;
const CAUSE = { person: 'person', default: 'failure', run: 'failure' } as const;

/** An agent that goes on with its task is not disturbed: it has half of the stage's time again from here. */
function extend(turn: Turn, address: string, type: Escalation['type']): void {
  const { state } = turn.step(address);
  if (state.kind === 'asking' && state.working !== undefined) {
    newTries(turn, address);
    return moreTime(turn, address, state.working, 'goes on');
  }
  const stage = turn.stage(address);
  if (type !== 'timeout' || hasNoAgent(stage)) return again(turn, address, { kind: 'attempt', conversation: 'resume' });
  again(turn, address, { kind: 'follow_up', text: MORE_TIME, limitMs: measureExtraTime(turn, stage) });
}

/** What ended the own agent of the role, before the fallback was tried. */
function ownEnd(turn: Turn, address: string): ErrorRecord | undefined {
  const role = roleAt(turn.stage(address));
  return role === undefined ? undefined : turn.role(role, address).replaced;
}

/** A person gives the step, and the run, new tries. */
function again(turn: Turn, address: string, then: Redo): void {
  newTries(turn, address);
  redo(turn, address, then);
}

function newTries(turn: Turn, address: string): void {
  turn.countRecoveries(address, 0);
  // One that was asked about before it began begins now.
  turn.changeStep(address, { failures: {}, startedMs: turn.step(address).startedMs ?? turn.at });
}

function decidedError(turn: Turn, address: string, message: string) {
  return errorRecord({ id: `${turn.run.id}.${turn.number()}`, code: 'STAGE_FAILED', message, component: address, at: turn.at });
}
