import type { Instant } from '../../base/ports.ts';
import type { ErrorRecord } from '../../recovery/error-record.ts';
import type { Run } from '../model/run.ts';
import type { HistoryLine, OpenTask } from '../store/ports.ts';
import { type RunSurroundings, type RunView, runView } from './run-view.ts';
import { runWaitText } from './wait-text.ts';
import { listWaits, type Wait } from './waits.ts';

/** Why a run is where it is: everything that it waits for, and the decisions that led there. */
export interface RunWhy extends RunView {
  readonly waits: readonly {
    readonly kind: Wait['kind'];
    readonly stage: string | null;
    readonly text: string;
    /** The latest decisions about the stage, the oldest first: the rule that led there is among them. */
    readonly decisions: readonly Decided[];
    /** The last failure of the stage. */
    readonly failure: {
      readonly code: string;
      readonly message: string;
      readonly details: string | null;
      readonly strategy: string | null;
    } | null;
  }[];
  /** The latest decisions about the whole run, the newest first. */
  readonly history: readonly Decided[];
}

export interface Decided {
  readonly at_ms: Instant;
  readonly stage: string | null;
  readonly text: string;
}

const PER_STAGE = 3;
const IN_ALL = 10;

export interface WhyFacts {
  readonly tasks: readonly OpenTask[];
  readonly history: readonly HistoryLine[];
  readonly errors: readonly ErrorRecord[];
  readonly around?: RunSurroundings;
}

export function whyView(run: Run, { tasks, history, errors, around }: WhyFacts, now: Instant): RunWhy {
  return {
    ...runView(run, tasks, now, { ...around, errors }),
    waits: listWaits(run, tasks, around?.standingOf).map((wait) => ({
      kind: wait.kind,
      stage: wait.step,
      text: runWaitText(wait, now),
      decisions: history
        .filter(({ step }) => step === wait.step)
        .slice(-PER_STAGE)
        .map(toDecided),
      failure: toFailure(errors.findLast(({ component }) => component === wait.step)),
    })),
    history: history.slice(-IN_ALL).toReversed().map(toDecided),
  };
}

function toDecided({ at, step, text }: HistoryLine): Decided {
  return { at_ms: at, stage: step, text };
}

function toFailure(error: ErrorRecord | undefined): RunWhy['waits'][number]['failure'] {
  return error === undefined ? null : { code: error.code, message: error.message, details: error.details, strategy: error.strategy };
}
