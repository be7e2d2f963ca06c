import type { ErrorCode } from '../../../src/base/error-codes.ts';
import { errorRecord } from '../../../src/recovery/error-record.ts';
import type { Output } from '../../../src/workflow/definition/plan.ts';
import type { Action, Task } from '../../../src/workflow/model/action.ts';
import { isOfItem, splitAddress } from '../../../src/workflow/model/address.ts';
import type { AboutAction } from '../../../src/workflow/model/event.ts';
import type { Result } from '../../../src/workflow/model/run.ts';
import type { LivingWorker } from '../../../src/workflow/perform/run-workers.ts';
import type { Dice } from './dice.ts';
import type { MainBranch } from './main-branch.ts';
import { ITEM_KEYS, type Pipeline } from './plan.ts';

const FAILURES: readonly [ErrorCode, ...ErrorCode[]] = [
  'NETWORK_ERROR',
  'RATE_LIMITED',
  'AGENT_NOT_FOUND',
  'DELIVERY_FAILED',
  'DATABASE_ERROR',
];

/** The agents of a run. They crash, hang, ask, leave nothing, disagree, or do their work. */
export class Agents {
  readonly #dice: Dice;
  readonly #pipeline: Pipeline;
  readonly #main: MainBranch;
  /** The action that the agent of each living worker has; null while it has nothing to do. */
  readonly #living = new Map<string, string | null>();
  /** Actions whose agents hang. */
  readonly #hanging = new Set<string>();
  /** How often agents of this run fail. */
  readonly #trouble: number;

  constructor(dice: Dice, pipeline: Pipeline, main: MainBranch) {
    this.#dice = dice;
    this.#main = main;
    this.#pipeline = pipeline;
    this.#trouble = dice.oneOf([0.02, 0.1, 0.25, 0.5]);
  }

