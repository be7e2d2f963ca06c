import { splitAddress } from '../../../src/workflow/model/address.ts';
import type { RunEvent } from '../../../src/workflow/model/event.ts';
import type { Run, RunBreaker, Step } from '../../../src/workflow/model/run.ts';
import { listSiblings, stageAt } from '../../../src/workflow/model/stage-at.ts';
import type { Decision, RunPolicy } from '../../../src/workflow/next/turn.ts';

function isInMotion({ state }: Step): boolean {
  return state.kind === 'acting' || state.kind === 'working';
}

function keyOf(run: Run, address: string): string | undefined {
  const stage = stageAt(run, address);
  if (stage?.circuitBreaker === undefined) return undefined;
  return stage.circuitBreaker.scope === 'item' ? `item:${address}` : `stage:${splitAddress(address).stage}`;
}

const TRIES = ['attempt', 'follow_up', 'check', 'land'];

/** While a breaker is not closed, nothing of it is tried but what was under way when it opened, and one try at a time. */
export class BreakerLaw {
  /** The steps that were in motion when a breaker opened. */
  readonly #underWay = new Map<string, Set<string>>();

  decided(before: Run, { what }: RunEvent, { run, actions }: Decision): void {
    for (const [key, { state }] of Object.entries(run.breakers)) {
      const was = before.breakers[key]?.state;
      if (state.kind === 'closed') this.#underWay.delete(key);
      else if (!this.#underWay.has(key)) this.#underWay.set(key, new Set(inMotion(run, key)));
      if (was?.kind === 'half_open' && state.kind === 'half_open' && was.trial !== state.trial)
        handedOver(run, key, was.trial, state.trial);
    }
    const started = actions.filter(({ task }) => TRIES.includes(task.kind)).map(({ step }) => step);
    // The same try goes on after an outside cause or with remarks of a review; or a person wants another one.
    const same = sameTry(before, what);
    for (const step of started) if (same.includes(step)) this.#underWay.get(keyOf(run, step) ?? '')?.add(step);
    for (const [key, steps] of this.#underWay) {
      const breaker = run.breakers[key];
      if (breaker === undefined) this.#underWay.delete(key);
      else {
        const moving = inMotion(run, key);
        for (const step of steps) if (!moving.includes(step)) steps.delete(step);
        oneTry(
          breaker,
          key,
          moving.filter((address) => !steps.has(address)),
        );
      }
    }
    for (const step of started) this.#mayStart(run, step);
  }

  #mayStart(run: Run, step: string): void {
    const key = keyOf(run, step);
    const state = key === undefined ? undefined : run.breakers[key]?.state;
    if (key === undefined || state === undefined || state.kind === 'closed') return;
    const isTrial = state.kind === 'half_open' && state.trial === step;
    const isMoving = run.steps[step] !== undefined && isInMotion(run.steps[step]);
    if (!isTrial && isMoving && !this.#underWay.get(key)?.has(step)) throw new Error(`${step} is tried while ${key} is ${state.kind}`);
  }
}

/** The step that an event is about, and the work that it has remarks on. */
function sameTry(run: Run, what: RunEvent['what']): readonly string[] {
  if (what.kind !== 'lost' && what.kind !== 'decided' && what.kind !== 'collected' && what.kind !== 'checked') return [];
  const about =
    what.kind === 'decided'
      ? run.escalations.find(({ number }) => number === what.escalation)?.step
      : Object.values(run.steps).find(({ state }) => 'action' in state && state.action === what.action)?.address;
  const stage = about == null ? undefined : stageAt(run, about);
  return stage === undefined ? [] : [stage.id, ...(stage.kind === 'review' ? [stage.of] : [])];
}

function inMotion(run: Run, key: string): readonly string[] {
  return Object.values(run.steps).flatMap((step) => (isInMotion(step) && keyOf(run, step.address) === key ? [step.address] : []));
}

function oneTry({ state }: RunBreaker, key: string, moving: readonly string[]): void {
  if (moving.length > 1) throw new Error(`${key} is ${state.kind}, and ${moving.join(' and ')} are tried`);
  if (state.kind === 'half_open' && moving.some((address) => address !== state.trial))
    throw new Error(`${key} gave its one try to ${state.trial}, and ${moving.join()} is tried`);
}

/** The one try is given to another step only when it can bring no answer any more. */
function handedOver(run: Run, key: string, from: string, to: string): void {
  const step = run.steps[from];
  if (step === undefined) return;
  const isJudged = listSiblings(run, from).some(
    (stage) =>
      stage.kind === 'review' && stage.of === from && !['done', 'skipped', 'failed'].includes(run.steps[stage.id]?.state.kind ?? 'done'),
  );
  if (isInMotion(step) || (step.state.kind === 'done' && isJudged)) throw new Error(`${key} gives the one try of ${from} to ${to}`);
}

/** The service behind an agent gets one try after each wait, over all steps. */
export class ProviderLaw {
  readonly #triedAt = new Map<string, number>();

  decided({ at }: RunEvent, { records }: Decision, { providers }: RunPolicy): void {
    for (const record of records) {
      if (record.kind !== 'provider') continue;
      const last = this.#triedAt.get(record.account);
      if (record.outcome !== 'tried') this.#triedAt.delete(record.account);
      else if (last !== undefined && at < last + (providers?.retryAfterMs ?? 0))
        throw new Error(`${record.account} is tried twice at a time`);
      else this.#triedAt.set(record.account, at);
    }
  }
}
