import { parseDuration } from '../../base/duration.ts';
import { hashValue } from './digest.ts';
import type { InputSpec, RoleSpec, StageDraft, StageSpec, WorkflowDraft } from './draft.ts';
import { Order } from './order.ts';
import { listOutputFiles, type OutputSpec } from './output-files.ts';
import type {
  CircuitBreaker,
  ItemStage,
  Output,
  Plan,
  Reaction,
  Reactions,
  Reviewer,
  Role,
  Stage,
  WorkflowInput,
  WorkStage,
} from './plan.ts';
import { PERSON } from './schema-parts.ts';

/** The plan of a draft without problems; undefined if a part of it is broken. */
export function makePlan({ head, inputs, roles, stages }: WorkflowDraft): Plan | undefined {
  const planned = makeAll(stages, makeStage);
  if (head === undefined || planned === undefined) return undefined;
  const content = {
    name: head.name,
    description: head.description,
    inputs: Object.fromEntries([...(inputs ?? [])].flatMap(([name, input]) => (input === undefined ? [] : [[name, makeInput(input)]]))),
    roles: Object.fromEntries([...(roles ?? [])].flatMap(([name, role]) => (role === undefined ? [] : [[name, makeRole(role)]]))),
    timeoutMs: millis(head.timeout),
    stages: planned,
  };
  return { ...content, digest: hashValue(content) };
}

type Maker<Made> = (body: StageSpec, base: ReturnType<typeof makeBase>, stage: StageDraft) => Made | undefined;

function makeAll<Made extends object>(
  stages: readonly StageDraft[],
  make: Maker<Made>,
): readonly (Made & { readonly digest: string })[] | undefined {
  const order = new Order(stages);
  const made = stages.flatMap((stage) => {
    const content = stage.body && make(stage.body, makeBase(stage.body, order), stage);
    return content === undefined ? [] : [{ ...content, digest: hashValue(content) }];
  });
  return made.length === stages.length ? made : undefined;
}

type WithoutDigest<Of> = Of extends unknown ? Omit<Of, 'digest'> : never;

function makeStage(body: StageSpec, base: ReturnType<typeof makeBase>, stage: StageDraft): WithoutDigest<Stage> | undefined {
  if (body.key !== 'for_each') return makeItemStage(body, base);
  const { of, key, after, max_parallel: maxParallel, agree_on: agreeOn, status_file: statusFile, agents } = body.spec.for_each;
  const stages = makeAll(stage.inner, makeItemStage);
  return stages && { ...base, kind: 'for_each', of, key, after, maxParallel, agreeOn, statusFile, agents, stages };
}

function makeItemStage(body: StageSpec, base: ReturnType<typeof makeBase>): WithoutDigest<ItemStage> | undefined {
  switch (body.key) {
    case 'role':
      return makeWork(body.spec, base);
    case 'review': {
      const { review: of, by, max_rounds: maxRounds, prompt } = body.spec;
      return { ...base, kind: 'review', of, by: makeReviewer(by), maxRounds, prompt };
    }
    case 'command':
      return { ...base, kind: 'command', lines: toList(body.spec.command) };
    case 'land':
      return { ...base, kind: 'land', of: body.spec.land, by: body.spec.by };
    case 'for_each':
      return undefined;
  }
}

function makeBase({ spec }: StageSpec, order: Order) {
  const { id, when, when_unknown: whenUnknown, when_not: whenNot, require, timeout, circuit_breaker: breaker, on_failure: failures } = spec;
  return {
    id,
    needs: order.needs(id),
    when,
    whenUnknown,
    whenNot,
    require,
    timeoutMs: millis(timeout),
    circuitBreaker: breaker && makeBreaker(breaker),
    onFailure: Object.fromEntries(Object.entries(failures ?? {}).map(([trigger, reaction]) => [trigger, makeReactions(reaction)])),
  };
}

function makeWork(
  { role, prompt, output, optional }: Extract<StageSpec, { key: 'role' }>['spec'],
  base: ReturnType<typeof makeBase>,
): WithoutDigest<WorkStage> {
  return { ...base, kind: 'work', role, prompt, output: makeOutput(output), ...(optional === true && { optional }) };
}

function makeInput({ type, one_of: oneOf, optional }: InputSpec): WorkflowInput {
  return { type: type ?? 'one_of', oneOf: oneOf ?? [], optional };
}

function makeRole({ agent, model, fallback, prompt, when_unavailable: whenUnavailable }: RoleSpec): Role {
  return { agent, model, fallback, prompt, whenUnavailable };
}

function makeOutput(output: OutputSpec): Output {
  if (output === 'commit' || output === 'answer') return { kind: output };
  return { kind: 'files', files: listOutputFiles(output) };
}

function makeReviewer(by: string | readonly string[]): Reviewer {
  if (typeof by !== 'string') return { kind: 'command', lines: by };
  return by === PERSON ? { kind: 'person' } : { kind: 'role', role: by };
}

function makeBreaker(breaker: NonNullable<StageSpec['spec']['circuit_breaker']>): CircuitBreaker {
  const { scope, failures, retry_after: retryAfter, when_open: whenOpen, default: answer, after } = breaker;
  return { scope, failures, retryAfterMs: parseDuration(retryAfter), whenOpen, default: answer, afterMs: millis(after) };
}

type ReactionSpec = NonNullable<NonNullable<StageSpec['spec']['on_failure']>['crash']>;

function makeReactions(reaction: ReactionSpec): Reactions {
  const after = typeof reaction === 'object' && 'after' in reaction ? (reaction.after ?? 1) : 1;
  return { after, steps: (Array.isArray(reaction) ? reaction : [reaction]).map(makeReaction) };
}

function makeReaction(step: Exclude<ReactionSpec, readonly unknown[]>): Reaction {
  if (step === 'skip') return { kind: 'skip', mark: undefined };
  if (step === 'ask') return { kind: 'ask', options: [] };
  if (typeof step === 'string') return { kind: step };
  const { rollback, skip, ask, notify } = step;
  if (ask !== undefined) return { kind: 'ask', options: ask };
  const notified = notify !== undefined && { notify };
  return rollback === undefined ? { kind: 'skip', mark: skip, ...notified } : { kind: 'rollback', to: rollback, ...notified };
}

function millis(duration: string | undefined): number | undefined {
  return duration === undefined ? undefined : parseDuration(duration);
}

function toList(lines: string | readonly string[]): readonly string[] {
  return typeof lines === 'string' ? [lines] : lines;
}
