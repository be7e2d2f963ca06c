import type { Instant } from '../../base/ports.ts';
import type { Status } from '../../store/statuses.ts';
import { openQuestions } from '../control/choose-answer.ts';
import { inItem } from '../model/address.ts';
import type { Escalation } from '../model/escalation.ts';
import { newStep } from '../model/new-step.ts';
import { type Doing, isOver, type Run, type Step } from '../model/run.ts';
import { runWorkerName } from '../model/run-names.ts';
import { itemAround, type RunStage, stageAt } from '../model/stage-at.ts';
import { findBreaker, opensAgainAt } from '../next/breaker/breaker.ts';
import { landedBy } from '../next/landed-by.ts';
import { roleAt } from '../next/seat.ts';
import type { OpenTask } from '../store/ports.ts';

/** What a run waits for at the moment. */
export type Wait =
  /** A question to a person. */
  | { readonly kind: 'person'; readonly step: string | null; readonly question: Escalation }
  /** The landing: a person reviews and accepts the worker's commit. */
  | { readonly kind: 'review'; readonly step: string; readonly worker: string }
  /** The landing, after a person sent the work back or while it conflicts with main: the worker's agent works on it. */
  | { readonly kind: 'rework'; readonly step: string; readonly role: string; readonly conflict: boolean }
  /** The landing, and its worker needs a person for something else than a review. */
  | { readonly kind: 'worker'; readonly step: string; readonly worker: string }
  | { readonly kind: 'agent'; readonly step: string; readonly role: string; readonly dueMs: Instant | null; readonly nudged?: true }
  /** The agent's account is at its usage limit. */
  | { readonly kind: 'limit'; readonly step: string; readonly role: string }
  /** The action waits in the queue: other work is before it, or every agent is in use. */
  | { readonly kind: 'queue'; readonly step: string; readonly doing: Doing; readonly role: string | null; readonly sinceMs: Instant }
  /** llmc performs the action; shell lines have until `dueMs`. */
  | { readonly kind: 'llmc'; readonly step: string; readonly doing: Doing; readonly dueMs: Instant | null }
  /** The circuit breaker of the stage is open, or another step has its one try. */
  | { readonly kind: 'breaker'; readonly step: string; readonly failures: number; readonly untilMs: Instant | null }
  /** A person paused the run; until `untilMs` agents save what they have. */
  | { readonly kind: 'pause'; readonly step: null; readonly untilMs: Instant | null }
  /** The wait before something is tried again. */
  | { readonly kind: 'time'; readonly step: string; readonly untilMs: Instant };

/** Where a worker is in the flow of work; undefined if that is not known. */
export type StandingOf = (worker: string) => Status | undefined;

/** Nothing for a run that has ended. What a person can do something about comes first. */
export function listWaits(run: Run, tasks: readonly OpenTask[], standingOf: StandingOf = () => undefined): readonly Wait[] {
  if (run.clock.endedMs !== null) return [];
  const questions = openQuestions(run).map((question): Wait => ({ kind: 'person', step: question.step, question }));
  const asked = new Set(questions.map(({ step }) => step));
  const steps = Object.values(run.steps).flatMap((step) => {
    const wait = asked.has(step.address) ? undefined : findWait(run, step, tasks, standingOf);
    return wait === undefined ? [] : [wait];
  });
  if (run.pause !== null) return [toPause(run, run.pause), ...questions, ...steps.filter(({ kind }) => isForAPerson(kind))];
  return [...questions, ...steps.filter(({ kind }) => isForAPerson(kind)), ...steps.filter(({ kind }) => !isForAPerson(kind))];
}

function toPause({ status }: Run, { untilMs }: NonNullable<Run['pause']>): Wait {
  return { kind: 'pause', step: null, untilMs: status === 'pausing' ? untilMs : null };
}

