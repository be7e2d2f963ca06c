import type { ErrorCode } from '../../base/error-codes.ts';
import { BUDGET_OPTIONS } from '../../config/question-options.ts';
import { type ErrorRecord, errorRecord } from '../../recovery/error-record.ts';
import {
  type ChosenStrategy,
  chooseStrategy,
  costsARecovery,
  manner,
  type Strategy,
  type StrategyAction,
} from '../../recovery/strategies.ts';
import type { Reaction, Trigger } from '../definition/plan.ts';
import { splitAddress } from '../model/address.ts';
import type { EscalationType } from '../model/escalation.ts';
import type { Redo, Step, StepState } from '../model/run.ts';
import { ifInconsistent, type RunStage } from '../model/stage-at.ts';
import { countFailure } from './breaker/breaker.ts';
import { fallbackFor, nameAgent, providerFailed } from './breaker/provider.ts';
import { openReaction, openText } from './breaker/when-open.ts';
import { canReassign, reassign } from './compensate/reassign.ts';
import { approvedAfter, rollBackOrAsk } from './compensate/roll-back.ts';
import { JUDGE_AGAIN, listedRemarks, problemsPrompt } from './compose-prompt.ts';
import { endWith } from './end-run.ts';
import { addEscalation, closeEscalation, openEscalation, openQuestion, type Question } from './escalation.ts';
import { goOnWithout } from './items/leave-items.ts';
import { lossFor, ruleAfter } from './loss.ts';
import { noticeIfWanted } from './notice.ts';
import { replaceAgent, withoutAgent } from './role.ts';
import { roleAt } from './seat.ts';
import { canSendBack } from './send-back.ts';
import { skip } from './skip.ts';
import { agentAtWork, nudge } from './time/nudge.ts';
import type { Turn } from './turn.ts';

interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: string;
  /** What a review found. */
  readonly remarks?: readonly string[];
  /** What is wrong with the output, for the agent. */
  readonly problems?: readonly string[];
  readonly cause?: ErrorRecord;
  /** A person decides, unless the workflow file names something: no mapping of the code helps. */
  readonly asks?: EscalationType;
  /** Figures for the words that a person reads. */
  readonly context?: ErrorRecord['context'];
}

/** Chooses what follows a failure of a step: the workflow file's own list, or the mapping of its code. Null: the file has no word for it. */
export function fail(turn: Turn, address: string, trigger: Trigger | null, failure: Failure): void {
  const step = turn.step(address);
  // What follows is what the file says about the failure of the own agent: to try a missing program again helps nobody.
  if (failure.code === 'AGENT_NOT_FOUND' && isFallback(turn, address))
    return answer(
      turn,
      address,
      trigger,
      { reaction: { kind: 'substitute' }, delayMs: 0, actions: [], why: 'its fallback is not installed' },
      failure,
    );
  const kind = trigger ?? failure.code;
  const before = trigger === 'disagreement' ? disagreements(turn, address) : (step.failures[kind] ?? 0);
  providerFailed(turn, address, failure.code);
  const listed = trigger === null ? undefined : fromFile(turn, address, trigger, before, failure.code);
  // A reviewer whose work is not accepted has done its own.
  const chosen =
    !isAboutWork(trigger) && countFailure(turn, turn.stage(address))
      ? breakerIsOpen(turn, address)
      : (listed ?? (failure.asks && ASK) ?? unlessAtWork(turn, address, trigger, fromMapping(turn, step, failure.code, before)));
  answer(turn, address, trigger, chosen, failure);
}

/** An agent that has answered each question, or went on with its task, is not started again: only a person can say that it is not worth it. */
function unlessAtWork(turn: Turn, address: string, trigger: Trigger | null, chosen: Chosen): Chosen {
  const working = trigger === 'timeout' ? agentAtWork(turn, address) : undefined;
  if (chosen.reaction.kind !== 'restart' || working === undefined || working.nudge !== undefined) return chosen;
  return { ...ASK, why: 'its agent works' };
}

/** The fallback of the role takes over, whatever the workflow file says about failures: nothing else helps now. */
export function substitute(turn: Turn, address: string, failure: Failure): void {
  answer(turn, address, 'network', { reaction: { kind: 'substitute' }, delayMs: 0, actions: [], why: 'it is not waited for' }, failure);
}

