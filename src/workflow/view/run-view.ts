import { join } from 'node:path';
import type { Instant } from '../../base/ports.ts';
import { commandLine } from '../../base/shell-quote.ts';
import type { ErrorRecord } from '../../recovery/error-record.ts';
import { costsARecovery } from '../../recovery/strategies.ts';
import type { FailingService } from '../../store/tables/failing-services.ts';
import type { Escalation, LostAgent } from '../model/escalation.ts';
import type { Run, RunLoss, Step } from '../model/run.ts';
import { listSiblings, stageAt } from '../model/stage-at.ts';
import { promptForPerson, renderTask } from '../next/compose-prompt.ts';
import type { Progress } from '../perform/left/progress.ts';
import type { OpenTask, RunSummary } from '../store/ports.ts';
import { type BreakerView, breakerViews, serviceViews } from './breaker-view.ts';
import { type PauseView, pauseView } from './pause-view.ts';
import { type StageView, stageViews } from './stage-view.ts';
import { runWaitText } from './wait-text.ts';
import { judgeCondition, listWaits, type RunCondition, type StandingOf, type Wait } from './waits.ts';

/** One line of `llmc runs`. The names are part of the contract of `--json`. */
export interface RunLine {
  readonly id: string;
  readonly workflow: string;
  readonly status: RunCondition;
  /** The stages that are under way; null if none is. */
  readonly stage: string | null;
  readonly degradation_level: Run['level'];
  /** What the run waits for first, in words; null for a run that has ended. */
  readonly waiting_for: string | null;
  readonly waiting_kind: Wait['kind'] | null;
  /** Why it failed or was aborted. */
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly created_ms: Instant;
  readonly ended_ms: Instant | null;
}

export interface RunView extends RunLine {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly stages: readonly StageView[];
  readonly questions: readonly QuestionView[];
  /** Landings that a person reviews and accepts. */
  readonly reviews: readonly ReviewView[];
  readonly warnings: readonly string[];
  /** What is missing, and how the run goes on without it. */
  readonly losses: readonly RunLoss[];
  /** Circuit breakers that are not closed. */
  readonly breakers: readonly BreakerView[];
  /** What a pause found; null for a run that is not paused. */
  readonly pause: PauseView | null;
  /** How often llmc recovered from a failure: retries, restarts, substitutes and rollbacks, those in items too. */
  readonly recoveries: number;
  /** The files that the last work of a run that is done left: what it was started for. */
  readonly result: readonly string[];
}

export interface QuestionView {
  readonly run: string;
  readonly number: number;
  readonly type: Escalation['type'];
  readonly stage: string | null;
  readonly text: string;
  /** What the stage asks of its agent; null for a stage without one, and for an approval, which shows the result. */
  readonly task: string | null;
  /** What the workflow file says to the person who reviews; null for a question about the work of an agent alone, and without a prompt. */
  readonly prompt: string | null;
  /**
   * For a question about a result: its files, the command that shows its commit, and the file with the remarks of its review. For a crash:
   * the file with the last screen.
   */
  readonly see: readonly string[];
  /** For an approval, and for a question about a result: the result. */
  readonly approves: ApprovedResult | null;
  readonly options: readonly string[];
  readonly recommended: string;
  readonly asked_ms: Instant;
  /** The option that is taken when nobody answers until `by_itself_ms`; null: it waits for ever. */
  readonly default: string | null;
  readonly by_itself_ms: Instant | null;
  /** For a role that no agent can work in: what each agent came to, and how far the last one says it was. */
  readonly attempts: readonly LostAgent[];
  readonly progress: Progress | null;
  /** The worker in whose terminal alone it can be answered. */
  readonly terminal: string | null;
}

export interface ApprovedResult {
  readonly stage: string;
  readonly commit: string | null;
  readonly files: readonly { readonly name: string; readonly path: string; readonly sha256: string }[];
}

export interface ReviewView {
  readonly run: string;
  readonly stage: string;
  readonly worker: string;
}

/** What the root knows about a run beside its record. */
export interface RunSurroundings {
  readonly standingOf?: StandingOf;
  /** The folder of the run, with its artifacts. */
  readonly folder?: string;
  /** Services that fail at the moment, for all runs. */
  readonly services?: readonly FailingService[];
  /** The clone that has every commit of the run. */
  readonly repository?: string;
  /** The folder with what agents had left of unfinished work; null if there is none. */
  readonly unfinished?: () => string | null;
  /** Every failure of the run, of its items too. */
  readonly errors?: readonly Pick<ErrorRecord, 'strategy'>[];
}

export function runLine(run: Run, tasks: readonly OpenTask[], now: Instant, { standingOf }: RunSurroundings = {}): RunLine {
  const waits = listWaits(run, tasks, standingOf);
  const [first] = waits;
  const under = [...new Set(waits.flatMap(({ step }) => step ?? []))];
  return {
    id: run.id,
    workflow: run.plan.name,
    status: judgeCondition(run, waits),
    stage: under.length === 0 ? null : under.join(', '),
    degradation_level: run.level,
    waiting_for: first === undefined ? null : runWaitText(first, now),
    waiting_kind: first?.kind ?? null,
    error: run.error === null ? null : { code: run.error.code, message: run.error.message },
    created_ms: run.clock.startedMs,
    ended_ms: run.clock.endedMs,
  };
}

/** A run whose record cannot be read: only its columns are known. */
export function unreadableLine({ id, workflow, status, level, createdMs, endedMs }: RunSummary): RunLine {
  return {
    id,
    workflow,
    status: judgeCondition({ status }, []),
    stage: null,
    degradation_level: level,

    waiting_for: `its record cannot be read: ${commandLine('llmc', 'show', id)}`,
    waiting_kind: null,
    error: null,
    created_ms: createdMs,
    ended_ms: endedMs,
  };
}

