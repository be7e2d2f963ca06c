import { keyText, type Problem, quote } from '../../config/problems/problem.ts';
import { alternatives } from './condition.ts';
import { deadOptions } from './dead-options.ts';
import type { StageDraft, StageSpec } from './draft.ts';
import { failureProblems } from './failure-references.ts';
import { describeExpected, meantOrKnown } from './order.ts';
import { artifactName, listOutputFiles } from './output-files.ts';
import { outputProblems } from './output-references.ts';
import { pathsProblems } from './path-references.ts';
import type { AllOf, Condition } from './plan.ts';
import { PERSON } from './schema-parts.ts';
import { resolve } from './scope.ts';
import { SHAPE_WORDS } from './shape.ts';
import type { StageContext } from './stage-context.ts';

export function stageProblems(context: StageContext): readonly Problem[] {
  const { body, rest } = context.stage;
  if (body !== undefined) return bodyProblems(context, body);
  return rest === undefined ? [] : rest.adapt(bodyProblems(context, rest.value));
}

function bodyProblems(context: StageContext, body: StageSpec): readonly Problem[] {
  return [
    ...kindProblems(context, body),
    ...deadOptions(context, body),
    ...pathsProblems(context, body),
    ...failureProblems(context, body),
  ];
}

function kindProblems(context: StageContext, body: StageSpec): readonly Problem[] {
  switch (body.key) {
    case 'role':
      return [...roleProblems(context, 'role', body.spec.role), ...outputProblems(context.stage.path, body.spec.output)];
    case 'review':
      return [...reviewerProblems(context, body.spec.by), ...earlierProblems(context, 'review', body.spec.review)];
    case 'land':
      return [...earlierProblems(context, 'land', body.spec.land), ...secondLanding(context, body.spec.land)];
    case 'for_each':
      return forEachProblems(context, body.spec.for_each);
    case 'command':
      return [];
  }
}

function roleProblems({ draft, stage }: StageContext, key: string, role: string): readonly Problem[] {
  if (draft.roles === undefined || draft.roles.has(role)) return [];
  const path = [...stage.path, key];
  const known = [...draft.roles.keys(), ...(key === 'by' ? [PERSON] : [])];
  return [
    {
      path,
      about: 'value',
      message: `${keyText(path)}: there is no role ${quote(role)}; ${meantOrKnown(role, known, 'declare it under roles')}`,
    },
  ];
}

function reviewerProblems(context: StageContext, by: string | readonly string[]): readonly Problem[] {
  return typeof by === 'string' && by !== PERSON ? roleProblems(context, 'by', by) : [];
}

/** A review or a landing is about an earlier stage of the same list, which an agent has worked on. */
function earlierProblems(context: StageContext, key: 'review' | 'land', of: string): readonly Problem[] {
  const { stage, order, all } = context;
  const path = [...stage.path, key];
  const problem = (message: string): readonly Problem[] => [{ path, about: 'value', message: `${keyText(path)}: ${message}` }];
  const known = [...(stage.id === undefined ? order.stages.keys() : order.before(stage.id))].filter((id) =>
    suits(order.stages.get(id), key),
  );
  const otherwise = key === 'land' ? 'expected an earlier stage with output: commit' : 'expected an earlier stage with a role';
  const target = order.stages.get(of);
  if (!all.has(of)) return problem(`there is no stage ${quote(of)}; ${meantOrKnown(of, known, otherwise)}`);
  const instead = describeExpected(known, otherwise);
  if (target === undefined)
    return problem(`the stage ${quote(of)} is ${context.outer === undefined ? 'inside' : 'outside of'} a for_each; ${instead}`);
  if (stage.id !== undefined && !order.before(stage.id).has(of))
    return problem(`the stage ${quote(of)} does not end before ${quote(stage.id)} begins; ${instead}`);
  if (suits(target, key)) return [];
  return problem(
    key === 'land' && target.body?.key === 'role'
      ? `the stage ${quote(of)} leaves no commit; ${instead}`
      : `the stage ${quote(of)} has no role; ${instead}`,
  );
}

