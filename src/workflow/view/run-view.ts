import { join } from 'node:path';
import type { Instant } from '../../base/ports.ts';
import { commandLine } from '../../base/shell-quote.ts';
import type { FailingService } from '../../store/tables/failing-services.ts';
import type { Escalation, LostAgent } from '../model/escalation.ts';
import type { Run, Step } from '../model/run.ts';
import { stageAt } from '../model/stage-at.ts';
import type { Progress } from '../perform/left/progress.ts';
import type { OpenTask, RunSummary } from '../store/ports.ts';
import { type BreakerView, breakerViews, serviceViews } from './breaker-view.ts';
import { type PauseView, pauseView } from './pause-view.ts';
import { type StageView, stageViews } from './stage-view.ts';
import { runWaitText } from './wait-text.ts';
import { conditionOf, type RunCondition, type StandingOf, type Wait, waitsOf } from './waits.ts';

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
  /** Circuit breakers that are not closed. */
  readonly breakers: readonly BreakerView[];
  /** What a pause found; null for a run that is not paused. */
  readonly pause: PauseView | null;
  /** How often it recovered from a failure. */
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
  /** For an approval: the files of the result, and the command that shows its commit. For a crash: the file with the last screen. */
  readonly see: readonly string[];
  /** For an approval: the result that it is about. */
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
export interface Surroundings {
  readonly standingOf?: StandingOf;
  /** The folder of the run, with its artifacts. */
  readonly folder?: string;
  /** Services that fail at the moment, for all runs. */
  readonly services?: readonly FailingService[];
  /** The clone that has every commit of the run. */
  readonly repository?: string;
  /** The folder with what agents had left of unfinished work; null if there is none. */
  readonly unfinished?: () => string | null;
}

export function runLine(run: Run, tasks: readonly OpenTask[], now: Instant, { standingOf }: Surroundings = {}): RunLine {
  const waits = waitsOf(run, tasks, standingOf);
  const [first] = waits;
  const under = [...new Set(waits.flatMap(({ step }) => step ?? []))];
  return {
    ...{ id: run.id, workflow: run.plan.name, status: conditionOf(run, waits) },
    ...{ stage: under.length === 0 ? null : under.join(', '), degradation_level: run.level },
    ...{ waiting_for: first === undefined ? null : runWaitText(first, now), waiting_kind: first?.kind ?? null },
    error: run.error === null ? null : { code: run.error.code, message: run.error.message },
    ...{ created_ms: run.clock.startedMs, ended_ms: run.clock.endedMs },
  };
}

/** A run whose record cannot be read: only its columns are known. */
export function unreadableLine({ id, workflow, status, level, createdMs, endedMs }: RunSummary): RunLine {
  return {
    ...{ id, workflow, status: conditionOf({ status }, []), stage: null, degradation_level: level },
    ...{
      waiting_for: `its record cannot be read: ${commandLine('llmc', 'show', id)}`,
      waiting_kind: null,
      error: null,
      created_ms: createdMs,
      ended_ms: endedMs,
    },
  };
}

export function runView(run: Run, tasks: readonly OpenTask[], now: Instant, around: Surroundings = {}): RunView {
  const waits = waitsOf(run, tasks, around.standingOf);
  return {
    ...runLine(run, tasks, now, around),
    inputs: run.inputs,
    stages: stageViews(run, waits, now),
    questions: waits.flatMap((wait) => (wait.kind === 'person' ? [questionView(run, wait.question, around)] : [])),
    reviews: waits.flatMap((wait) => (wait.kind === 'review' ? [{ run: run.id, stage: wait.step, worker: wait.worker }] : [])),
    breakers: [...breakerViews(run), ...(run.clock.endedMs === null ? serviceViews(around.services ?? []) : [])],
    pause: pauseView(run, around.unfinished?.() ?? null),
    ...{ warnings: run.warnings, recoveries: run.recoveries, result: run.status === 'done' ? lastFiles(run, around) : [] },
  };
}

function lastFiles(run: Run, around: Surroundings): readonly string[] {
  const last = run.plan.stages.findLast(({ kind }) => kind === 'work');
  return last === undefined ? [] : filesOf(run.steps[last.id]?.result, around.folder);
}

function questionView(run: Run, question: Escalation, around: Surroundings): QuestionView {
  const { number, type, step, text, options, recommended, at, deadline, lost } = question;
  const see = type === 'approval' && step !== null ? resultsOf(run, step, around) : lost?.output == null ? [] : [lost.output];
  return {
    ...{
      run: run.id,
      number,
      type,
      stage: step,
      text,
      see,
      approves: type === 'approval' ? approvedResult(run, step) : null,
      options,
      recommended,
      asked_ms: at,
    },
    ...{ default: deadline?.option ?? null, by_itself_ms: deadline?.at ?? null },
    ...{ attempts: lost?.agents ?? [], progress: null },
  };
}

function approvedResult(run: Run, review: string | null): ApprovedResult | null {
  const stage = review === null ? undefined : stageAt(run, review);
  const result = stage?.kind === 'review' ? run.steps[stage.of]?.result : undefined;
  if (stage?.kind !== 'review' || result == null) return null;
  const files = Object.entries(result.artifacts).map(([name, { path, sha256 }]) => ({ name, path, sha256 }));
  return result.commit === null && files.length === 0 ? null : { stage: stage.of, commit: result.commit, files };
}

/** Where the result of the stage is that a person should approve. */
function resultsOf(run: Run, review: string, { folder, repository }: Surroundings): readonly string[] {
  const stage = stageAt(run, review);
  const result = stage?.kind === 'review' ? run.steps[stage.of]?.result : undefined;
  const files = filesOf(result, folder);
  if (result?.commit == null || repository === undefined) return files;
  return [...files, commandLine('git', '-C', repository, 'show', result.commit.slice(0, 12))];
}

function filesOf(result: Step['result'] | undefined, folder: string | undefined): readonly string[] {
  return Object.values(result?.artifacts ?? {}).map(({ path }) => (folder === undefined ? path : join(folder, path)));
}
