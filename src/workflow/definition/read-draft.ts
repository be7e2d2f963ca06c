import * as z from 'zod';
import { nearest } from '../../config/nearest.ts';
import type { Node, Path } from '../../config/problems/expectation.ts';
import { type FileKind, keyText, listProblems, type Problem, quote } from '../../config/problems/problem.ts';
import { type Rest, salvageRest } from '../../config/problems/rest.ts';
import type { Named, StageDraft, StageKey, StageSpec, WorkflowDraft } from './draft.ts';
import { headSchema, ITEM_STAGES, inputSchema, roleSchema, STAGES, workflowSchema } from './schema.ts';
import { inputName, MOST_NAMES, named, PERSON, roleName, stageList } from './schema-parts.ts';

/** Checks the shape of a workflow part by part, so that all problems are found at once. */
export function readDraft(parsed: unknown): { readonly draft: WorkflowDraft; readonly problems: readonly Problem[] } {
  const reader = new DraftReader();
  return { draft: reader.read(parsed), problems: reader.problems };
}

const KEYS: readonly StageKey[] = ['role', 'review', 'for_each', 'command', 'land'];
const NOTHING: WorkflowDraft = {
  head: undefined,
  inputs: undefined,
  roles: undefined,
  stages: [],
  rest: { head: undefined, inputs: new Map(), roles: new Map() },
};

const WORKFLOW_FILE: FileKind = {
  object: 'mapping',
  place: (path) => (path.length === 0 ? 'at the top level' : `in ${keyText(path)}`),
  home(key, path) {
    if (path.at(-2) !== 'stages') return undefined;
    const kinds = KEYS.filter((kind) => Object.hasOwn(STAGES[kind].shape, key));
    return kinds.length === 0 ? undefined : `a stage with ${kinds.join(' or ')}`;
  },
  isSecret: () => false,
};

class DraftReader {
  readonly problems: Problem[] = [];

  read(parsed: unknown): WorkflowDraft {
    if (!isMapping(parsed)) {
      const found = parsed === null || parsed === undefined ? 'the file is empty' : 'the file is not a mapping';
      this.#problem([], 'value', `${found}; expected a workflow with name and stages`);
      return NOTHING;
    }
    const { inputs, roles, stages, ...others } = parsed;
    const head = this.#read(headSchema, others, [], workflowSchema);
    const namedInputs = this.#named(inputs, 'inputs', inputName(), inputSchema);
    const namedRoles = this.#named(roles, 'roles', roleName(), roleSchema);
    return {
      head: head.whole,
      inputs: namedInputs.whole,
      roles: namedRoles.whole,
      stages: this.#stages(stages, ['stages'], KEYS),
      rest: { head: head.rest, inputs: namedInputs.rest, roles: namedRoles.rest },
    };
  }

