import { isDeepStrictEqual } from 'node:util';
import { hashValue } from '../../definition/digest.ts';
import type { ForEachStage, Plan, Role, Stage } from '../../definition/plan.ts';
import { roleAt } from '../seat.ts';

type Known = Pick<Plan, 'roles'>;

/**
 * Whether two versions of a stage ask for the same result. Times, circuit breakers, reactions to failures, the number of rounds and
 * of items at a time, and whether later stages can do without it do not change a result that is there: they count from now on. What a `for_each` does with an item is compared apart.
 */
export function isSameWork(one: Stage, in1: Known, other: Stage, in2: Known): boolean {
  return hashValue(toWork(one, in1)) === hashValue(toWork(other, in2));
}

/** Whether two versions of a stage with the same work are the same in everything else, the stages of items apart. */
export function isSameSettings(one: Stage, other: Stage): boolean {
  return hashValue(withoutInner(one)) === hashValue(withoutInner(other));
}

/** The roles of both plans that differ in what `of` names. */
export function otherRoles(one: Known, other: Known, of: (role: Role) => readonly unknown[]): readonly string[] {
  return Object.entries(other.roles).flatMap(([name, role]) => {
    const before = Object.hasOwn(one.roles, name) ? one.roles[name] : undefined;
    return before === undefined || isDeepStrictEqual(of(before), of(role)) ? [] : [name];
  });
}

function withoutInner(stage: Stage): object {
  return { ...stage, digest: '', ...(stage.kind === 'for_each' && { stages: [] }) };
}

function toWork(stage: Stage, { roles }: Known): object {
  const { digest: _digest, timeoutMs: _timeout, circuitBreaker: _breaker, onFailure: _reactions, ...work } = stage;
  if (work.kind === 'for_each') return ownWork(work);
  const role = roleAt(stage);
  // Every agent of the role is told this.
  const told = role === undefined ? '' : (roles[role]?.prompt ?? '');
  if (work.kind === 'work') return { ...work, optional: undefined, told };
  if (work.kind !== 'review') return { ...work, told };
  const { maxRounds: _rounds, ...review } = work;
  return { ...review, told };
}

function ownWork(
  stage: Pick<ForEachStage, 'id' | 'kind' | 'needs' | 'when' | 'whenUnknown' | 'require' | 'of' | 'key' | 'after' | 'agreeOn'>,
) {
  const { id, kind, needs, when, whenUnknown, require, of, key, after, agreeOn } = stage;
  return { id, kind, needs, when, whenUnknown, require, of, key, after, agreeOn };
}
