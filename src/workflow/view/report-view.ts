import type { Instant } from '../../base/ports.ts';
import { availableCapabilities, type Degradation, degradationSummary } from '../../recovery/degradation.ts';
import type { ErrorRecord } from '../../recovery/error-record.ts';
import { userMessage } from '../../recovery/errors/error-texts.ts';
import type { RecoveryOutcome } from '../model/action.ts';
import { isOfItem } from '../model/address.ts';
import type { Compensation } from '../model/compensation.ts';
import type { Escalation, EscalationAnswer } from '../model/escalation.ts';
import { listRoles } from '../model/list-roles.ts';
import type { Run, RunLoss, Step } from '../model/run.ts';
import { stepsIn } from '../model/stage-at.ts';
import type { CheckpointSummary, LoggedError, LoggedRetry } from '../store/ports.ts';
import { findReason } from './stage-view.ts';
import { suggestionsFor } from './suggestions.ts';
import { judgeCondition, listWaits, type RunCondition, type StandingOf } from './waits.ts';

/** What went wrong in a run, what llmc did about it, and what a person can do. The names are part of the contract of `--json`. */
export interface RunReport {
  readonly run: string;
  readonly workflow: string;
  readonly status: RunCondition;
  readonly generated_ms: Instant;
  readonly created_ms: Instant;
  readonly ended_ms: Instant | null;
  readonly degradation_level: Run['level'];
  /** Why it ended before its last stage; null if it did not. */
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly summary: string;
  readonly warnings: readonly string[];
  /** What is missing, in words for a person. */
  readonly degradation: readonly string[];
  readonly losses: readonly RunLoss[];
  /** The roles that still have an agent. */
  readonly capabilities: readonly string[];
  readonly results: readonly StageResult[];
  readonly errors: readonly ReportedError[];
  readonly recoveries: readonly ReportedRecovery[];
  readonly questions: readonly ReportedQuestion[];
  readonly retries: readonly ReportedRetry[];
  /** What the run has undone on purpose. */
  readonly compensations: readonly Compensation[];
  readonly suggestions: readonly string[];
  readonly debug: Debug;
}

export interface StageResult {
  readonly stage: string;
  readonly state: Step['state']['kind'];
  /** Why it was skipped, or how it failed. */
  readonly why: string | null;
  /** Such as `unverified` or `partial`. */
  readonly marks: readonly string[];
  readonly commit: string | null;
  readonly artifacts: readonly string[];
  /** What its agent had left when it was stopped before its end. */
  readonly partial: readonly string[];
  /** Of a review that did not approve: its last remarks. */
  readonly remarks: readonly string[];
}

export interface ReportedError {
  readonly id: string;
  readonly code: string;
  readonly category: string;
  readonly severity: string;
  readonly message: string;
  /** The same in words for a person. */
  readonly text: string;
  readonly details: string | null;
  /** The stage, or the part of llmc. */
  readonly where: string;
  readonly role: string | null;
  readonly at_ms: Instant;
  readonly duration_ms: number | null;
  readonly retries: number;
  readonly recovered: boolean;
  /** The messages of what caused it, the nearest first. */
  readonly causes: readonly string[];
}

export interface ReportedRecovery {
  readonly error: string;
  readonly code: string;
  /** The stage, or the part of llmc. */
  readonly where: string;
  /** What llmc really did. */
  readonly strategy: string;
  readonly outcome: ReportedOutcome;
  readonly at_ms: Instant;
}

/** What became of the stage after that. */
export type ReportedOutcome = RecoveryOutcome | 'under way';

export interface ReportedQuestion {
  readonly number: number;
  readonly type: Escalation['type'];
  readonly stage: string | null;
  readonly text: string;
  readonly options: readonly string[];
  readonly asked_ms: Instant;
  /** The option that is taken when nobody answers until `by_itself_ms`; null: it waits for ever. */
  readonly default: string | null;
  readonly by_itself_ms: Instant | null;
  /** Null: it is open. */
  readonly answer: ReportedAnswer | null;
}

interface ReportedAnswer {
  readonly option: string;
  readonly text: string | null;
  readonly at_ms: Instant;
  /** `default`: nobody answered in time. `run`: it needed no answer any more. */
  readonly by: EscalationAnswer['by'];
}

/** An attempt of an operation of llmc that failed and was tried again. */
export interface ReportedRetry {
  readonly operation: string;
  readonly stage: string | null;
  readonly attempt: number;
  readonly at_ms: Instant;
  /** The wait before the next attempt; null if it was the last. */
  readonly delay_ms: number | null;
  readonly code: string;
  readonly message: string;
  /** What the operation came to; null while it is tried. */
  readonly outcome: LoggedRetry['outcome'];
}

interface Debug {
  readonly checkpoint: string | null;
  readonly log: string;
  readonly folder: string;
  /** Where the run stands, with the messages that wait in it. */
  readonly state: string;
}

export interface ReportFacts extends Omit<Debug, 'checkpoint'> {
  readonly errors: readonly LoggedError[];
  readonly questions: readonly Escalation[];
  readonly retries: readonly LoggedRetry[];
  readonly checkpoints: readonly CheckpointSummary[];
  /** Files of work that was not finished, by their paths in the folder of the run. */
  readonly partial: readonly string[];
  readonly now: Instant;
  readonly standingOf?: StandingOf;
}