  #checked<Schema extends z.ZodType>(schema: Schema, parsed: unknown, at: Path): z.output<Schema> | undefined {
    return this.#read(schema, parsed, at).whole;
  }

  /** @param described the schema in the messages, if it knows more keys. */
  #read<Schema extends z.ZodType>(schema: Schema, parsed: unknown, at: Path, described: z.ZodType = schema): Read<z.output<Schema>> {
    const checked = schema.safeParse(parsed);
    if (checked.success) return { whole: checked.data, rest: undefined };
    const refused = { error: checked.error, parsed, schema: toNode(described), at };
    this.problems.push(...listProblems(refused, WORKFLOW_FILE));
    return { whole: undefined, rest: salvageRest(schema, parsed, checked.error, at) };
  }

  #named<Schema extends z.ZodType>(
    parsed: unknown,
    key: string,
    names: z.ZodString,
    schema: Schema,
  ): { readonly whole: Named<z.output<Schema>>; readonly rest: ReadonlyMap<string, Rest<z.output<Schema>>> } {
    const rest = new Map<string, Rest<z.output<Schema>>>();
    if (parsed === undefined) return { whole: new Map(), rest };
    const isFine = this.#checked(named(names, z.unknown()), parsed, [key]) !== undefined;
    const entries = isMapping(parsed) ? Object.entries(parsed) : [];
    // Nothing is known about a list of names that is too long: each comparison with all of them takes time.
    if (!isMapping(parsed) || (!isFine && entries.length > MOST_NAMES)) return { whole: undefined, rest };
    if (key === 'roles' && entries.some(([name]) => name === PERSON))
      this.#problem(['roles', PERSON], 'key', `the name "${PERSON}" cannot be used: \`by: ${PERSON}\` means a person`);
    const whole = entries.map(([name, value]) => {
      const read = this.#read(schema, value, [key, name]);
      if (read.rest !== undefined) rest.set(name, read.rest);
      return [name, read.whole] as const;
    });
    return { whole: new Map(whole), rest };
  }

  #stages(parsed: unknown, path: Path, keys: readonly StageKey[]): readonly StageDraft[] {
    if (this.#checked(STAGE_LIST, parsed ?? undefined, path) === undefined) return [];
    return Array.isArray(parsed) ? parsed.map((stage: unknown, index) => this.#stage(stage, [...path, index], keys)) : [];
  }

  #stage(parsed: unknown, path: Path, keys: readonly StageKey[]): StageDraft {
    const id = isMapping(parsed) && typeof parsed['id'] === 'string' ? parsed['id'] : undefined;
    const body = isMapping(parsed) ? this.#body(parsed, path, keys) : this.#noStage(parsed, path);
    const { whole, rest } = body ?? { whole: undefined, rest: undefined };
    const nested = isMapping(parsed) && keys === KEYS && parsed['for_each'] !== undefined && parsed['stages'] !== undefined;
    return { path, id, body: whole, rest, inner: nested ? this.#stages(parsed['stages'], [...path, 'stages'], itemKeys()) : [] };
  }

  #noStage(parsed: unknown, path: Path): undefined {
    this.#checked(z.record(z.string(), z.unknown()), parsed, path);
  }

  #body(parsed: Mapping, path: Path, keys: readonly StageKey[]): Read<StageSpec> | undefined {
    const [key, second] = KEYS.filter((each) => Object.hasOwn(parsed, each));
    if (key === undefined) return this.#withoutKind(parsed, path, keys);
    if (second !== undefined) {
      const message = `found ${quote(second)} besides ${quote(key)}, expected only one of ${keys.join(', ')} in a stage`;
      return this.#problem([...path, second], 'key', message);
    }
    if (!keys.includes(key)) return this.#problem([...path, key], 'key', 'a for_each cannot stand inside another for_each');
    return this.#spec(key, parsed, path);
  }

  #withoutKind(parsed: Mapping, path: Path, keys: readonly StageKey[]): undefined {
    const known = Object.keys(Object.assign({}, ...KEYS.map((each) => STAGES[each].shape)));
    const unknown = Object.keys(parsed).filter((word) => !known.includes(word));
    const typo = unknown.find((word) => nearest(word, keys) !== undefined);
    const message = `${keyText(path)}: found none of ${keys.join(', ')}, expected exactly one`;
    if (typo === undefined) return this.#problem(path, 'missing', message);
    return this.#problem(
      [...path, typo],
      'key',
      `unknown key ${quote(typo)} in ${keyText(path)}; did you mean ${quote(nearest(typo, keys) ?? '')}?`,
    );
  }

  #spec(key: StageKey, parsed: Mapping, path: Path): Read<StageSpec> {
    switch (key) {
      case 'role':
        return tagged(key, this.#read(STAGES.role, parsed, path));
      case 'review':
        return tagged(key, this.#read(STAGES.review, parsed, path));
      case 'for_each':
        return tagged(key, this.#read(STAGES.for_each, withoutInner(parsed), path));
      case 'command':
        return tagged(key, this.#read(STAGES.command, parsed, path));
      case 'land':
        return tagged(key, this.#read(STAGES.land, parsed, path));
    }
  }

  #problem(path: Path, about: Problem['about'], message: string): undefined {
    this.problems.push({ path, about, message });
  }
}

type Mapping = Readonly<Record<string, unknown>>;

/** A part of the file, or what is left of it. */
interface Read<Value> {
  readonly whole: Value | undefined;
  readonly rest: Rest<Value> | undefined;
}

function tagged<Key extends StageKey, Spec>(key: Key, { whole, rest }: Read<Spec>): Read<{ readonly key: Key; readonly spec: Spec }> {
  return {
    whole: whole === undefined ? undefined : { key, spec: whole },
    rest: rest === undefined ? undefined : { value: { key, spec: rest.value }, adapt: (problems) => rest.adapt(problems) },
  };
}

/** The inner stages are read one by one; here it counts only that they are there. */
function withoutInner(parsed: Mapping): Mapping {
  return parsed['stages'] === undefined ? parsed : { ...parsed, stages: [null] };
}

function itemKeys(): readonly StageKey[] {
  return KEYS.filter((key) => Object.hasOwn(ITEM_STAGES, key));
}

const STAGE_LIST = stageList(z.unknown());

const nodes = new WeakMap<z.ZodType, Node>();

function toNode(schema: z.ZodType): Node {
  const node = nodes.get(schema) ?? z.toJSONSchema(schema, { io: 'input' });
  nodes.set(schema, node);
  return node;
}

function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
