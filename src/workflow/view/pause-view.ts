import type { Instant } from '../../base/ports.ts';
import { isOver, type Run, type Step } from '../model/run.ts';
import { stagesIn } from '../model/stage-at.ts';

/** What a pause found. The names are part of the contract of `--json`. */
export interface PauseView {
  readonly since_ms: Instant;
  /** Until when agents save what they have; null once the run is paused. */
  readonly until_ms: Instant | null;
  readonly complete: readonly string[];
  /** Work that has begun and goes on when the run is resumed. */
  readonly partial: readonly string[];
  readonly not_started: readonly string[];
  /** The folder with what agents had left of unfinished work; null if there is none. */
  readonly files: string | null;
}

/** Null for a run that is not paused. Items and the list that they come from are named by their stages. */
export function pauseView(run: Run, files: string | null): PauseView | null {
  const { pause, status } = run;
  if (pause === null) return null;
  const steps = stagesIn(run)
    .filter((stage) => stage.kind !== 'item' || !hasStages(run, stage.stages))
    .filter(({ id, kind }) => kind !== 'for_each' || !Object.keys(run.steps).some((address) => address.startsWith(`${id}/`)))
    .flatMap(({ id }) => run.steps[id] ?? []);
  const named = (is: (step: Step) => boolean) => steps.filter(is).map(({ address }) => address);
  return {
    since_ms: pause.sinceMs,
    until_ms: status === 'pausing' ? pause.untilMs : null,
    complete: named(isOver),
    partial: named((step) => !isOver(step) && hasBegun(step)),
    not_started: named((step) => !isOver(step) && !hasBegun(step)),
    files,
  };
}

function hasStages({ steps }: Run, addresses: readonly string[]): boolean {
  return addresses.some((address) => steps[address] !== undefined);
}

/** An agent may not have got its first task when the run was paused: the task is still in the queue. */
function hasBegun({ state, attempt }: Step): boolean {
  if (state.kind === 'waiting') return false;
  return !(state.kind === 'acting' && state.doing === 'attempt' && attempt === 1);
}