export function reportView(run: Run, facts: ReportFacts): RunReport {
  const { errors, questions, retries, checkpoints, partial, now, log, folder, state, standingOf } = facts;
  const reported = errors.map((error) => ({ error, outcome: judgeErrorOutcome(run, error) }));
  const waits = listWaits(run, [], standingOf);
  const status = judgeCondition(run, waits);
  return {
    run: run.id,
    workflow: run.plan.name,
    status,
    generated_ms: now,
    created_ms: run.clock.startedMs,
    ended_ms: run.clock.endedMs,
    degradation_level: run.level,
    warnings: run.warnings,
    error: run.error === null ? null : { code: run.error.code, message: run.error.message },
    summary: describeRun(run, errors.length),
    degradation: degradationSummary(collectDegradation(run)),
    losses: run.losses,
    capabilities: availableCapabilities(listRoles(run)),
    results: stepsIn(run).map(({ address, state, marks, result }) => ({
      stage: address,
      state: state.kind,
      why: findReason(state),
      marks,
      commit: result?.commit ?? null,
      artifacts: Object.values(result?.artifacts ?? {}).map(({ path }) => path),
      partial: partial.filter((path) => /^partial\/(.+)-\d+\/[^/]+$/.exec(path)?.[1] === address),
      remarks: result?.verdict == null || result.verdict.verdict === 'approved' ? [] : result.verdict.issues,
    })),
    errors: reported.map(({ error, outcome }) => reportedError(error, outcome)),
    recoveries: reported.flatMap(({ error: { id, code, component: where, strategy, at }, outcome }) =>
      strategy === null ? [] : [{ error: id, code, where, strategy, outcome, at_ms: at }],
    ),
    questions: withOpen(run, questions).map(reportedQuestion),
    retries: retries.map(reportedRetry),
    compensations: run.compensations,
    suggestions: suggestionsFor(
      run,
      status,
      reported.flatMap(({ error, outcome }) => (DEALT_WITH.includes(outcome) ? [] : [error])),
      waits,
    ),
    debug: { checkpoint: checkpoints[0]?.id ?? null, log, folder, state },
  };
}

/** Nothing is left to do about it, or the next failure of the stage says what. */
const DEALT_WITH: readonly ReportedOutcome[] = ['recovered', 'failed again', 'rolled back'];

function collectDegradation(run: Run): Degradation {
  const { level, warnings, losses } = run;
  const all = stepsIn(run);
  const lost = listRoles(run).flatMap(({ name, unavailable }) => (unavailable ? [name] : []));
  return {
    level,
    warnings,
    losses,
    unavailableRoles: lost,
    skippedStages: all.filter(({ state, marks }) => state.kind === 'skipped' && marks.length > 0).map(({ address }) => address),
    markedOutputs: Object.fromEntries(all.filter(({ state }) => state.kind === 'done').map(({ address, marks }) => [address, marks])),
  };
}

function describeRun(run: Run, failures: number): string {
  // The stages of items are many, and their for_each counts them.
  const steps = Object.values(run.steps).filter(({ address }) => !isOfItem(address));
  const done = steps.filter(({ state }) => state.kind === 'done').length;
  const skipped = steps.filter(({ state }) => state.kind === 'skipped').length;
  const counts = [`${done} of ${run.plan.stages.length} stages done`, ...(skipped === 0 ? [] : [`${skipped} skipped`])];
  return [...counts, failures === 0 ? 'no failures' : `${failures} ${failures === 1 ? 'failure' : 'failures'}`].join(', ');
}

/** What became of what llmc did about a failure. A failure that nothing followed stays one. */
export function judgeErrorOutcome({ clock }: Pick<Run, 'clock'>, { outcome, strategy }: LoggedError): ReportedOutcome {
  return outcome ?? (strategy === null || clock.endedMs !== null ? 'failed' : 'under way');
}

/** A run of an older llmc has its questions in its record only. */
function withOpen({ escalations }: Run, questions: readonly Escalation[]): readonly Escalation[] {
  const known = new Set(questions.map(({ number }) => number));
  return [...questions, ...escalations.filter(({ number }) => !known.has(number))].toSorted((one, other) => one.number - other.number);
}

function reportedQuestion({ number, type, step, text, options, at, deadline, answer }: Escalation): ReportedQuestion {
  return {
    number,
    type,
    stage: step,
    text,
    options,
    asked_ms: at,
    default: deadline?.option ?? null,
    by_itself_ms: deadline?.at ?? null,
    answer: answer === null ? null : { option: answer.option, text: answer.text, at_ms: answer.at, by: answer.by },
  };
}

function reportedRetry({ operation, step, attempt, at, delayMs, error, outcome }: LoggedRetry): ReportedRetry {
  return { operation, stage: step, attempt, at_ms: at, delay_ms: delayMs, code: error.code, message: error.message, outcome };
}

function reportedError(error: LoggedError, outcome: ReportedOutcome): ReportedError {
  const { id, code, category, severity, message, details, component: where, role, at, durationMs, retries } = error;
  return {
    id,
    code,
    category,
    severity,
    message,
    text: userMessage(error),
    details,
    where,
    role,
    at_ms: at,
    duration_ms: durationMs,
    retries,
    recovered: outcome === 'recovered',
    causes: listCauses(error.cause, error),
  };
}

/** A cause that says the same again is left out. */
function listCauses(cause: ErrorRecord | null, of: Pick<ErrorRecord, 'code' | 'message'>): readonly string[] {
  if (cause === null) return [];
  const said = cause.code === of.code && cause.message === of.message ? [] : [`${cause.code}: ${cause.message}`];
  return [...said, ...listCauses(cause.cause, cause)];
}