/** A reviewer that disagrees about one item after the other disagrees about something else: the items count together. */
function disagreements({ run }: Turn, address: string): number {
  const { stage } = splitAddress(address);
  return Object.values(run.steps).filter((step) => splitAddress(step.address).stage === stage && step.failures.disagreement !== undefined)
    .length;
}

/**
 * The agent of a step asks something: it is blocked until a person answers. It has not failed, and no other agent knows what it asks, so
 * nothing else follows.
 */
export function blocked(
  turn: Turn,
  address: string,
  { question, terminal }: { readonly question: string; readonly terminal?: string },
): void {
  const open = openQuestion(turn.run, address, 'blocked');
  if (open?.text === question) return;
  // The agent has gone on to its next question.
  if (open !== undefined) closeEscalation(turn, open.number, 'answered', null);
  const code = 'AGENT_BLOCKED';
  const { failures } = turn.step(address);
  const [first = ''] = question.split('\n', 1);
  const message = first.length > LONGEST_REASON ? `${first.slice(0, LONGEST_REASON)}…` : first;
  // The question has all of it.
  const error = toErrorRecord(turn, address, { code, message }, { taken: 'ask', delayMs: 0 }, failures[code] ?? 0);
  turn.record({ kind: 'error', error });
  turn.changeStep(address, { failures: { ...failures, [code]: (failures[code] ?? 0) + 1 }, unsettled: true });
  addEscalation(turn, { type: 'blocked', step: address, text: question, ...(terminal !== undefined && { terminal }) });
}

/** A person has answered what the agent asked. What else went wrong in the step is open until the step ends. */
export function unblocked(turn: Turn, address: string): void {
  const code = 'AGENT_BLOCKED';
  if (turn.step(address).failures[code] !== undefined) turn.record({ kind: 'settled', step: address, outcome: 'recovered', code });
}

/** The breaker of a step opened for another reason than a failure of its own, such as remarks on its work. */
export function failOpen(turn: Turn, address: string, trigger: Trigger, failure: Failure): void {
  answer(turn, address, trigger, breakerIsOpen(turn, address), failure);
}

function breakerIsOpen(turn: Turn, address: string): Chosen {
  const reaction = openReaction(turn, turn.stage(address));
  return { reaction, delayMs: 0, actions: [], why: 'its circuit breaker is open', asks: 'circuit_breaker' };
}

function answer(turn: Turn, address: string, trigger: Trigger | null, chosen: Chosen, failure: Failure): void {
  const step = turn.step(address);
  const kind = trigger ?? failure.code;
  const before = step.failures[kind] ?? 0;
  const taken = takenFor(turn, address, trigger, chosen.reaction, failure.code);
  const error = toErrorRecord(turn, address, failure, { taken, delayMs: chosen.delayMs }, before);
  turn.settle(address, 'failed again');
  turn.record({ kind: 'error', error });
  turn.changeStep(address, { failures: { ...step.failures, [kind]: before + 1 }, unsettled: true });
  if (costsARecovery(taken)) {
    const counted = countedAt(address, chosen.reaction);
    turn.record({ kind: 'checkpoint', type: 'before_retry', note: address });
    turn.countRecoveries(counted, turn.recoveries(counted) + 1);
    turn.changeStep(address, { recoveredMs: turn.at });
  }
  turn.note(address, `${failure.message}; ${reactionWords(chosen.reaction, taken)} (${chosen.why})`);
  // A question notifies a person anyway.
  if (taken !== 'ask') noticeIfWanted(turn, address, chosen.reaction, failure.code, noticeWords(failure, chosen.reaction, taken));
  carryOut(turn, address, trigger, chosen, failure, error);
}

function noticeWords({ message }: Failure, reaction: Reaction, taken: Strategy): string {
  const isMarked = reaction.kind === 'skip' && reaction.mark !== undefined;
  return isMarked ? `${message}; the run goes on, marked ${reaction.mark}` : `${message}; ${reactionWords(reaction, taken)}`;
}

/**
 * What is really done: another agent may not be there to take over, and a person who approved something is asked before a rollback. The
 * record of the failure says this, and only what is done counts as a recovery.
 */
