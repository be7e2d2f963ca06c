import type { Instant } from '../../base/ports.ts';
import type { StrategyPolicy } from '../../recovery/strategies.ts';
import type { Action, CheckpointType, RecoveryOutcome, RunRecord, Task } from '../model/action.ts';
import { inItem } from '../model/address.ts';
import { agentKey } from '../model/agent-key.ts';
import type { RunEvent } from '../model/event.ts';
import type { DefaultAnswers, Providers } from '../model/policy-parts.ts';
import { type Doing, listActions, type RoleState, type Run, type RunLoss, type Step } from '../model/run.ts';
import { CHECK_SEAT } from '../model/run-names.ts';
import { itemAround, type RunStage, stageAt } from '../model/stage-at.ts';

/** The figures of decisions: stage over workflow over `LLMC_*` over config over default. */
export interface RunPolicy extends StrategyPolicy {
  readonly stageTimeoutMs: number;
  readonly runTimeoutMs: number;
  /** From the start of an agent until it has its task. */
  readonly startTimeoutMs: number;
  /** For an agent whose time is up, from when it has the question how far it is until it answers or works. */
  readonly nudgeTimeoutMs: number;
  /** In the queue for a place, before a person is asked. */
  readonly queueTimeoutMs: number;
  /** In a pause, before agents and shell lines are stopped. */
  readonly saveTimeoutMs: number;
  readonly checkpointEveryMs: number;
  /** The types that are taken. */
  readonly checkpointTypes: readonly CheckpointType[];
  readonly keepCheckpoints: number;
  /** The roles that a run goes on without, if its workflow file has no word for it. */
  readonly continueWithout: readonly string[];
  /** What is done when nobody answers a question. */
  readonly answers?: DefaultAnswers;
  /** Undefined: nothing is known about the services of the agents. */
  readonly providers?: Providers;
  /** Why the program of an agent cannot be started here; undefined if it can. */
  readonly missingAgent?: (agent: string) => string | undefined;
}

export interface Decision {
  readonly run: Run;
  readonly actions: readonly Action[];
  readonly records: readonly RunRecord[];
  /** The steps that are new, changed or gone: only these are written. */
  readonly changedSteps: readonly string[];
}

/** One decision in the making: the run so far, and what follows from it. Nothing outside sees it change. */
export class Turn {
  readonly at: Instant;
  readonly dice: number;
  readonly policy: RunPolicy;
  /** Accounts whose one try a step has from this turn on: the states of the policy are those from before. */
  readonly tried = new Set<string>();
  readonly #before: Run;
  #run: Run;
  readonly #actions: Action[] = [];
  readonly #records: RunRecord[] = [];
  readonly #changedSteps = new Set<string>();
  /** A copy that belongs to this turn alone: with hundreds of items, a copy per change would be most of the work. */
  #ownSteps: Record<string, Step> | undefined;

  constructor(run: Run, { at, dice }: Pick<RunEvent, 'at' | 'dice'>, policy: RunPolicy) {
    this.#before = run;
    this.#run = run;
    this.at = at;
    this.dice = dice;
    this.policy = policy;
  }

  get run(): Run {
    return this.#run;
  }

