import type { ErrorCode } from '../../base/error-codes.ts';
import type { Instant } from '../../base/ports.ts';
import type { Breaker } from '../../recovery/decide-breaker.ts';
import type { DegradationLevel } from '../../recovery/degradation.ts';
import type { ErrorRecord } from '../../recovery/error-record.ts';
import type { CircuitBreaker, Plan, Trigger } from '../definition/plan.ts';
import type { Compensation } from './compensation.ts';
import type { Escalation } from './escalation.ts';
import type { Item } from './item.ts';

/** One execution of a workflow, as data: everything that the next decision needs, and nothing that only a process knows. */
export interface Run {
  readonly id: string;
  readonly plan: Plan;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Where the inputs of the type file came from, by their names: the status of items goes back there. */
  readonly files?: Readonly<Record<string, string>>;
  readonly status: RunStatus;
  /** Rises with every commit. A commit on top of another version is refused. */
  readonly version: number;
  /** The last number given to an action or an escalation of this run. */
  readonly counter: number;
  readonly clock: RunClock;
  /** Since when a person has the run stand still, and until when its agents may save what they have; null while it moves. */
  readonly pause: { readonly sinceMs: Instant; readonly untilMs: Instant } | null;
  /** By address, in the order of the plan. */
  readonly steps: Readonly<Record<string, Step>>;
  readonly roles: Readonly<Record<string, RoleState>>;
  /** How often the run recovered from a failure, over all steps. */
  readonly recoveries: number;
  readonly level: DegradationLevel;
  readonly warnings: readonly string[];
  /** What a person was told without being asked, the newest last. */
  readonly notices: readonly RunNotice[];
  /** What is missing, and how the run goes on without it. */
  readonly losses: readonly RunLoss[];
  readonly escalations: readonly Escalation[];
  /** What was undone on purpose, the oldest first. */
  readonly compensations: readonly Compensation[];
  /** The circuit breakers that have something to remember, by scope: `stage:6c`, `item:5/s3`. */
  readonly breakers: Readonly<Record<string, RunBreaker>>;
  readonly checkpointMs: Instant;
  /** The places that workers were made for and that none was removed from. */
  readonly seats: readonly string[];
  /** When those workers are removed; null before the run has ended. */
  readonly dismissMs: Instant | null;
  /** Why the run ended before its last stage. */
  readonly error: ErrorRecord | null;
}

export type RunStatus = 'running' | 'pausing' | 'paused' | 'done' | 'failed' | 'aborted';

export interface RunNotice {
  /** Counts from 1 in the run. */
  readonly number: number;
  readonly at: Instant;
  readonly step: string;
  readonly code: ErrorCode;
  readonly text: string;
}

/** Paused time and time at a usage limit do not count against a timeout. */
export interface RunClock {
  readonly startedMs: Instant;
  /** What did not count until `stoppedSince`. */
  readonly stoppedMs: number;
  readonly stoppedSince: Instant | null;
  readonly endedMs: Instant | null;
}

export interface RunLoss {
  /** Null: the whole run. */
  readonly step: string | null;
  readonly impact: string;
  readonly mitigation: string;
}

export interface RunBreaker {
  readonly state: Breaker;
  /** While it is open; a person may have chosen something else than the workflow file. */
  readonly whenOpen: CircuitBreaker['whenOpen'] | 'manual';
  /** How much more time than its stage a try has, because a person or the default extended it. */
  readonly stretch: number;
}

/** Whether the agents of a role can still be used. */
export interface RoleState {
  readonly agent: 'own' | 'fallback';
  readonly unavailable: boolean;
  /** Why the fallback took over. */
  readonly replaced?: ErrorRecord;
  /** From when on new work goes to the own agent again: its usage limit is over then. */
  readonly backMs?: Instant;
  /** Messages that its next task brings along, in the order of arrival. */
  readonly letters: readonly Letter[];
}

export interface Letter {
  /** A role, or `person`. */
  readonly from: string;
  readonly text: string;
}

/** One stage of the run, one item of a `for_each` (`sections/s3`), or one stage of one item (`5/s3`). */
export interface Step {
  readonly address: string;
  readonly state: StepState;
  /** Counts every try, so that an event of an earlier one is recognised. */
  readonly attempt: number;
  /** Tries with the agent in use, for the names of sessions: `-r2`. */
  readonly tries: number;
  /** Actions that gave this piece of work to an agent. A new round of a review and a rollback begin a new piece. */
  readonly tried: readonly string[];
  /** Which worker of its role does it, from 1; null before it starts and for a stage without an agent. */
  readonly seat: number | null;
  /** How often each trigger occurred in this piece of work with the agent in use; failures without a trigger count by their code. */
  readonly failures: Partial<Readonly<Record<Trigger | ErrorCode, number>>>;
  /** The round of a review; for the reviewed stage, how often it was sent back. */
  readonly round: number;
  /** For a review: the rounds beyond its `max_rounds` that a person gave. */
  readonly moreRounds?: number;
  /** What a review or a person last said about the result; an agent that starts again is told. */
  readonly feedback: string | null;
  readonly result: Result | null;
  /** The action of a landing that was under way when the step ended: its work may be on main, or get there. */
  readonly offer?: string | null;
  /** What a person should know about the result, such as `unverified`. */
  readonly marks: readonly string[];
  readonly startedMs: Instant | null;
  readonly endedMs: Instant | null;
  /** When it last recovered from a failure. */
  readonly recoveredMs: Instant | null;
  /** It has failed, and what followed has no outcome yet. */
  readonly unsettled?: boolean;
  /** For an item: its value, and how often its stages recovered from failures. */
  readonly item: ItemStep | null;
}