function takenFor(turn: Turn, address: string, trigger: Trigger | null, reaction: Reaction, code: ErrorCode): Strategy {
  if (reaction.kind === 'rollback') return approvedAfter(turn, reaction.to, address).length > 0 ? 'ask' : 'rollback';
  if (reaction.kind !== 'substitute') return reaction.kind;
  const stage = turn.stage(address);
  if (!isAboutWork(trigger)) return canBeReplaced(turn, address) ? 'substitute' : withoutAgent(turn, address, code);
  if (stage.kind !== 'review' || !canReassign(turn, stage)) return 'skip';
  return approvedAfter(turn, stage.of).length > 0 ? 'ask' : 'substitute';
}

/** A rollback out of an item removes the item and what it has counted. */
function countedAt(address: string, reaction: Reaction): string {
  return reaction.kind === 'rollback' ? reaction.to : address;
}

const ASK: Chosen = { reaction: { kind: 'ask', options: [] }, delayMs: 0, actions: [], why: 'a person decides' };
/** What follows a failure, as the history of the run says it. */
function reactionWords(reaction: Reaction, taken: Strategy): string {
  switch (reaction.kind) {
    case 'retry':
      return 'llmc tries again';
    case 'restart':
      return 'the agent starts again';
    case 'substitute':
      return taken === 'substitute' ? 'the fallback of the role takes over' : 'no other agent can take over';
    case 'skip':
      return 'the stage is skipped';
    case 'rollback':
      return taken === 'ask' ? `a person decides whether the run goes back to ${reaction.to}` : `the run goes back to ${reaction.to}`;
    case 'ask':
      return 'a person decides';
    case 'abort':
      return 'the run ends';
  }
}

interface Chosen {
  readonly reaction: Reaction;
  readonly delayMs: number;
  readonly actions: readonly StrategyAction[];
  readonly why: string;
  readonly asks?: EscalationType;
}

/** What the workflow file says about a failure of a step that comes now; undefined if it says nothing. */
export function listedReaction(turn: Turn, address: string, trigger: Trigger, code: ErrorCode): Reaction | undefined {
  return fromFile(turn, address, trigger, turn.step(address).failures[trigger] ?? 0, code)?.reaction;
}

/** The file says what follows, and the table how: a network that fails needs the same waits in both cases. */
function fromFile(turn: Turn, address: string, trigger: Trigger, before: number, code: ErrorCode): Chosen | undefined {
  const stage = turn.stage(address);
  const reactions = trigger === 'inconsistent' ? ifInconsistent(turn.run, stage) : stage.onFailure[trigger];
  if (reactions === undefined || before + 1 < reactions.after) return undefined;
  const index = before + 1 - reactions.after;
  const steps = stepsLeft(turn, address, trigger, reactions.steps);
  const reaction = steps[Math.min(index, steps.length - 1)];
  if (reaction === undefined) return undefined;
  // The last entry of a list is repeated only if it ends the matter.
  if (index >= steps.length && costsARecovery(reaction.kind))
    return { reaction: { kind: 'ask', options: [] }, delayMs: 0, actions: [], why: `every step of on_failure.${trigger} was tried` };
  const counted = countedAt(address, reaction);
  if (costsARecovery(reaction.kind) && turn.recoveries(counted) >= turn.policy.limits.inTotal) return pastTheLimit(turn, counted);
  const { delayMs, actions } = manner({ code, before: index, chance: turn.dice }, reaction.kind, turn.policy);
  const coolingMs = costsARecovery(reaction.kind) ? coolDown(turn, turn.step(address)) : 0;
  return {
    reaction,
    delayMs: Math.max(delayMs, coolingMs),
    actions,
    why: `on_failure.${trigger}, step ${reactions.steps.indexOf(reaction) + 1}`,
  };
}

/** The failures of a fallback count from zero: it has the tries before `substitute` too, and then what the file names behind it. */
function stepsLeft(turn: Turn, address: string, trigger: Trigger, steps: readonly Reaction[]): readonly Reaction[] {
  const stage = turn.stage(address);
  const at = isAboutWork(trigger) && stage.kind === 'review' ? stage.of : address;
  const role = roleAt(turn.stage(at));
  if (role === undefined || turn.role(role, at).agent === 'own' || steps.at(-1)?.kind === 'substitute') return steps;
  return steps.filter(({ kind }) => kind !== 'substitute');
}