function findWait(run: Run, { address: step, state }: Step, tasks: readonly OpenTask[], standingOf: StandingOf): Wait | undefined {
  const stage = stageAt(run, step);
  const role = (stage && roleAt(stage)) ?? null;
  switch (state.kind) {
    case 'acting': {
      const { doing } = state;
      const task = tasks.find((each) => each.id === state.action);
      return task?.state === 'open'
        ? { kind: 'queue', step, doing, role, sinceMs: task.runAt }
        : { kind: 'llmc', step, doing, dueMs: null };
    }
    case 'working':
      if (stage?.kind === 'land')
        return landedBy(run, stage) === 'person'
          ? toLandingWait(run, step, stage.of, standingOf)
          : { kind: 'llmc', step, doing: 'land', dueMs: null };
      if (role === null) return { kind: 'llmc', step, doing: 'check', dueMs: state.deadline?.at ?? null };
      if (state.deadline?.leftMs != null) return { kind: 'limit', step, role: role ?? step };
      if (state.nudge !== undefined) return { kind: 'agent', step, role: role ?? step, dueMs: null, nudged: true };
      return { kind: 'agent', step, role: role ?? step, dueMs: state.deadline?.at ?? null };
    case 'waiting':
      return stage && isNext(run, stage) ? breakerWait(run, stage) : undefined;
    case 'cooling':
      return (stage && breakerWait(run, stage)) ?? { kind: 'time', step, untilMs: state.until };
    default:
      return undefined;
  }
}

/** Everything before it has ended. */
function isNext(run: Run, stage: RunStage): boolean {
  const around = itemAround(run, stage.id);
  const isOpen = around === undefined || run.steps[inItem(around.within.id, around.key)]?.state.kind === 'under_way';
  return isOpen && stage.needs.every((need) => isOver(run.steps[need] ?? newStep(need)));
}

function toLandingWait(run: Run, step: string, of: string, standingOf: StandingOf): Wait {
  const worker = landWorker(run, of);
  const stage = stageAt(run, of);
  const role = (stage && roleAt(stage)) ?? of;
  switch (standingOf(worker)) {
    case 'working':
    case 'rejected':
      return { kind: 'rework', step, role, conflict: false };
    case 'rebasing':
      return { kind: 'rework', step, role, conflict: true };
    case 'needs_input':
    case 'error':
      return { kind: 'worker', step, worker };
    // It has landed, and the run hears of it in a moment.
    case 'idle':
      return { kind: 'llmc', step, doing: 'land', dueMs: null };
    default:
      return { kind: 'review', step, worker };
  }
}

/** A step waits for its breaker only while a person is asked; otherwise it is skipped at once. */
function breakerWait(run: Run, stage: RunStage): Wait | undefined {
  const breaker = findBreaker(run, stage);
  if (breaker?.whenOpen !== 'ask' || breaker.state.kind === 'closed') return undefined;
  if (breaker.state.kind === 'half_open' && breaker.state.trial === stage.id) return undefined;
  return { kind: 'breaker', step: stage.id, failures: breaker.state.failures, untilMs: opensAgainAt(breaker.state) };
}

function landWorker(run: Run, of: string): string {
  const stage = stageAt(run, of);
  return runWorkerName(run.id, (stage && roleAt(stage)) ?? of, run.steps[of]?.seat ?? 1);
}

function isForAPerson(kind: Wait['kind']): boolean {
  return kind === 'person' || kind === 'review' || kind === 'worker';
}

/** The status as people see it: a run waits as soon as a person has to do something, also while other stages go on. */
export type RunCondition = 'running' | 'waiting' | 'paused' | 'done' | 'failed' | 'aborted';

export function judgeCondition({ status }: Pick<Run, 'status'>, waits: readonly Wait[]): RunCondition {
  if (status === 'pausing') return 'running';
  if (status !== 'running') return status;
  return waits.some(({ kind }) => isForAPerson(kind)) ? 'waiting' : 'running';
}