export interface ItemStep extends Item {
  readonly recoveries: number;
}

export type StepState =
  /** Its needs have not ended. */
  | { readonly kind: 'waiting' }
  /** The items of a `for_each`, or the stages of an item, are under way. */
  | { readonly kind: 'under_way'; readonly deadline: Deadline | null }
  /** An action is in the queue, is being performed, or was performed and its agent has not taken the task. */
  | {
      readonly kind: 'acting';
      readonly action: string;
      readonly doing: Doing;
      /** How long the agent then has, if not as long as its stage. */
      readonly limitMs: number | null;
      /** When the agent must have taken the task, once it was given. */
      readonly startBy?: Deadline;
    }
  /** An agent has the task. `nudge`: its time is up, and it is asked how far it is. */
  | { readonly kind: 'working'; readonly action: string; readonly deadline: Deadline | null; readonly nudge?: Nudge }
  /** A wait before the same action is tried again. */
  | { readonly kind: 'cooling'; readonly until: Instant; readonly redo: Redo }
  /** A person decides. `working`: its agent goes on with its task meanwhile; the deadline is over, and says whether its clock stands. */
  | { readonly kind: 'asking'; readonly escalation: number; readonly working?: { readonly action: string; readonly deadline: Deadline } }
  | { readonly kind: 'done' }
  | { readonly kind: 'skipped'; readonly why: string; readonly cause: SkipCause }
  | { readonly kind: 'failed'; readonly error: ErrorRecord };

/** A question to an agent that takes longer than it may, by its own action. */
export type Nudge =
  /** llmc looks whether the agent works, and puts the question into its queue. */
  | { readonly kind: 'sending'; readonly action: string }
  /** An agent without progress does not have the question yet, for example because its turn does not end. */
  | { readonly kind: 'waiting'; readonly action: string }
  /** The agent has it. */
  | { readonly kind: 'taken'; readonly action: string; readonly at: Instant }
  /** The time for its answer is over, and llmc looks whether it works. */
  | { readonly kind: 'looking'; readonly action: string; readonly takenMs: Instant | null };

/** The actions that the step waits for. */
export function listActions(state: StepState): readonly string[] {
  switch (state.kind) {
    case 'acting':
      return [state.action];
    case 'working':
      return state.nudge === undefined ? [state.action] : [state.action, state.nudge.action];
    case 'asking':
      return state.working === undefined ? [] : [state.working.action];
    default:
      return [];
  }
}

/** Why a step was left out: its `when` or another step, a failure that `on_failure` answers so, or a person. */
export type SkipCause = 'condition' | 'failure' | 'person';

/** How many rounds a review has. */
export function countMaxRounds({ maxRounds }: { readonly maxRounds: number }, step: Pick<Step, 'moreRounds'> | undefined): number {
  return maxRounds + (step?.moreRounds ?? 0);
}

/** Nothing more happens in it, unless a later stage sends it back. */
export function isOver({ state }: Step): boolean {
  return state.kind === 'done' || state.kind === 'skipped' || state.kind === 'failed';
}

/** Whether a landing has put its work on main, or may have done so after its step was left out. */
export function isMaybeOnMain({ state, result, offer = null }: Step): boolean {
  return state.kind === 'done' || result?.commit != null || offer !== null;
}

export type Doing = 'attempt' | 'follow_up' | 'save' | 'collect' | 'check' | 'land' | 'undo';

/** What happens when a cool-down is over. */
export type Redo =
  | { readonly kind: 'attempt'; readonly conversation: 'fresh' | 'resume'; readonly endSession?: true }
  | { readonly kind: 'follow_up'; readonly text: string; readonly limitMs: number | null }
  | { readonly kind: Exclude<Doing, 'attempt' | 'follow_up' | 'save' | 'undo'> };

/** When a timeout is due on the run's clock, which stands still while the agent is parked. */
export interface Deadline {
  readonly at: Instant;
  /** What is left of it while the clock stands. */
  readonly leftMs: number | null;
}

/** What a stage left. */
export interface Result {
  /** Files under the run's `artifacts/`, by the name the stage gave them. */
  readonly artifacts: Readonly<Record<string, Artifact>>;
  readonly commit: string | null;
  readonly answer: string | null;
  /** The verdict of a review. */
  readonly verdict: Verdict | null;
}

export interface Artifact {
  readonly path: string;
  readonly sha256: string;
  /** The content of a YAML or JSON file, for conditions and templates; null for other files. */
  readonly value: unknown;
}

export interface Verdict {
  /**
   * `inconsistent`: it contradicts another result, so that a correction of it does not help. `cannot_judge`: the reviewer cannot tell, for
   * the reason in `issues`.
   */
  readonly verdict: 'approved' | 'changes' | 'inconsistent' | 'cannot_judge';
  readonly issues: readonly string[];
  /** The keys of the items that must be made again, of those that the review may send the run back to. */
  readonly items?: readonly string[];
}
