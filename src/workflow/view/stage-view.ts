import type { Instant } from '../../base/ports.ts';
import { agentsFor } from '../agents-file/agents-for.ts';
import type { ForEachStage, Plan, Stage } from '../definition/plan.ts';
import { agentKey } from '../model/agent-key.ts';
import { countMaxRounds, type Run, type Step } from '../model/run.ts';
import { runWorkerName } from '../model/run-names.ts';
import { listItems, listSiblings } from '../model/stage-at.ts';
import { sessionSuffix } from '../next/attempt.ts';
import { landedBy } from '../next/landed-by.ts';
import { roleAt } from '../next/seat.ts';
import type { Progress } from '../perform/left/progress.ts';
import { waitText } from './wait-text.ts';
import type { Wait } from './waits.ts';

/** A stage as `llmc show` presents it. The names are part of the contract of `--json`. */
export interface StageView {
  readonly id: string;
  readonly kind: Stage['kind'];
  /** How far it is from the stages that belong to no other: a review and a landing belong to the stage whose work they take. */
  readonly depth: number;
  readonly state: Step['state']['kind'];
  /** Who does it: a role, `person`, `command`, or `run` for llmc itself. */
  readonly by: string;
  readonly role: string | null;
  readonly worker: string | null;
  /** The agent in use, where the workflow names it; null for the agent of `[defaults]`, and without a role. */
  readonly agent: string | null;
  /** `-r2`, `-codex-r2`: which try this is, and with which agent. */
  readonly session: string;
  readonly attempt: number;
  readonly round: number;
  readonly max_rounds: number | null;
  readonly marks: readonly string[];
  readonly started_ms: Instant | null;
  readonly ended_ms: Instant | null;
  /** What its agent says about how far it is; null if it says nothing. */
  readonly progress: Progress | null;
  /** What it waits for, in words. */
  readonly waiting_for: string | null;
  /** Why it was skipped, or how it failed. */
  readonly why: string | null;
  readonly commit: string | null;
  readonly verdict: string | null;
  readonly artifacts: readonly string[];
  /** The items of a `for_each`, in the order of its list; null for other stages. */
  readonly items: readonly ItemView[] | null;
}

/** One item of a `for_each`. Its stages are there once it has begun. */
export interface ItemView extends Pick<StageView, 'id' | 'state' | 'marks' | 'started_ms' | 'ended_ms' | 'why'> {
  readonly key: string;
  readonly stages: readonly StageView[];
}

/** The stages in the order of the plan, those that belong to another one after it. */
export function stageViews(run: Run, waits: readonly Wait[], now: Instant): readonly StageView[] {
  return inTree(run.plan.stages).map(({ stage, depth }) => stageView(run, stage, depth, waits, now));
}

function inTree(stages: Plan['stages']): readonly { readonly stage: Stage; readonly depth: number }[] {
  const known = new Set(stages.map(({ id }) => id));
  const owner = (stage: Stage) => ((stage.kind === 'review' || stage.kind === 'land') && known.has(stage.of) ? stage.of : undefined);
  const below = (of: string | undefined, depth: number): { readonly stage: Stage; readonly depth: number }[] =>
    stages.filter((stage) => owner(stage) === of).flatMap((stage) => [{ stage, depth }, ...below(stage.id, depth + 1)]);
  return below(undefined, 0);
}

function stageView(run: Run, stage: Stage, depth: number, waits: readonly Wait[], now: Instant): StageView {
  const { id, kind } = stage;
  const step = run.steps[id];
  const role = roleAt(stage) ?? null;
  const result = step?.result;
  return {
    id,
    kind,
    depth,
    role,
    by: role ?? nameKind(run, stage),
    state: step?.state.kind ?? 'waiting',
    worker: role === null ? null : runWorkerName(run.id, role, step?.seat ?? 1),
    ...agentOfRole(run, role, id, step?.tries ?? 0),
    attempt: step?.attempt ?? 0,
    round: step?.round ?? 1,
    max_rounds: stage.kind === 'review' ? countMaxRounds(stage, step) : null,
    marks: step?.marks ?? [],
    started_ms: step?.startedMs ?? null,
    ended_ms: step?.endedMs ?? null,
    progress: null,
    waiting_for: waitingFor(run, stage, waits, now),
    why: findReason(step?.state),
    commit: result?.commit ?? null,
    verdict: result?.verdict?.verdict ?? null,
    artifacts: Object.values(result?.artifacts ?? {}).map(({ path }) => path),
    items: stage.kind === 'for_each' ? itemViews(run, stage, waits, now) : null,
  };
}

function itemViews(run: Run, { id: forEach }: ForEachStage, waits: readonly Wait[], now: Instant): readonly ItemView[] {
  return listItems(run, forEach).flatMap((id) => {
    const step = run.steps[id];
    if (step?.item == null) return [];
    const { state, marks, startedMs: started_ms, endedMs: ended_ms, item } = step;
    const stages = inTree(listSiblings(run, id)).filter(({ stage }) => Object.hasOwn(run.steps, stage.id));
    return {
      id,
      key: item.key,
      state: state.kind,
      marks,
      started_ms,
      ended_ms,
      why: findReason(state),
      stages: stages.map(({ stage, depth }) => stageView(run, stage, depth, waits, now)),
    };
  });
}

function nameKind(run: Run, stage: Stage): string {
  if (stage.kind === 'land') return landedBy(run, stage);
  return stage.kind === 'review' ? stage.by.kind : stage.kind;
}

function agentOfRole(run: Run, role: string | null, address: string, tries: number): Pick<StageView, 'agent' | 'session'> {
  if (role === null) return { agent: null, session: '' };
  const { agent, fallback } = agentsFor(run, role, address);
  const replaced = (run.roles[agentKey(role, address)] ?? run.roles[role])?.agent === 'fallback' ? fallback : undefined;
  return { agent: replaced ?? agent ?? null, session: sessionSuffix(replaced, tries) };
}

function waitingFor({ steps }: Run, { id, needs }: Stage, waits: readonly Wait[], now: Instant): string | null {
  const wait = waits.find(({ step }) => step === id);
  if (wait !== undefined) return waitText(wait, now);
  if (steps[id] !== undefined && steps[id].state.kind !== 'waiting') return null;
  const open = needs.filter((need) => !['done', 'skipped', 'failed'].includes(steps[need]?.state.kind ?? 'waiting'));
  return open.length === 0 ? null : `waits for ${open.join(', ')}`;
}

/** Why a step was skipped, or how it failed. */
export function findReason(state: Step['state'] | undefined): string | null {
  if (state?.kind === 'skipped') return state.why;
  return state?.kind === 'failed' ? state.error.message : null;
}
