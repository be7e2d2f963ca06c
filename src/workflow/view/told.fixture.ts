import type { ErrorRecord } from '../../recovery/error-record.ts';
import type { Plan } from '../definition/plan.ts';
import type { Action } from '../model/action.ts';
import type { AboutAction, What } from '../model/event.ts';
import type { Run } from '../model/run.ts';
import { next } from '../next/next.ts';
import { newRun, POLICY, result, swarmPlan } from '../next/samples.ts';
import type { HistoryLine, OpenTask } from '../store/ports.ts';

export const NOON = new Date(2027, 0, 15, 12, 0, 0).getTime();

type Reply = AboutAction extends infer Each ? (Each extends unknown ? Omit<Each, 'action'> : never) : never;

/** A run that is told events one after the other, a second each. */
export class Told {
  run: Run;
  at = NOON;
  readonly actions: Action[] = [];
  readonly history: HistoryLine[] = [];
  readonly errors: ErrorRecord[] = [];

  constructor(plan: Plan = swarmPlan(), inputs?: Run['inputs']) {
    this.run = { ...newRun(plan, NOON), ...(inputs !== undefined && { inputs }) };
    this.tell({ kind: 'begin' });
  }

  tell(what: What, afterMs = 1_000): this {
    this.at += afterMs;
    const decision = next(this.run, { key: `e${this.run.version}`, at: this.at, dice: 0, what }, POLICY);
    this.run = decision.run;
    this.actions.push(...decision.actions);
    for (const record of decision.records) {
      if (record.kind === 'error') this.errors.push(record.error);
      if (record.kind === 'history') this.history.push({ seq: this.history.length + 1, at: this.at, step: record.step, text: record.text });
    }
    return this;
  }

  /** Something answers the last action of a step. */
  reply(step: string, reply: Reply, afterMs = 1_000): this {
    return this.tell({ ...reply, action: this.action(step) }, afterMs);
  }

  /** The last action of a step that something can answer. */
  action(step: string): string {
    return this.actions.findLast((each) => each.step === step && each.task.kind !== 'rest' && each.task.kind !== 'archive')?.id ?? '';
  }

  work(step: string, commit: string | null = null): this {
    this.reply(step, { kind: 'started' }).reply(step, { kind: 'finished' }, 60_000);
    return this.reply(step, { kind: 'collected', result: result({ commit }) });
  }

  judge(step: string, ...issues: readonly string[]): this {
    const verdict = { verdict: issues.length === 0 ? 'approved' : 'changes', issues } as const;
    this.reply(step, { kind: 'started' }).reply(step, { kind: 'finished' }, 60_000);
    return this.reply(step, { kind: 'collected', result: result({ verdict }) });
  }

  /** The actions of the run as they stand in the queue. */
  tasks(state: OpenTask['state'] = 'open'): readonly OpenTask[] {
    return this.actions.map(({ id, step, task }) => ({ id, step, kind: task.kind, state, runAt: this.at, attempt: 0 }));
  }
}