  living(): readonly LivingWorker[] {
    return [...this.#living].map(([name, action]) => ({ name, busy: action !== null }));
  }

  rest(seat: string): void {
    this.#living.delete(seat);
  }

  /** An agent whose report is out has nothing to do. */
  reported({ kind, action }: AboutAction): void {
    if (!['finished', 'crashed', 'failed', 'lost'].includes(kind)) return;
    for (const [seat, current] of this.#living)
      if (current === action) {
        if (kind === 'finished') this.#living.set(seat, null);
        else this.#living.delete(seat);
      }
  }

  /** The agents that hang are told to go on, because nothing else moves: a person at a dialog. */
  wakeUp(): readonly AboutAction[] {
    const events = [...this.#hanging].map((action): AboutAction => ({ kind: 'finished', action }));
    this.#hanging.clear();
    return events;
  }

  perform({ id: action, step, task }: Action, at: number): readonly AboutAction[] {
    switch (task.kind) {
      case 'attempt':
      case 'follow_up':
        this.#living.set(task.seat, action);
        return [...this.#beginning(action), ...this.#end(action, step, at)];
      case 'save':
        return this.#save(action, step, at);
      case 'nudge':
        return this.#nudged(action, task);
      case 'collect':
        return [this.#collected(action, step, task)];
      case 'check':
        return [
          { kind: 'started', action },
          { kind: 'checked', action, output: 'o', ...this.#checked() },
        ];
      case 'land':
        return this.#land(action, step, task, at);
      case 'undo':
        return [this.#undo(action, step, task, at)];
      case 'rest':
      case 'halt':
      case 'dismiss':
        this.#living.delete(task.seat);
        return [];
      default:
        return [];
    }
  }

  #fails(chance = this.#trouble): boolean {
    return this.#dice.happens(chance);
  }

  #error(action: string, step: string, code: ErrorCode, at: number) {
    return errorRecord({ id: `${action}.e`, code, message: 'm', component: step, at });
  }

  #beginning(action: string): readonly AboutAction[] {
    return [
      { kind: 'given', action },
      { kind: 'started', action },
    ];
  }

  #end(action: string, step: string, at: number): readonly AboutAction[] {
    const finished: AboutAction = { kind: 'finished', action };
    if (!this.#fails()) return [...this.#detours(action), finished];
    switch (this.#dice.from(0, 5)) {
      case 0:
      case 1:
        return [{ kind: 'crashed', action, error: this.#error(action, step, 'AGENT_CRASHED', at) }];
      case 2:
        return [{ kind: 'failed', action, error: this.#error(action, step, this.#dice.oneOf(FAILURES), at) }];
      case 3:
        return [{ kind: 'lost', action }];
      case 4:
        // It never gives an answer: its time runs out.
        this.#hanging.add(action);
        return [];
      default:
        return [
          { kind: 'asked', action, question: 'which?' },
          ...(this.#dice.happens(0.5) ? [{ kind: 'answered', action } as const, finished] : []),
        ];
    }
  }

  #detours(action: string): readonly AboutAction[] {
    if (!this.#fails(0.05)) return [];
    return [
      { kind: 'parked', action },
      { kind: 'unparked', action },
    ];
  }

  #save(action: string, step: string, at: number): readonly AboutAction[] {
    const given: AboutAction = { kind: 'given', action };
    if (this.#fails(0.3)) return [given];
    const end = this.#fails(0.2)
      ? ({ kind: 'crashed', action, error: this.#error(action, step, 'AGENT_CRASHED', at) } as const)
      : ({ kind: 'finished', action } as const);
    return [given, { kind: 'started', action }, end];
  }

  #checked(): { readonly passed: boolean; readonly late?: boolean } {
    if (!this.#fails(this.#trouble + 0.1)) return { passed: true };
    return { passed: false, ...(this.#dice.happens(0.3) && { late: true }) };
  }

  /** It works, hangs on, answers at some time, or ends its turn. */
  #nudged(action: string, { seat, text }: Extract<Task, { kind: 'nudge' }>): readonly AboutAction[] {
    const looked: AboutAction = { kind: 'nudged', action, works: this.#dice.happens(0.3) };
    const current = this.#living.get(seat);
    if (text === null || current == null || this.#dice.happens(0.3)) return [looked];
    const started: AboutAction = { kind: 'started', action };
    if (this.#dice.happens(0.5)) return [looked, started];
    this.#hanging.delete(current);
    return [looked, started, { kind: 'finished', action: current }];
  }

  #collected(action: string, step: string, { output, verdict }: Extract<Task, { kind: 'collect' }>): AboutAction {
    if (this.#fails()) return { kind: 'invalid', action, problems: ['it is missing'] };
    return { kind: 'collected', action, result: { ...this.#left(action, step, output), verdict: verdict ? this.#verdict(step) : null } };
  }

  #verdict(step: string): NonNullable<Result['verdict']> {
    const against = this.#dice.oneOf(['changes', 'changes', 'inconsistent', 'cannot_judge'] as const);
    const verdict = this.#fails(0.3 + this.#trouble / 2) ? against : 'approved';
    if (verdict === 'approved') return { verdict, issues: [] };
    // A review of a stage after the items may name some of them.
    const named = isOfItem(step) ? [] : ITEM_KEYS.filter(() => this.#dice.happens(0.3));
    return { verdict, issues: ['i'], ...(named.length > 0 && { items: named }) };
  }

  #left(action: string, step: string, output: Output): Result {
    const none = { artifacts: {}, commit: null, answer: null, verdict: null };
    if (output.kind !== 'files') return { ...none, ...(output.kind === 'commit' ? { commit: `c-${action}` } : { answer: 'a' }) };
    const files = output.files.map(({ path }) => [
      path,
      { path: `artifacts/${step}-${action}/${path}`, sha256: action, value: this.#value(path, step) },
    ]);
    return { ...none, artifacts: Object.fromEntries(files) };
  }

  #value(file: string, step: string): unknown {
    if (file === 'outline.yaml') return { sections: this.#fails(0.05) ? 'none' : this.#pipeline.sections };
    if (file === 'reviews.yaml') return [{ doi: this.#fails(0.3) ? splitAddress(step).key : '10.1/x' }];
    return null;
  }

  #land(action: string, step: string, { by, commit }: Extract<Task, { kind: 'land' }>, at: number): readonly AboutAction[] {
    const started: AboutAction = { kind: 'started', action };
    const before = this.#main.has(commit);
    if (before !== undefined) return [{ kind: 'landed', action, commit: before }];
    if (this.#fails()) return [{ kind: 'failed', action, error: this.#error(action, step, 'REBASE_CONFLICT', at) }];
    if (by === 'run') return [started, { kind: 'landed', action, commit: this.#main.land(commit, action) }];
    this.#main.offers.set(action, commit);
    return [started];
  }

  #undo(action: string, step: string, task: Extract<Task, { kind: 'undo' }>, at: number): AboutAction {
    if (this.#fails()) return { kind: 'failed', action, error: this.#error(action, step, 'UNDO_REFUSED', at) };
    return { kind: 'undone', action, revert: this.#main.undo(task) };
  }
}