  change(changes: Partial<Run>): void {
    if (changes.steps !== undefined) {
      for (const address of [...Object.keys(this.#run.steps), ...Object.keys(changes.steps)]) this.#changedSteps.add(address);
      this.#ownSteps = undefined;
    }
    this.#run = { ...this.#run, ...changes };
  }

  step(address: string): Step {
    const step = this.#run.steps[address];
    if (step === undefined) throw new Error(`the run has no step ${address}`);
    return step;
  }

  /** The step that waits for this action; undefined for an action that is over. */
  waitingFor(action: string): Step | undefined {
    return Object.values(this.#run.steps).find(({ state }) => listActions(state).includes(action));
  }

  stage(address: string): RunStage {
    const stage = stageAt(this.#run, address);
    if (stage === undefined) throw new Error(`the plan has no stage ${address}`);
    return stage;
  }

  /** With the address of a step: which agent its item uses. An agent that fails for one item does not count for the others. */
  role(name: string, address = ''): RoleState {
    const { roles } = this.#run;
    // A role may be called "constructor".
    const known = (key: string) => (Object.hasOwn(roles, key) ? roles[key] : undefined);
    const own = known(name) ?? { agent: 'own', unavailable: false, letters: [] };
    const ofItem = known(agentKey(name, address));
    return ofItem === undefined ? own : { ...ofItem, letters: own.letters };
  }

  changeAgent(name: string, address: string, changes: Partial<Omit<RoleState, 'letters'>>): void {
    const state = { ...this.role(name, address), ...changes };
    const key = agentKey(name, address);
    this.change({ roles: { ...this.#run.roles, [key]: key === name ? state : { ...state, letters: [] } } });
  }

  /** How often the run recovered from failures; for a stage of an item, how often the item did. */
  recoveries(address: string): number {
    return this.#itemStep(address)?.item?.recoveries ?? this.#run.recoveries;
  }

  countRecoveries(address: string, recoveries: number): void {
    const step = this.#itemStep(address);
    if (step?.item == null) this.change({ recoveries });
    else this.changeStep(step.address, { item: { ...step.item, recoveries } });
  }

  #itemStep(address: string): Step | undefined {
    const around = itemAround(this.#run, address);
    return around && this.#run.steps[inItem(around.within.id, around.key)];
  }

  changeRole(name: string, changes: Partial<RoleState>): void {
    this.change({ roles: { ...this.#run.roles, [name]: { ...this.role(name), ...changes } } });
  }

  changeStep(address: string, changes: Partial<Step>): void {
    this.putStep({ ...this.step(address), ...changes });
  }

  putStep(step: Step): void {
    this.#steps()[step.address] = step;
    this.#changedSteps.add(step.address);
  }

  removeSteps(addresses: readonly string[]): void {
    const gone = new Set(addresses);
    for (const address of addresses) if (this.#run.steps[address] !== undefined) this.settle(address, 'rolled back');
    this.change({ steps: Object.fromEntries(Object.entries(this.#run.steps).filter(([address]) => !gone.has(address))) });
  }

  #steps(): Record<string, Step> {
    if (this.#ownSteps === undefined) {
      this.#ownSteps = { ...this.#run.steps };
      this.#run = { ...this.#run, steps: this.#ownSteps };
    }
    return this.#ownSteps;
  }

  /** Puts an action of the step into the queue, and the step waits for it. */
  act(address: string, doing: Doing, task: Task, limitMs: number | null = null): void {
    const action = this.perform(address, task);
    const { tried } = this.step(address);
    const isGiven = doing === 'attempt' || doing === 'follow_up' || doing === 'save';
    this.changeStep(address, { state: { kind: 'acting', action, doing, limitMs }, tried: isGiven ? [...tried, action] : tried });
  }

  /** Puts an action into the queue that no step waits for. */
  perform(step: string, task: Task): string {
    const id = `${this.#run.id}.${this.number()}`;
    this.#actions.push({ id, step, task });
    if (task.kind === 'attempt') this.#keepSeat(task.seat);
    if (task.kind === 'check') this.#keepSeat(CHECK_SEAT);
    return id;
  }

  #keepSeat(seat: string): void {
    const { seats } = this.#run;
    if (!seats.includes(seat)) this.change({ seats: [...seats, seat] });
  }

  number(): number {
    const counter = this.#run.counter + 1;
    this.change({ counter });
    return counter;
  }

  record(record: RunRecord): void {
    if (record.kind !== 'checkpoint') this.#records.push(record);
    else if (this.policy.checkpointTypes.includes(record.type)) {
      this.#records.push({ ...record, run: this.#run });
      // What follows in this turn does not change the run of the record.
      this.#ownSteps = undefined;
      // The next periodic one counts from here; otherwise the run would wake at once.
      this.change({ checkpointMs: this.at });
    }
  }

  note(step: string | null, text: string): void {
    this.record({ kind: 'history', step, text });
  }

  /** `losses`: what is missing from now on. */
  warn(text: string, ...losses: readonly RunLoss[]): void {
    if (!this.#run.warnings.includes(text)) this.change({ warnings: [...this.#run.warnings, text] });
    this.lose(...losses);
  }

  lose(...losses: readonly RunLoss[]): void {
    if (losses.length === 0) return;
    const again = new Set(losses.map(({ step }) => step));
    this.change({ losses: [...this.#run.losses.filter(({ step }) => !again.has(step)), ...losses] });
  }

  /** These steps begin again, so what was missing without them may come. */
  regain(addresses: readonly string[]): void {
    const again = new Set<string | null>(addresses);
    const losses = this.#run.losses.filter(({ step }) => !again.has(step));
    if (losses.length < this.#run.losses.length) this.change({ losses });
  }

  /** What followed the failures of a step has ended so. Nothing for a step whose failures are settled. */
  settle(address: string, outcome: RecoveryOutcome): void {
    if (this.step(address).unsettled !== true) return;
    this.record({ kind: 'settled', step: address, outcome });
    this.changeStep(address, { unsettled: false });
  }

  decision(): Decision {
    const known = new Set(this.#before.escalations);
    const questions = this.#run.escalations.filter((one) => !known.has(one)).map((question) => ({ kind: 'question', question }) as const);
    return {
      run: { ...this.#run, version: this.#run.version + 1 },
      actions: this.#actions,
      records: [...this.#records, ...questions],
      changedSteps: [...this.#changedSteps],
    };
  }
}
