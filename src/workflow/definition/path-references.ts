import type { Path } from '../../config/problems/expectation.ts';
import { keyText, type Problem, quote } from '../../config/problems/problem.ts';
import { alternatives } from './condition.ts';
import type { StageSpec } from './draft.ts';
import type { AllOf, Condition, Test } from './plan.ts';
import { type Resolved, resolve, type Scope } from './scope.ts';
import { forEachFields, type Shape, stageShape } from './shape.ts';
import type { StageContext } from './stage-context.ts';
import { placeholdersIn, strayBraces } from './template.ts';

/** The paths in the texts and conditions of a stage. */
export function pathsProblems(context: StageContext, body: StageSpec): readonly Problem[] {
  const { stage, scope, textScope } = context;
  const { spec } = body;
  const at = (key: string): Path => [...stage.path, key];
  const alone = (['when_unknown', 'when_not'] as const).filter((key) => spec[key] !== undefined && spec.when === undefined);
  return [
    ...alone.map(
      (key): Problem => ({ path: at(key), about: 'key', lacks: true, message: `${keyText(at(key))}: expected only together with when` }),
    ),
    ...leaveProblems(at('when_not'), spec.when_not?.leave, context),
    ...conditionProblems(at('when'), spec.when, scope, context),
    ...conditionProblems(at('when_unknown'), spec.when_unknown, scope, context),
    ...conditionProblems(at('require'), spec.require, requireScope(context, body), context),
    ...(body.key === 'role' || body.key === 'review' ? templateProblems(at('prompt'), body.spec.prompt, textScope) : []),
    ...(body.key === 'command' ? commandProblems(at('command'), body.spec.command) : []),
    ...(body.key === 'review' && typeof body.spec.by !== 'string' ? commandProblems(at('by'), body.spec.by) : []),
  ];
}

function leaveProblems(at: Path, leave: string | undefined, { scope, outer }: StageContext): readonly Problem[] {
  if (leave === undefined) return [];
  if (outer === undefined) return [{ path: at, about: 'key', message: `${keyText(at)}: expected only inside a for_each` }];
  const resolved = resolve(leave, scope);
  return resolved.kind === 'wrong' ? [{ path: [...at, 'leave'], about: 'value', message: `${keyText(at)}: ${resolved.message}` }] : [];
}

/** `require` may also name what the stage itself leaves. */
function requireScope({ stage, scope }: StageContext, body: StageSpec): Scope {
  const own: Record<string, Shape> = { ...(stage.id === undefined ? {} : { [stage.id]: stageShape(stage.body, 'condition') }) };
  // What is broken may be its output, or agree_on.
  const agrees = body.key === 'for_each' && (body.spec.for_each.agree_on !== undefined || stage.body === undefined);
  const counts = body.key === 'for_each' ? forEachFields(agrees) : {};
  const missing = new Map([...scope.missing].filter(([id]) => id !== stage.id));
  if (body.key === 'for_each' && !agrees) missing.set('shared', 'shared needs agree_on in for_each');
  return { names: { ...scope.names, ...own, ...counts }, missing };
}

export function conditionProblems(at: Path, condition: Condition | undefined, scope: Scope, context: StageContext): readonly Problem[] {
  if (condition === undefined) return [];
  const isList = Array.isArray(condition);
  return alternatives(condition).flatMap((all, index) => allOfProblems(isList ? [...at, index] : at, all, scope, context));
}

function allOfProblems(at: Path, all: AllOf, scope: Scope, context: StageContext): readonly Problem[] {
  return Object.entries(all).flatMap(([name, test]): Problem[] => {
    const path = [...at, name];
    const resolved = resolve(name, scope);
    if (resolved.kind === 'wrong') return [{ path, about: 'key', message: `${keyText(at)}: ${resolved.message}` }];
    const never = impossible(name, test, resolved.shape, context);
    return never === undefined ? [] : [{ path, about: 'value', message: `${keyText(at)}: ${never}` }];
  });
}

/** Why no value can satisfy a test: its stage would never run. */
function impossible(name: string, test: Test, shape: Shape, { draft }: StageContext): string | undefined {
  if (test.min !== undefined && test.max !== undefined && test.min > test.max)
    return `no value is at least ${test.min} and at most ${test.max}`;
  const wanted = test.in ?? (test.is === undefined ? undefined : [test.is]);
  const isSized = test.min !== undefined || test.max !== undefined;
  if (isSized && (shape.kind === 'text' || shape.kind === 'flag'))
    return `${name} is ${shape.kind === 'text' ? 'a text' : 'true or false'}, expected is or in rather than min or max`;
  if (wanted === undefined) return undefined;
  const options = draft.inputs?.get(name.replace(/^inputs\./, ''))?.one_of;
  if (name.startsWith('inputs.') && options !== undefined && !wanted.some((word) => options.some((each) => each === word)))
    return `${name} is never ${wanted.map((word) => quote(String(word))).join(' or ')}, expected one of ${options.join(', ')}`;
  const type = { text: 'string', number: 'number', flag: 'boolean', list: undefined, fields: undefined, anything: undefined }[shape.kind];
  if (type === undefined || wanted.some((word) => typeof word === type)) return undefined;
  return `${name} is ${{ string: 'a text', number: 'a number', boolean: 'true or false' }[type]}, so it is never ${wanted.map(String).join(' or ')}`;
}

const MOST_PLACEHOLDERS = 200;

function templateProblems(path: Path, text: string, scope: Scope): readonly Problem[] {
  const different = new Map(placeholdersIn(text).map((placeholder) => [placeholder.raw, placeholder]));
  if (different.size > MOST_PLACEHOLDERS)
    return [
      { path, about: 'value', message: `${keyText(path)}: found ${different.size} different paths, expected at most ${MOST_PLACEHOLDERS}` },
    ];
  const paths = [...different.values()].flatMap(({ path: name, raw }): Problem[] => {
    const resolved: Resolved = /^[\w-]+(?:\.[\w-]+)*$/.test(name)
      ? namable(name, resolve(name, scope))
      : { kind: 'wrong', message: 'expected a path such as {{inputs.task}}' };
    return resolved.kind === 'wrong'
      ? [{ path, about: 'value', excerpt: raw, message: `${keyText(path)}: ${raw}: ${resolved.message}` }]
      : [];
  });
  const stray = strayBraces(text).map(({ raw }): Problem => {
    const other = raw === '{{' ? '}}' : '{{';
    return {
      path,
      about: 'value',
      excerpt: raw,
      message: `${keyText(path)}: found ${raw} without its ${other}, expected a path such as {{inputs.task}}`,
    };
  });
  return [...paths, ...stray];
}

function namable(name: string, resolved: Resolved): Resolved {
  const isEmpty = resolved.kind === 'known' && resolved.shape.kind === 'fields' && Object.keys(resolved.shape.fields).length === 0;
  return isEmpty ? { kind: 'wrong', message: `${name} leaves nothing that a text can name` } : resolved;
}

/** A value inside a shell line would be run: files and the environment carry values there. */
function commandProblems(path: Path, lines: string | readonly string[]): readonly Problem[] {
  const entries = typeof lines === 'string' ? [{ line: lines, at: path }] : lines.map((line, index) => ({ line, at: [...path, index] }));
  return entries.flatMap(({ line, at }) =>
    placeholdersIn(line).map(
      ({ raw }): Problem => ({
        path: at,
        about: 'value',
        excerpt: raw,
        message: `${keyText(at)}: found ${raw}, expected a shell line without {{ }}: a value could contain a command`,
      }),
    ),
  );
}
