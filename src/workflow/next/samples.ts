import { errorRecord } from '../../recovery/error-record.ts';
import { STRATEGY_POLICY } from '../../recovery/strategies.ts';
import type { CommandStage, ForEachStage, Output, Plan, ReviewStage, Stage, WorkStage } from '../definition/plan.ts';
import { type Action, CHECKPOINT_TYPES, type RunRecord } from '../model/action.ts';
import type { What } from '../model/event.ts';
import { newRun as makeRun } from '../model/new-run.ts';
import type { Result, Run } from '../model/run.ts';
import { next } from './next.ts';
import type { RunPolicy } from './turn.ts';

const base = {
  needs: [],
  when: undefined,
  whenUnknown: undefined,
  require: undefined,
  timeoutMs: undefined,
  circuitBreaker: undefined,
  onFailure: {},
  digest: 'd',
};

const COMMIT: Output = { kind: 'commit' };
const file = (path: string): Output => ({ kind: 'files', files: [{ path, schema: undefined }] });

export function work(id: string, role: string, changes: Partial<WorkStage> = {}): WorkStage {
  return { ...base, kind: 'work', id, role, prompt: `Do ${id}.`, output: COMMIT, ...changes };
}

export function review(id: string, of: string, changes: Partial<ReviewStage> = {}): ReviewStage {
  const by = { kind: 'role', role: 'reviewer' } as const;
  return { ...base, kind: 'review', id, of, by, maxRounds: 3, prompt: `Review ${of}.`, needs: [of], ...changes };
}

export function command(id: string, changes: Partial<CommandStage> = {}): CommandStage {
  return { ...base, kind: 'command', id, lines: ['npm test'], ...changes };
}

/** Research, develop, review, land: each needs the one before it. */
export function swarmPlan(changes: (stages: readonly Stage[]) => readonly Stage[] = (stages) => stages): Plan {
  const role = { agent: undefined, model: undefined, fallback: undefined, prompt: '' };
  return {
    name: 'swarm',
    description: '',
    digest: 'd',
    timeoutMs: 8 * 3_600_000,
    inputs: { task: { type: 'text', oneOf: [], optional: false } },
    roles: {
      researcher: { ...role, whenUnavailable: 'ask' },
      developer: { ...role, whenUnavailable: 'stop', fallback: 'codex' },
      reviewer: { ...role, whenUnavailable: 'skip' },
    },
    stages: changes([
      work('research', 'researcher', { output: file('findings.md') }),
      work('develop', 'developer', { needs: ['research'], prompt: 'Develop {{inputs.task}} by {{research}}.' }),
      review('review', 'develop'),
      { ...base, kind: 'land', id: 'land', of: 'develop', by: 'person', needs: ['review'] },
    ]),
  };
}

export function forEach(id: string, stages: ForEachStage['stages'], changes: Partial<ForEachStage> = {}): ForEachStage {
  const none = { key: undefined, after: undefined, agreeOn: undefined, statusFile: undefined, agents: undefined };
  return { ...base, ...none, kind: 'for_each', id, of: 'inputs.list', maxParallel: 2, stages, ...changes };
}

/** An outline, its sections with a review each, and a draft of all of them. */
export function sectionsPlan(changes: Partial<ForEachStage> = {}): Plan {
  const plan = swarmPlan();
  return {
    ...plan,
    name: 'sections',
    inputs: { list: { type: 'file', oneOf: [], optional: false } },
    stages: [
      work('outline', 'researcher', { output: file('outline.yaml') }),
      forEach(
        'sections',
        [
          work('write', 'developer', { output: file('section.md'), prompt: 'Write {{item.title}} by {{outline}}.' }),
          review('check', 'write', { maxRounds: 2 }),
        ],
        { of: 'outline.outline.sections', key: 'id', after: 'after', needs: ['outline'], ...changes },
      ),
      work('draft', 'researcher', { needs: ['sections'], output: file('draft.md'), prompt: 'Join {{sections.done}} sections.' }),
    ],
  };
}

export const POLICY: RunPolicy = {
  ...STRATEGY_POLICY,

  stageTimeoutMs: 4 * 3_600_000,
  runTimeoutMs: 24 * 3_600_000,
  startTimeoutMs: 900_000,
  nudgeTimeoutMs: 30_000,
  queueTimeoutMs: 3_600_000,
  saveTimeoutMs: 30_000,
  checkpointEveryMs: 60_000,
  checkpointTypes: CHECKPOINT_TYPES,
  keepCheckpoints: 10,
  continueWithout: ['reviewer'],
};

export function newRun(plan: Plan, at: number): Run {
  return makeRun('swarm-1', plan, { task: 'a clock' }, at);
}

export const result = (changes: Partial<Result> = {}): Result => ({ artifacts: {}, commit: null, answer: null, verdict: null, ...changes });

const NOON = 1_800_000_000_000;

export const CRASH = errorRecord({ id: 'x', code: 'AGENT_CRASHED', message: 'the agent ended (status 1)', component: '', at: NOON });

/** A run that is told events one after the other. */
export class Story {
  run: Run;
  at = NOON;
  readonly actions: Action[] = [];
  readonly records: RunRecord[] = [];
  readonly policy: RunPolicy;
  #events = 0;

  constructor(plan: Plan = swarmPlan(), policy: Partial<RunPolicy> = {}) {
    this.policy = { ...POLICY, ...policy };
    this.run = newRun(plan, NOON);
    this.tell({ kind: 'begin' });
  }

  tell(what: What, afterMs = 1_000): this {
    this.at += afterMs;
    this.#events += 1;
    const decision = next(this.run, { key: `e${this.#events}`, at: this.at, dice: 0, what }, this.policy);
    this.run = decision.run;
    this.actions.push(...decision.actions);
    this.records.push(...decision.records);
    return this;
  }

  /** The last action of a step that something can answer. */
  action(step: string): string {
    const found = this.actions.findLast((one) => one.step === step && one.task.kind !== 'rest')?.id;
    if (found === undefined) throw new Error(`${step} has no action`);
    return found;
  }

  /** An agent takes the task of the step and ends its turn. */
  turn(step: string): this {
    return this.tell({ kind: 'started', action: this.action(step) }).tell({ kind: 'finished', action: this.action(step) });
  }

  work(step: string, commit: string | null = null): this {
    return this.turn(step).tell({ kind: 'collected', action: this.action(step), result: result({ commit }) });
  }

  judge(step: string, ...issues: readonly string[]): this {
    const verdict = { verdict: issues.length === 0 ? 'approved' : 'changes', issues } as const;
    return this.turn(step).tell({ kind: 'collected', action: this.action(step), result: result({ verdict }) });
  }

  crash(step: string): this {
    const error = { ...CRASH, component: step };
    return this.tell({ kind: 'started', action: this.action(step) }).tell({ kind: 'crashed', action: this.action(step), error });
  }

  tick(afterMs: number): this {
    return this.tell({ kind: 'tick' }, afterMs);
  }

  states(): Readonly<Record<string, string>> {
    return Object.fromEntries(Object.values(this.run.steps).map(({ address, state }) => [address, state.kind]));
  }

  tasks(step?: string): readonly string[] {
    return this.actions.filter((one) => step === undefined || one.step === step).map(({ step: of, task }) => `${of}: ${task.kind}`);
  }
}
