import { isDeepStrictEqual } from 'node:util';
import type { Action } from '../../../src/workflow/model/action.ts';
import type { RunEvent } from '../../../src/workflow/model/event.ts';
import type { Run } from '../../../src/workflow/model/run.ts';
import { listItems, stageAt, stagesAfter } from '../../../src/workflow/model/stage-at.ts';
import { hasEnded } from '../../../src/workflow/next/next.ts';
import { roleAt } from '../../../src/workflow/next/seat.ts';
import type { Decision, RunPolicy } from '../../../src/workflow/next/turn.ts';
import { requirementHolds } from '../../../src/workflow/next/values.ts';
import { savedRun } from '../../../src/workflow/store/saved-run.ts';
import { listWaits } from '../../../src/workflow/view/waits.ts';
import { BreakerLaw, ProviderLaw } from './breaker-law.ts';
import { CompensationLaw } from './compensation-law.ts';
import { questionsLaw } from './questions-law.ts';
import { skipLaw } from './skip-law.ts';
import type { Watch } from './world.ts';

const EACH_READ = 7;
/** Named here and not taken from the product: a kind that the product forgets is found. */
const HELD: readonly Action['task']['kind'][] = ['attempt', 'follow_up', 'check', 'land', 'undo'];

/** What must hold at every moment of a run, whatever agents, people, clocks and killed processes do. */
export class Laws implements Watch {
  readonly #compensation = new CompensationLaw();
  readonly #breakers = new BreakerLaw();
  readonly #providers = new ProviderLaw();
  /** For a run whose files are written. */
  mirror: { check(run: Run): void } | undefined;

  decided(before: Run, event: RunEvent, decision: Decision, policy: RunPolicy, at: number): void {
    const { run } = decision;
    if (run.version !== before.version + 1) throw new Error(`the version goes from ${before.version} to ${run.version}`);
    if (hasEnded(before) && !hasEnded(run) && event.what.kind !== 'recovered') throw new Error('a run that has ended goes on');
    if (hasEnded(run)) motionless(run);
    windows(run);
    seats(run);
    repeated(before, event, decision);
    held(before, event, decision);
    questionsLaw(before, event, run);
    skipLaw(before, event, run, policy);
    recoveredFrom(before, event, run);
    complete(before, run);
    this.#compensation.decided(before, event, decision);
    this.#breakers.decided(before, event, decision);
    this.#providers.decided(event, decision, policy);
    if (run.version % EACH_READ === 0) this.mirror?.check(savedRun({ decision, at }));
  }

  performed(action: Action, { status }: Run): void {
    if ((status === 'pausing' || status === 'paused') && HELD.includes(action.task.kind))
      throw new Error(`${action.id} (${action.task.kind}) is performed in a run that is ${status}`);
    this.#compensation.performed(action);
  }

  living(agents: number, most: number): void {
    if (agents > most) throw new Error(`${agents} agents live, at most ${most} may`);
  }

  still(run: Run): void {
    if (hasEnded(run)) return;
    const named = listWaits(run, []).filter(({ kind }) => ['person', 'review', 'limit', 'pause'].includes(kind));
    if (named.length === 0) throw new Error(`the run stands still and waits for nobody: ${states(run)}`);
  }

  restarted(stored: Run, kept: Run): void {
    if (!isDeepStrictEqual(stored, jsonOf(kept))) throw new Error('what is stored is not what was decided');
  }

  /** The run knows of everything that it has put on main. */
  over({ steps, compensations }: Run, main: readonly string[]): void {
    const left = compensations.flatMap(({ landings }) => landings.filter(({ state }) => state !== 'undone'));
    const known = new Set([
      ...Object.values(steps).map(({ result }) => result?.commit),
      ...left.map(({ commit, offer }) => commit ?? `main-${offer}`),
    ]);
    const unknown = main.filter((commit) => !known.has(commit));
    if (unknown.length > 0) throw new Error(`main has ${unknown.join(', ')}, and the run does not know it`);
  }

  /** After the run has ended and its queue is empty. */
  ended(): void {
    this.#compensation.ended();
  }
}

export function states({ status, steps }: Run): string {
  return `${status} ${Object.values(steps)
    .map(({ address, state }) => `${address}:${state.kind}`)
    .join(' ')}`;
}