function fromMapping(turn: Turn, step: Step, code: ErrorCode, before: number): Chosen {
  const sinceLastMs = step.recoveredMs === null ? null : turn.at - step.recoveredMs;
  const hasFallback = canBeReplaced(turn, step.address);
  const view = { code, before, total: turn.recoveries(step.address), chance: turn.dice, sinceLastMs, hasFallback };
  const chosen = chooseStrategy(view, turn.policy);
  return { ...chosen, reaction: toReaction(chosen) };
}

function isFallback(turn: Turn, address: string): boolean {
  const role = roleAt(turn.stage(address));
  return role !== undefined && turn.role(role, address).agent === 'fallback';
}

function canBeReplaced(turn: Turn, address: string): boolean {
  const role = roleAt(turn.stage(address));
  return role !== undefined && fallbackFor(turn, role, address) !== undefined;
}

function toReaction({ strategy, actions }: ChosenStrategy): Reaction {
  switch (strategy) {
    case 'skip':
      return { kind: 'skip', mark: actions.includes('mark_partial') ? 'partial' : undefined };
    case 'ask':
      return { kind: 'ask', options: [] };
    case 'rollback':
      throw new Error('no mapping rolls back: the workflow file names the stage');
    default:
      return { kind: strategy };
  }
}

function pastTheLimit(turn: Turn, address: string): Chosen {
  return {
    reaction: { kind: 'ask', options: [] },
    delayMs: 0,
    actions: [],
    why: `the run recovered ${turn.recoveries(address)} times, its limit`,
  };
}

function coolDown(turn: Turn, { recoveredMs }: Step): number {
  return recoveredMs === null ? 0 : Math.max(0, turn.policy.limits.coolDownMs - (turn.at - recoveredMs));
}

function carryOut(
  turn: Turn,
  address: string,
  trigger: Trigger | null,
  { reaction, delayMs, actions, asks }: Chosen,
  failure: Failure,
  error: ErrorRecord,
): void {
  switch (reaction.kind) {
    case 'retry': {
      const working = actions.includes('nudge') ? agentAtWork(turn, address) : undefined;
      if (working !== undefined) return nudge(turn, address, working, turn.step(address).failures.timeout ?? 1);
      return later(turn, address, delayMs, chooseRedo(turn.step(address).state, trigger, failure, actions));
    }
    case 'restart':
      return later(turn, address, delayMs, attemptAgain(actions));
    case 'substitute':
      return isAboutWork(trigger) ? reassignOrSkip(turn, address, failure.message) : replaceAgent(turn, address, error);
    case 'skip':
      if (reaction.mark === 'partial' && turn.stage(address).kind === 'for_each') goOnWithout(turn, address, failure.message);
      else skip(turn, address, failure.message, reaction.mark ?? chooseMark(turn, address, trigger));
      return turn.warn(skippedWords(turn.stage(address), address, failure, reaction.mark), lossFor(turn, address, failure.code));
    case 'rollback':
      return rollBackOrAsk(turn, address, reaction.to, failure.message);
    case 'ask':
      return openEscalation(
        turn,
        {
          step: address,
          text: questionText(failure, asks === 'circuit_breaker' ? openText(turn, turn.stage(address)) : ''),
          ...questionFor(turn, address, { trigger, code: failure.code, options: reaction.options }),
          ...((asks ?? failure.asks) ? { type: asks ?? failure.asks } : {}),
        },
        // It takes long, but nothing says that it does not work.
        trigger === 'timeout' ? agentAtWork(turn, address) : undefined,
      );
    case 'abort':
      return endWith(turn, 'failed', error);
  }
}

/** The usual rules say `partial`: a mark that the workflow file chose is named instead. */
function skippedWords(stage: RunStage, address: string, { code, message, cause }: Failure, mark: string | undefined): string {
  // What a worker reports does not name the stage.
  const said = cause === undefined ? message : `${address}: ${message}`;
  if (mark !== undefined && mark !== 'partial') return `${said}; marked ${mark}`;
  const rule = ruleAfter(stage, code);
  return rule === undefined ? said : `${address}: ${rule.message}`;
}

/** A person decides by the reason, not by the name of the stage alone. A program prints its reason last. */
const LONGEST_REASON = 500;

function questionText({ message, remarks, details, cause }: Failure, figures: string): string {
  if (remarks !== undefined && remarks.length > 0) return `${figures}${message}\n${listedRemarks(remarks)}`;
  const reason = (details ?? cause?.details)?.trim() ?? '';
  const said = `${figures}${message}`;
  return reason === '' ? said : `${said}\n${reason.length > LONGEST_REASON ? `…${reason.slice(-LONGEST_REASON)}` : reason}`;
}