/** Work lands once. Two landings of it are two ways to land, of which a run takes one. */
function secondLanding({ stage, order }: StageContext, of: string): readonly Problem[] {
  const path = [...stage.path, 'land'];
  // A condition may be among what is broken.
  if (stage.body === undefined) return [];
  const landings = [...order.stages.values()].filter(({ body }) => body?.key === 'land' && body.spec.land === of);
  const earlier = landings.slice(0, Math.max(0, landings.indexOf(stage)));
  const first = earlier.find(({ body }) => !areExclusive(body?.spec.when, stage.body?.spec.when));
  if (first === undefined) return [];
  return [{ path, about: 'value', message: `${keyText(path)}: the stage ${quote(of)} is landed by ${quote(first.id ?? '')} already` }];
}

/** Whether each alternative of one condition expects another value at the same path than each of the other. */
function areExclusive(one: Condition | undefined, other: Condition | undefined): boolean {
  const differ = (first: AllOf, second: AllOf) =>
    Object.entries(first).some(([path, { is }]) => is !== undefined && second[path]?.is !== undefined && second[path].is !== is);
  return alternatives(one ?? {}).every((first) => alternatives(other ?? {}).every((second) => differ(first, second)));
}

/** Also true for a stage whose shape is broken: that is reported already. */
function suits(target: StageDraft | undefined, key: 'review' | 'land'): boolean {
  if (target?.body === undefined) return true;
  return target.body.key === 'role' && (key === 'review' || target.body.spec.output === 'commit');
}

type ForEach = Extract<StageSpec, { key: 'for_each' }>['spec']['for_each'];

function forEachProblems(context: StageContext, forEach: ForEach): readonly Problem[] {
  const at = [...context.stage.path, 'for_each'];
  const problem = (key: string, about: Problem['about'], message: string): Problem => ({
    path: [...at, key],
    about,
    message: `${keyText([...at, key])}: ${message}`,
  });
  const list = resolve(forEach.of, context.scope);
  const problems: Problem[] = [];
  if (list.kind === 'wrong') problems.push(problem('of', 'value', list.message));
  else if (list.shape.kind !== 'anything' && list.shape.kind !== 'list')
    problems.push(problem('of', 'value', `${forEach.of} is ${SHAPE_WORDS[list.shape.kind]}, expected a list`));
  if (forEach.after !== undefined && forEach.key === undefined)
    problems.push({ ...problem('after', 'key', 'an item can wait for others only if key names them'), lacks: true });
  for (const key of ['status_file', 'agents'] as const)
    problems.push(...fileProblems(context, forEach[key], (message) => problem(key, 'value', message)));
  return [...problems, ...agreementProblems(context, forEach.agree_on, (message) => problem('agree_on', 'value', message))];
}

/** Both name an input that is a file. */
function fileProblems({ draft }: StageContext, path: string | undefined, problem: (message: string) => Problem): readonly Problem[] {
  if (path === undefined || draft.inputs === undefined) return [];
  const files = [...draft.inputs].filter(([, input]) => input === undefined || input.type === 'file').map(([name]) => `inputs.${name}`);
  if (files.includes(path)) return [];
  return [problem(`found ${path}, which is not an input of the type file; ${meantOrKnown(path, files, 'there is none')}`)];
}

function agreementProblems({ stage }: StageContext, path: string | undefined, problem: (message: string) => Problem): readonly Problem[] {
  if (path === undefined || stage.inner.some(({ body }) => body === undefined)) return [];
  const artifact = path.split(/[.[]/)[0] ?? '';
  const outputs = stage.inner.flatMap(({ body }) => (body?.key === 'role' ? [body.spec.output] : []));
  const known = outputs
    .filter((output) => output !== 'commit' && output !== 'answer')
    .flatMap((output) => listOutputFiles(output).map((file) => artifactName(file.path)));
  return known.includes(artifact)
    ? []
    : [
        problem(
          `no stage of an item leaves ${quote(artifact)}; ${meantOrKnown(artifact, known, 'expected a stage with a file as its output')}`,
        ),
      ];
}
