import { keyText, type Problem, quote } from '../../config/problems/problem.ts';
import type { StageDraft, StageSpec } from './draft.ts';
import { TRIGGERS, type Trigger } from './plan.ts';
import { PERSON } from './schema-parts.ts';
import type { StageContext } from './stage-context.ts';

/** Options that can have no effect where they stand, with the reason: a person who wrote one relies on it. */
export function deadOptions(context: StageContext, body: StageSpec): readonly Problem[] {
  const { spec } = body;
  const dead = (keys: readonly string[], value: unknown, reason: string | undefined): readonly Problem[] => {
    const path = [...context.stage.path, ...keys];
    return value === undefined || reason === undefined ? [] : [{ path, about: 'key', message: `${keyText(path)}: ${reason}` }];
  };
  const prompt = body.key === 'review' && typeof body.spec.by !== 'string' ? body.spec.prompt : '';
  return [
    ...dead(['timeout'], spec.timeout, withoutTime(body)),
    ...dead(['circuit_breaker'], spec.circuit_breaker, isOfPerson(body) ? NO_BREAKER : undefined),
    ...dead(['require'], spec.require, body.key === 'land' ? LANDED : undefined),
    ...dead(['prompt'], prompt === '' ? undefined : prompt, NO_READER),
    ...TRIGGERS.flatMap((trigger) => dead(['on_failure', trigger], spec.on_failure?.[trigger], neverComes(trigger, context, body))),
  ];
}

const NO_BREAKER = 'the review of a person does not fail, so its breaker would never open';
const LANDED = 'the work has landed by then; expected in the stage that makes it';
const NO_READER = 'shell lines read no prompt; remove it, or name a role in by';

function withoutTime(body: StageSpec): string | undefined {
  if (body.key === 'land') return 'a landing has no timeout: it waits for its review, and for main';
  return isOfPerson(body) ? 'the review of a person has no timeout: the run waits for the answer' : undefined;
}

/** Why a trigger never comes in a stage; undefined if it can, or if that cannot be told. */
function neverComes(trigger: Trigger, context: StageContext, body: StageSpec): string | undefined {
  if (trigger === 'timeout') return withoutTime(body);
  const can = canCome(trigger, context, body);
  if (can !== false && trigger === 'disagreement') return besideLimit(context, body);
  return can === false && trigger !== 'unmet' ? NEVER[trigger] : undefined;
}

const NEVER: Readonly<Record<Exclude<Trigger, 'timeout' | 'unmet'>, string>> = {
  crash: 'no agent works here that could crash',
  network: 'no agent works here that needs the network',
  invalid_output: 'no agent works here that could leave a result; expected in a stage with a role',
  limit: 'only a review has rounds; expected in the stage of the review',
  disagreement: 'only a review has rounds; expected in the stage of the review',
  inconsistent: 'only a review by a role gives this verdict; expected in such a stage, or in the one that it reviews',
  cannot_judge: 'only a review by a role gives this verdict; expected in such a stage',
  conflict: 'only a landing can conflict; expected in a stage with land',
};

/** The last round of a review is a `limit` if anything says what follows one. */
function besideLimit({ outer }: StageContext, { spec, key }: StageSpec): string | undefined {
  const isInherited = key === 'review' && outer?.stage.body?.spec.on_failure?.limit !== undefined;
  if (spec.on_failure?.limit === undefined && !isInherited) return undefined;
  const where = isInherited ? `limit of the stage ${quote(outer.stage.id ?? '')}` : 'limit';
  return `${where} says what follows the last round, so disagreement never comes; remove one of them`;
}

/** Undefined if a stage with a broken shape may bring it. */
function canCome(trigger: Trigger, context: StageContext, body: StageSpec): boolean | undefined {
  if (body.key === 'for_each') return inItems(trigger, context.stage.inner);
  switch (trigger) {
    case 'invalid_output':
      return hasAgent(body);
    case 'limit':
    case 'disagreement':
      return body.key === 'review';
    case 'inconsistent':
      return body.key === 'role' ? isReviewedByRole(context) : isOfRole(body);
    case 'cannot_judge':
      return isOfRole(body);
    case 'conflict':
      return body.key === 'land';
    case 'crash':
    case 'network':
      return !isOfPerson(body);
    case 'timeout':
    case 'unmet':
      return true;
  }
}

/** A `for_each` says it for its items, besides what it says about itself. */
function inItems(trigger: Trigger, inner: readonly StageDraft[]): boolean | undefined {
  const bodies = inner.flatMap(({ body }) => body ?? []);
  if (bodies.length < inner.length) return undefined;
  switch (trigger) {
    case 'invalid_output':
      return bodies.some(hasAgent);
    case 'limit':
    case 'disagreement':
      return bodies.some(({ key }) => key === 'review');
    case 'inconsistent':
    case 'cannot_judge':
      return bodies.some(isOfRole);
    case 'conflict':
      return bodies.some(({ key }) => key === 'land');
    default:
      return true;
  }
}

function isReviewedByRole({ stage, order }: StageContext): boolean | undefined {
  const siblings = [...order.stages.values()];
  if (stage.id === undefined || siblings.some(({ body }) => body === undefined)) return undefined;
  return siblings.some(({ body }) => body !== undefined && isOfRole(body) && body.spec.review === stage.id);
}

function hasAgent(body: StageSpec): boolean {
  return body.key === 'role' || isOfRole(body);
}

function isOfRole(body: StageSpec): body is Extract<StageSpec, { key: 'review' }> {
  return body.key === 'review' && typeof body.spec.by === 'string' && body.spec.by !== PERSON;
}

function isOfPerson(body: StageSpec): boolean {
  return body.key === 'review' && body.spec.by === PERSON;
}