export function runView(run: Run, tasks: readonly OpenTask[], now: Instant, around: RunSurroundings = {}): RunView {
  const waits = listWaits(run, tasks, around.standingOf);
  return {
    ...runLine(run, tasks, now, around),
    inputs: run.inputs,
    stages: stageViews(run, waits, now),
    questions: waits.flatMap((wait) => (wait.kind === 'person' ? [questionView(run, wait.question, around)] : [])),
    reviews: waits.flatMap((wait) => (wait.kind === 'review' ? [{ run: run.id, stage: wait.step, worker: wait.worker }] : [])),
    breakers: [...breakerViews(run), ...(run.clock.endedMs === null ? serviceViews(around.services ?? []) : [])],
    pause: pauseView(run, around.unfinished?.() ?? null),

    warnings: run.warnings,
    losses: run.losses,
    recoveries: countRecoveries(run, around),
    result: run.status === 'done' ? lastFiles(run, around) : [],
  };
}

/** The counter in the record begins again at each answer of a person, and items have counters of their own: it is for the limits alone. */
function countRecoveries({ recoveries }: Run, { errors }: RunSurroundings): number {
  return errors === undefined ? recoveries : errors.filter(({ strategy }) => costsARecovery(strategy)).length;
}

function lastFiles(run: Run, around: RunSurroundings): readonly string[] {
  const last = run.plan.stages.findLast(({ kind }) => kind === 'work');
  return last === undefined ? [] : listFiles(run.steps[last.id]?.result, around.folder);
}

function questionView(run: Run, question: Escalation, around: RunSurroundings): QuestionView {
  const { number, type, step, text, options, recommended, at, deadline, lost, terminal = null } = question;
  const about = aboutResult(run, question);
  const see = placesAbout(run, question, around);
  return {
    run: run.id,
    number,
    type,
    stage: step,
    text,
    task: type === 'approval' || step === null ? null : taskAt(run, step),
    prompt: promptAbout(run, question, around),
    see: lost?.output == null ? see : [...see, lost.output],
    approves: about === undefined ? null : approvedResult(run, about.stage),
    options,
    recommended,
    asked_ms: at,
    default: deadline?.option ?? null,
    by_itself_ms: deadline?.at ?? null,
    attempts: lost?.agents ?? [],
    progress: null,
    terminal,
  };
}

/** An agent that asks may have had a book as its task. */
const LONGEST_TASK = 4_000;

function taskAt(run: Run, address: string): string | null {
  const stage = stageAt(run, address);
  const isAgents = stage?.kind === 'work' || (stage?.kind === 'review' && stage.by.kind === 'role');
  return isAgents ? renderTask(run, stage).slice(0, LONGEST_TASK) : null;
}

/** The prompt of a review that a person does: by the workflow file, or because its agent does not work. Null without one. */
export function promptAbout(run: Run, { type, step }: Pick<Escalation, 'type' | 'step'>, { folder }: RunSurroundings): string | null {
  const stage = step === null ? undefined : stageAt(run, step);
  if (stage?.kind !== 'review' || (type !== 'approval' && stage.by.kind !== 'person')) return null;
  return promptForPerson(run, stage, ({ path }) => (folder === undefined ? path : join(folder, path))) || null;
}

/** The types of questions that a person answers by looking at a result. */
const ABOUT_RESULTS: readonly Escalation['type'][] = ['approval', 'unmet', 'circuit_breaker', 'quality_floor'];

interface AboutResult {
  readonly stage: string;
  /** The review that has remarks on it. */
  readonly review: string | null;
}

function aboutResult(run: Run, { type, step }: Pick<Escalation, 'type' | 'step'>): AboutResult | undefined {
  const stage = step === null || !ABOUT_RESULTS.includes(type) ? undefined : stageAt(run, step);
  if (stage?.kind === 'review') return { stage: stage.of, review: stage.id };
  if (stage?.kind !== 'work') return undefined;
  const review = listSiblings(run, stage.id).find((each) => each.kind === 'review' && each.of === stage.id && hasRemarks(run, each.id));
  return { stage: stage.id, review: review?.id ?? null };
}

function hasRemarks({ steps }: Run, review: string): boolean {
  return steps[review]?.result?.verdict?.verdict === 'changes';
}

function approvedResult({ steps }: Run, stage: string): ApprovedResult | null {
  const result = steps[stage]?.result;
  if (result == null) return null;
  const files = Object.entries(result.artifacts).map(([name, { path, sha256 }]) => ({ name, path, sha256 }));
  return result.commit === null && files.length === 0 ? null : { stage, commit: result.commit, files };
}

/** Where a person finds what a question is about: the result, and what its review says. */
export function placesAbout(run: Run, question: Pick<Escalation, 'type' | 'step'>, around: RunSurroundings): readonly string[] {
  const about = aboutResult(run, question);
  return about === undefined ? [] : listPlaces(run, about, around);
}

function listPlaces(run: Run, { stage, review }: AboutResult, { folder, repository }: RunSurroundings): readonly string[] {
  const result = run.steps[stage]?.result;
  const remarks = review !== null && hasRemarks(run, review) ? listFiles(run.steps[review]?.result, folder) : [];
  const commit =
    result?.commit == null || repository === undefined ? [] : [commandLine('git', '-C', repository, 'show', result.commit.slice(0, 12))];
  return [...listFiles(result, folder), ...commit, ...remarks];
}

function listFiles(result: Step['result'] | undefined, folder: string | undefined): readonly string[] {
  return Object.values(result?.artifacts ?? {}).map(({ path }) => (folder === undefined ? path : join(folder, path)));
}