/** The reviewer works; it is the work that is not accepted. */
function isAboutWork(trigger: Trigger | null): boolean {
  return trigger === 'limit' || trigger === 'disagreement' || trigger === 'inconsistent';
}

function reassignOrSkip(turn: Turn, address: string, why: string): void {
  const stage = turn.stage(address);
  if (stage.kind === 'review' && reassign(turn, stage, why)) return;
  skip(turn, address, why, 'partial');
  turn.warn(why, lossFor(turn, address, 'MAX_ITERATIONS'));
}

/** Work with open remarks was looked at, so it is not unverified. A stage that makes something leaves a gap. */
function chooseMark(turn: Turn, address: string, trigger: Trigger | null): string {
  return turn.stage(address).kind === 'review' && trigger !== 'limit' ? 'unverified' : 'partial';
}

/** Trying again means: tell an agent what is wrong, or perform the same operation again. An agent at work that is late is asked before. */
function chooseRedo(state: StepState, trigger: Trigger | null, { problems }: Failure, actions: readonly StrategyAction[]): Redo {
  if (trigger === 'cannot_judge') return { kind: 'follow_up', text: JUDGE_AGAIN, limitMs: null };
  if (actions.includes('say_problems')) return { kind: 'follow_up', text: problemsPrompt(problems ?? []), limitMs: null };
  if (
    state.kind === 'acting' &&
    state.doing !== 'attempt' &&
    state.doing !== 'follow_up' &&
    state.doing !== 'save' &&
    state.doing !== 'undo'
  )
    return { kind: state.doing };
  return attemptAgain(actions);
}

function attemptAgain(actions: readonly StrategyAction[]): Redo {
  return { kind: 'attempt', conversation: 'resume', ...(actions.includes('end_session') && { endSession: true }) };
}

function later(turn: Turn, address: string, delayMs: number, then: Redo): void {
  turn.changeStep(address, { state: { kind: 'cooling', until: turn.at + delayMs, redo: then } });
}

function questionFor(
  turn: Turn,
  address: string,
  { trigger, code, options }: { readonly trigger: Trigger | null; readonly code: ErrorCode; readonly options: readonly string[] },
): Pick<Question, 'type' | 'options' | 'mayExtend'> {
  const stage = turn.stage(address);
  const isLastRound = trigger === 'limit' || trigger === 'disagreement';
  if (stage.kind === 'review' && isLastRound) return { type: TYPES[trigger], options, mayExtend: canSendBack(turn, stage) };
  if (trigger !== null) return { type: TYPES[trigger], options };
  // To wait helps only until tomorrow, or until a person raises it: then it is tried again.
  return code === 'BUDGET_SPENT' ? { type: 'resource', options: BUDGET_OPTIONS } : { type: 'failed', options };
}

const TYPES: Readonly<Record<Trigger, EscalationType>> = {
  timeout: 'timeout',
  crash: 'crash',
  invalid_output: 'invalid_output',
  limit: 'unmet',
  unmet: 'unmet',
  disagreement: 'unmet',
  network: 'failed',
  conflict: 'failed',
  inconsistent: 'unmet',
  cannot_judge: 'unmet',
};

function toErrorRecord(
  turn: Turn,
  address: string,
  failure: Failure,
  { taken, delayMs }: { readonly taken: Strategy; readonly delayMs: number },
  before: number,
): ErrorRecord {
  const { code, message, remarks, cause = null } = failure;
  const details = failure.details ?? (remarks === undefined ? null : listedRemarks(remarks));
  const role = roleAt(turn.stage(address)) ?? null;
  const { startedMs, attempt, tries } = turn.step(address);
  const agent = role === null ? '' : nameAgent(turn, role, address, turn.role(role, address).agent);
  const context = { ...failure.context, attempt, tries, ...(agent !== '' && { agent }), ...(delayMs > 0 && { retryInMs: delayMs }) };
  return errorRecord({
    id: `${turn.run.id}.${turn.number()}`,
    code,
    message,
    details,
    cause,
    role,
    context,
    component: address,
    at: turn.at,
    retries: before,
    strategy: taken,
    durationMs: startedMs === null ? null : turn.at - startedMs,
  });
}
