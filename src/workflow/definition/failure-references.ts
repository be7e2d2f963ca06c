import type { Path } from '../../config/problems/expectation.ts';
import { keyText, type Problem, quote } from '../../config/problems/problem.ts';
import type { StageDraft, StageSpec } from './draft.ts';
import { expectedOf, meantOrKnown } from './order.ts';
import type { StageContext } from './stage-context.ts';

/** The reactions to failures, and the circuit breaker. */
export function failureProblems(context: StageContext, { spec }: StageSpec): readonly Problem[] {
  const at = [...context.stage.path, 'on_failure'];
  const reactions = Object.entries(spec.on_failure ?? {}).flatMap(([trigger, reaction]) => {
    const steps = Array.isArray(reaction)
      ? reaction.map((step, index) => ({ step, path: [...at, trigger, index] }))
      : [{ step: reaction, path: [...at, trigger] }];
    return steps.flatMap(({ step, path }): readonly Problem[] => {
      if (step === 'substitute') return substituteProblems(context, path);
      return typeof step === 'string' || step?.rollback === undefined
        ? []
        : rollbackProblems(context, step.rollback, [...path, 'rollback']);
    });
  });
  return [...reactions, ...breakerProblems(context, spec.circuit_breaker)];
}

/** The target is the stage itself, one before it, or for an item also the `for_each` and what is before that. */
function rollbackProblems({ stage, order, outer, all }: StageContext, to: string, path: Path): readonly Problem[] {
  if (stage.id === undefined) return [];
  const outside = outer?.stage.id === undefined ? [] : [...outer.order.before(outer.stage.id), outer.stage.id];
  const allowed = [...outside, ...order.before(stage.id), stage.id];
  if (allowed.includes(to)) return [];
  const problem = all.has(to)
    ? `the stage ${quote(to)} does not come before ${quote(stage.id)}; ${expectedOf(allowed)}`
    : `there is no stage ${quote(to)}; ${meantOrKnown(to, allowed)}`;
  return [{ path, about: 'value', message: `${keyText(path)}: ${problem}` }];
}

/** A substitute is the fallback of a role that works in this stage. */
function substituteProblems({ draft, stage, order }: StageContext, path: Path): readonly Problem[] {
  const roles = rolesIn(stage, order.stages);
  if (draft.roles === undefined || roles === undefined) return [];
  const specs = roles.flatMap((role) => (draft.roles?.has(role) === true ? [draft.roles.get(role)] : []));
  // A role that is missing or broken is reported already.
  if (specs.length < roles.length || specs.some((role) => role === undefined || role.fallback !== undefined)) return [];
  const words =
    roles.length === 0
      ? 'no role works in this stage'
      : `the ${roles.length === 1 ? 'role' : 'roles'} ${roles.join(', ')} ${roles.length === 1 ? 'has' : 'have'} no fallback`;
  return [{ path, about: 'value', message: `${keyText(path)}: ${words}; expected a role with a fallback, or another strategy` }];
}

/** Undefined if a stage with a broken shape may add some. */
function rolesIn(stage: StageDraft, stages: ReadonlyMap<string, StageDraft>): readonly string[] | undefined {
  switch (stage.body?.key) {
    case undefined:
      return undefined;
    case 'role':
      return [stage.body.spec.role];
    case 'review': {
      const { by, review } = stage.body.spec;
      const producer = stages.get(review);
      const makers = producer === undefined || producer === stage ? [] : rolesIn(producer, new Map());
      return makers && [...makers, ...(typeof by === 'string' && by !== 'person' ? [by] : [])];
    }
    case 'for_each': {
      const inner = new Map(stage.inner.map((each) => [each.id ?? '', each]));
      const roles = stage.inner.map((each) => rolesIn(each, inner));
      return roles.includes(undefined) ? undefined : [...new Set(roles.flatMap((each) => each ?? []))];
    }
    case 'command':
    case 'land':
      return [];
  }
}

function breakerProblems({ stage, outer }: StageContext, breaker: StageSpec['spec']['circuit_breaker']): readonly Problem[] {
  if (breaker === undefined) return [];
  const problem = (key: string, about: Problem['about'], message: string): Problem => {
    const path = [...stage.path, 'circuit_breaker', key];
    return { path, about, message: `${keyText(path)}: ${message}` };
  };
  return [
    ...(breaker.scope === 'item' && outer === undefined
      ? [problem('scope', 'value', 'found "item" outside of a for_each, expected "stage"')]
      : []),
    ...(breaker.default !== undefined && breaker.when_open !== 'ask'
      ? [problem('default', 'key', 'expected only with when_open: ask')]
      : []),
    ...(breaker.default !== undefined && breaker.after === undefined
      ? [problem('default', 'key', 'expected only together with after')]
      : []),
    ...(breaker.after !== undefined && breaker.default === undefined
      ? [problem('after', 'key', 'expected only together with default')]
      : []),
  ];
}