/** As a database gives it back. */
export function jsonOf(run: Run): unknown {
  return JSON.parse(JSON.stringify(run));
}

function motionless(run: Run): void {
  const moving = Object.values(run.steps).filter(({ state }) => !['done', 'skipped', 'failed'].includes(state.kind));
  if (moving.length > 0) throw new Error(`a run that has ended has steps in motion: ${states(run)}`);
}

function windows(run: Run): void {
  for (const stage of run.plan.stages) {
    if (stage.kind !== 'for_each') continue;
    const open = listItems(run, stage.id).filter((address) => run.steps[address]?.state.kind === 'under_way');
    if (open.length > stage.maxParallel)
      throw new Error(`${open.length} items of ${stage.id} are under way, at most ${stage.maxParallel} may be`);
  }
}

/** A worker has one task at a time, and offers the work of one stage. */
function seats(run: Run): void {
  const used = new Map<string, string>();
  for (const { address, state } of Object.values(run.steps)) {
    const stage = stageAt(run, address);
    const author = stage?.kind === 'land' ? stage.of : address;
    const [by, seat] = [stageAt(run, author), run.steps[author]?.seat ?? null];
    const role = by && roleAt(by);
    if (role === undefined || seat === null || (state.kind !== 'acting' && state.kind !== 'working')) continue;
    // To take a landing back needs main alone.
    if (state.kind === 'acting' && state.doing === 'undo') continue;
    const worker = `${role}-${seat}`;
    if (used.has(worker)) throw new Error(`${worker} has the tasks of ${used.get(worker)} and ${address}`);
    used.set(worker, address);
  }
}

/** What is done is done again only after a recorded reason: a compensation, remarks of a review, or a recovery. */
function repeated(before: Run, { what }: RunEvent, { run }: Decision): void {
  if (what.kind === 'recovered' || run.compensations.length > before.compensations.length) return;
  for (const { address, state, round } of Object.values(before.steps)) {
    const after = run.steps[address];
    // Its breaker may open after remarks on it: then it is left out, or a person decides.
    if (state.kind !== 'done' || ['done', 'asking', 'skipped'].includes(after?.state.kind ?? '')) continue;
    const stage = stageAt(before, address);
    const producer = stage?.kind === 'review' ? stage.of : address;
    const sentBack = (run.steps[producer]?.round ?? 0) > (producer === address ? round : (before.steps[producer]?.round ?? 0));
    if (!sentBack) throw new Error(`${address} was done and is ${after?.state.kind ?? 'gone'} after ${what.kind}`);
  }
}

/** A run that is done says what it lacks. */
function complete(before: Run, run: Run): void {
  if (run.status !== 'done' || before.status === 'done') return;
  for (const stage of run.plan.stages)
    if (run.steps[stage.id]?.state.kind === 'done' && !requirementHolds(run, stage) && !run.losses.some(({ step }) => step === stage.id))
      throw new Error(`${stage.id} is done below its requirement, and the run lacks nothing`);
}

/** A recovery from a stage keeps what is done before it, and makes the stage and everything after it again. */
function recoveredFrom(before: Run, { what }: RunEvent, run: Run): void {
  if (what.kind !== 'recovered' || what.from === undefined) return;
  const again = new Set(stagesAfter(before, what.from));
  for (const { id } of before.plan.stages) {
    const [was, now] = [before.steps[id]?.state.kind, run.steps[id]?.state.kind ?? 'waiting'];
    if (was === 'done' && !again.has(id) && now !== 'done' && now !== 'under_way') throw new Error(`${id} was done and is ${now}`);
    const isEmpty = stageAt(run, id)?.kind === 'for_each' && listItems(run, id).length === 0;
    // A list without items is done at once.
    if (again.has(id) && now === 'done' && !isEmpty && run.steps[id]?.endedMs === before.steps[id]?.endedMs)
      throw new Error(`${id} is done after a recovery from ${what.from}`);
  }
}

/** Only a person lets a run go on that they hold. What a decision starts meanwhile stays in the queue. */
function held(before: Run, { what }: RunEvent, { run }: Decision): void {
  if (before.status === 'running' || hasEnded(before) || what.kind === 'resume' || what.kind === 'abort') return;
  if (run.status === 'running') throw new Error(`the run is ${before.status} and goes on after ${what.kind}`);
}
