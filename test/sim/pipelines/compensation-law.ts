import { isDeepStrictEqual } from 'node:util';
import type { Action, ArchiveTask } from '../../../src/workflow/model/action.ts';
import type { Compensation } from '../../../src/workflow/model/compensation.ts';
import type { RunEvent } from '../../../src/workflow/model/event.ts';
import type { Result, Run } from '../../../src/workflow/model/run.ts';
import { stageAt } from '../../../src/workflow/model/stage-at.ts';
import type { Decision } from '../../../src/workflow/next/turn.ts';

/** What a result has left outside of the run: files, a commit, a landing on main. */
function effectsOf(run: Run, address: string, result: Result | null): readonly string[] {
  if (result === null) return [];
  const isLanding = stageAt(run, address)?.kind === 'land';
  return [
    ...Object.values(result.artifacts).map(({ path }) => `file ${path}`),
    ...(result.commit === null ? [] : [`${isLanding ? 'landing' : 'commit'} ${result.commit}`]),
  ];
}

function undoneBy(run: Run, step: string, { files, commit }: ArchiveTask): readonly string[] {
  const isLanding = stageAt(run, step)?.kind === 'land';
  return [...files.map((path) => `file ${path}`), ...(commit === null ? [] : [`${isLanding ? 'landing' : 'commit'} ${commit}`])];
}

/** Each effect that the run has recorded is undone at most once, with its record; nothing else is; and none is forgotten. */
export class CompensationLaw {
  readonly #recorded = new Set<string>();
  readonly #undone = new Set<string>();
  /** Archive actions that were decided on, and not performed. */
  readonly #open = new Set<string>();

  decided(before: Run, { what }: RunEvent, { run, actions }: Decision): void {
    this.#left(before, what);
    this.#kept(before, run);
    const archives = actions.flatMap(({ id, step, task }) => (task.kind === 'archive' ? [{ id, step, task }] : []));
    for (const { id, step, task } of archives) {
      this.#open.add(id);
      for (const effect of undoneBy(before, step, task)) this.#undo(effect, step);
    }
    records(before, run, archives);
    for (const [address, { result }] of Object.entries(run.steps)) this.#record(run, address, result);
    // What a recovery makes of results is its own test.
    if (what.kind !== 'recovered') this.#forgotten(before, run, what);
  }

  performed({ id }: Action): void {
    this.#open.delete(id);
  }

  ended(): void {
    if (this.#open.size > 0) throw new Error(`what should be archived was not: ${[...this.#open].join(', ')}`);
  }

  /** A result may be undone by the very decision that takes it. */
  #left(run: Run, what: RunEvent['what']): void {
    if (what.kind !== 'collected' && what.kind !== 'landed') return;
    const step = Object.values(run.steps).find(({ state }) => 'action' in state && state.action === what.action);
    const result = what.kind === 'collected' ? what.result : { artifacts: {}, commit: what.commit, answer: null, verdict: null };
    for (const effect of step === undefined ? [] : effectsOf(run, step.address, result)) this.#recorded.add(effect);
  }

  /** A person left a landing where it is: the same work may land once more, and main has it already. */
  #kept(before: Run, run: Run): void {
    const keptIn = ({ compensations }: Run) =>
      compensations.flatMap(({ number, landings }) =>
        landings.flatMap(({ state, step, commit }) => (state === 'kept' ? [{ name: `${number} ${step}`, commit }] : [])),
      );
    const known = new Set(keptIn(before).map(({ name }) => name));
    for (const { name, commit } of keptIn(run)) if (!known.has(name)) this.#undone.delete(`landing ${commit}`);
  }

  #undo(effect: string, step: string): void {
    if (!this.#recorded.has(effect)) throw new Error(`${step}: ${effect} is undone, and it never happened`);
    if (this.#undone.has(effect)) throw new Error(`${step}: ${effect} is undone a second time`);
    this.#undone.add(effect);
  }

  #record(run: Run, address: string, result: Result | null): void {
    for (const effect of effectsOf(run, address, result)) {
      if (this.#undone.has(effect)) throw new Error(`${address}: ${effect} is undone, and the run still uses it`);
      this.#recorded.add(effect);
    }
  }

  /** A step loses its result only when it is undone, or when its agent makes another one. */
  #forgotten(before: Run, run: Run, what: RunEvent['what']): void {
    for (const [address, { result, state }] of Object.entries(before.steps)) {
      if (what.kind === 'collected' && 'action' in state && state.action === what.action) continue;
      if (result === null || result === run.steps[address]?.result || run.steps[address]?.result != null) continue;
      for (const effect of effectsOf(before, address, result))
        if (!this.#undone.has(effect)) throw new Error(`${address}: ${effect} is lost`);
    }
  }
}

/** The history of compensations only grows, and says what its actions do. */
function records(before: Run, run: Run, archives: readonly { readonly step: string; readonly task: ArchiveTask }[]): void {
  const known = before.compensations.length;
  if (run.compensations.some((one, index) => one.number !== index + 1 || (index < known && !isSame(one, before.compensations[index]))))
    throw new Error('the history of compensations is not what it was');
  for (const { number, steps, archived } of run.compensations.slice(known)) {
    const own = archives.filter(({ task }) => task.number === number);
    const isWhole = own.length === steps.length && own.every(({ step, task }) => steps.includes(step) && task.folder === archived);
    if (!isWhole)
      throw new Error(`compensation ${number} says ${steps.join(', ')}, and ${own.map(({ step }) => step).join(', ')} is archived`);
  }
  const stray = archives.find(({ task }) => task.number <= known || task.number > run.compensations.length);
  if (stray !== undefined) throw new Error(`${stray.step} is archived without a record`);
}

/** Only what becomes of landings is added later. */
function isSame(one: Compensation, before: Compensation | undefined): boolean {
  return before === undefined || isDeepStrictEqual({ ...one, landings: [] }, { ...before, landings: [] });
}
