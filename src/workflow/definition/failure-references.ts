import { nearest } from '../../config/nearest.ts';
import type { Path } from '../../config/problems/expectation.ts';
import { keyText, type Problem, quote } from '../../config/problems/problem.ts';
import { breakerOptions, type QuestionOption } from '../../config/question-options.ts';
import type { StageDraft, StageSpec } from './draft.ts';
import { describeExpected, meantOrKnown } from './order.ts';
import { conditionProblems } from './path-references.ts';
import type { StageContext } from './stage-context.ts';

/** The reactions to failures, and the circuit breaker. */
export function failureProblems(context: StageContext, body: StageSpec): readonly Problem[] {
  const { spec } = body;
  const at = [...context.stage.path, 'on_failure'];
  const reactions = Object.entries(spec.on_failure ?? {}).flatMap(([trigger, reaction]) => {
    const steps = Array.isArray(reaction)
      ? reaction.map((step, index) => ({ step, path: [...at, trigger, index] }))
      : [{ step: reaction, path: [...at, trigger] }];
    return steps.flatMap(({ step, path }): readonly Problem[] => {
      if (step === 'substitute') return substituteProblems(context, path);
      if (typeof step !== 'object') return [];
      return [
        ...(step.ask === undefined ? [] : askProblems(context, body, step.ask, [...path, 'ask'])),
        ...(step.rollback === undefined ? [] : rollbackProblems(context, step.rollback, [...path, 'rollback'])),
        ...notifyProblems(context, step, [...path, 'notify']),
      ];
    });
  });
  return [...reactions, ...breakerProblems(context, body, spec.circuit_breaker)];
}

/** The options that a question about a failure can have, besides words of the file: these skip the stage and mark the result. */
const ASKED: readonly QuestionOption[] = ['extend', 'restart', 'fallback', 'answer', 'accept', 'skip', 'abort'];
const ASKED_OF_REVIEW: readonly QuestionOption[] = ['approve', 'reject'];

/** Words of `on_failure` and of other questions. As a word of the file, each would skip the stage, or leave it without an answer. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  retry: 'restart',
  again: 'restart',
  substitute: 'fallback',
  approve: 'accept',
  reject: 'restart',
  keep: 'accept',
  rollback: '{ rollback: stage } in on_failure',
  manual: 'by: person in the stage of a review',
  wait: 'extend',
  ask: 'restart',
};

/** A misspelt option would be a mark: the answer would leave the stage out. */
function askProblems(context: StageContext, body: StageSpec, words: readonly string[], path: Path): readonly Problem[] {
  const known: readonly string[] = [...ASKED, ...(body.key === 'review' ? ASKED_OF_REVIEW : [])];
  return words.flatMap((word, index): readonly Problem[] => {
    const at = [...path, index];
    const problem = (message: string): Problem[] => [{ path: at, about: 'value', message: `${keyText(at)}: ${message}` }];
    if (words.indexOf(word) < index) return problem(`${quote(word)} is here twice`);
    if (word === 'fallback' || word === 'answer') return agentProblems(context, word, at);
    if (known.includes(word)) return [];
    const instead = Object.hasOwn(ELSEWHERE, word) ? ELSEWHERE[word] : undefined;
    if (instead !== undefined)
      return problem(`${quote(word)} is not an option of this question; expected ${instead}, or another word as a mark`);
    const close = nearest(word, known);
    return close === undefined
      ? []
      : problem(
          `${quote(word)} is not an option of this question; did you mean ${quote(close)}? A mark needs a word that is less like an option`,
        );
  });
}

function agentProblems(context: StageContext, word: 'fallback' | 'answer', path: Path): readonly Problem[] {
  if (word === 'fallback') return substituteProblems(context, path);
  if (rolesIn(context.stage, context.order.stages)?.length !== 0) return [];
  return [{ path, about: 'value', message: `${keyText(path)}: no role works in this stage, so no agent would read the answer` }];
}

/** A question notifies a person anyway. */
function notifyProblems(context: StageContext, { ask, notify }: Detailed, path: Path): readonly Problem[] {
  if (notify === undefined) return [];
  if (ask !== undefined)
    return [{ path, about: 'key', message: `${keyText(path)}: expected only with skip or rollback: a question notifies` }];
  return notify === true ? [] : conditionProblems(path, notify, context.scope, context);
}

type Reactions = NonNullable<NonNullable<StageSpec['spec']['on_failure']>['crash']>;
type Detailed = Exclude<Reactions, string | readonly unknown[]>;

/** The target is the stage itself, one before it, or for an item also the `for_each` and what is before that. */
function rollbackProblems({ stage, order, outer, all }: StageContext, to: string, path: Path): readonly Problem[] {
  if (stage.id === undefined) return [];
  const outside = outer?.stage.id === undefined ? [] : [...outer.order.before(outer.stage.id), outer.stage.id];
  const allowed = [...outside, ...order.before(stage.id), stage.id];
  if (allowed.includes(to)) return [];
  const problem = all.has(to)
    ? `the stage ${quote(to)} does not come before ${quote(stage.id)}; ${describeExpected(allowed)}`
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

function breakerProblems(
  { stage, outer }: StageContext,
  { key: kind }: StageSpec,
  breaker: StageSpec['spec']['circuit_breaker'],
): readonly Problem[] {
  if (breaker === undefined) return [];
  const problem = (key: string, about: Problem['about'], message: string): Problem => {
    const path = [...stage.path, 'circuit_breaker', key];
    return { path, about, message: `${keyText(path)}: ${message}` };
  };
  const lacking = (key: string, message: string): Problem => ({ ...problem(key, 'key', message), lacks: true });
  return [
    ...(breaker.scope === 'item' && outer === undefined
      ? [problem('scope', 'value', 'found "item" outside of a for_each, expected "stage"')]
      : []),
    ...(breaker.default !== undefined && breaker.when_open !== 'ask'
      ? [lacking('default', 'expected only with when_open: ask')]
      : defaultProblems(kind, breaker.default, (message) => problem('default', 'value', message))),
    ...(breaker.default !== undefined && breaker.after === undefined ? [lacking('default', 'expected only together with after')] : []),
    ...(breaker.after !== undefined && breaker.default === undefined ? [lacking('after', 'expected only together with default')] : []),
  ];
}

/** An answer that the question does not offer would never be taken. Only items of a review can be left to a person. */
function defaultProblems(kind: StageSpec['key'], answer: string | undefined, problem: (message: string) => Problem): readonly Problem[] {
  const offered: readonly string[] = breakerOptions(kind === 'review');
  if (answer === undefined || offered.includes(answer)) return [];
  const close = nearest(answer, offered);
  const help = close === undefined ? '' : `; did you mean ${quote(close)}?`;
  return [problem(`found the string ${quote(answer)}, expected one of ${offered.join(', ')}${help}`)];
}
