import { z } from 'zod';
import { nearest } from '../../config/nearest.ts';
import { type FileKind, keyText, listProblems, type Problem, quote } from '../../config/problems/problem.ts';
import { salvageRest } from '../../config/problems/rest.ts';

const NAME = /^[a-z][a-z0-9_-]{0,31}$/;
const agent = z.string().regex(NAME, { error: 'expected the name of an agent' });
const choice = {
  primary: agent.optional(),
  /** False: no other agent takes over. */
  fallback: z
    .custom<string | false>((value) => value === false || (typeof value === 'string' && NAME.test(value)), {
      error: 'expected the name of an agent, or false',
    })
    .optional(),
};
const tasks = z.record(z.string(), z.strictObject(choice)).optional();
const scoped = z.strictObject({ ...choice, tasks });

const agentsFileSchema = z.strictObject({
  default: z.strictObject(choice).optional(),
  tasks,
  complexity: z.record(z.string(), scoped).optional(),
  stories: z.record(z.string(), scoped).optional(),
});

const KEYS = Object.keys(agentsFileSchema.shape).join(', ');

/** Which agent does what: for a story, for a task (a stage of an item), for a complexity, and otherwise. */
export type AgentsFile = z.output<typeof agentsFileSchema>;
type Choice = NonNullable<AgentsFile['default']>;

export type AgentsReading =
  | { readonly kind: 'agents'; readonly file: AgentsFile }
  | { readonly kind: 'wrong'; readonly problems: readonly Problem[] };

const AGENTS_FILE: FileKind = {
  object: 'mapping',
  place: (path) => (path.length === 0 ? 'at the top level' : `in ${keyText(path)}`),
  home: () => undefined,
  isSecret: () => false,
};

/** Checks the content of an agents file as a whole; with the agents that there are, also its names. A file without content names nothing. */
export function readAgentsFile(value: unknown, known?: readonly string[]): AgentsReading {
  const parsed = value ?? {};
  if (typeof parsed !== 'object' || Array.isArray(parsed))
    return { kind: 'wrong', problems: [{ path: [], about: 'value', message: `the file is not a mapping; expected ${KEYS}` }] };
  const read = agentsFileSchema.safeParse(parsed);
  if (read.success) {
    const problems = unknownAgents(read.data, known);
    return problems.length === 0 ? { kind: 'agents', file: read.data } : { kind: 'wrong', problems };
  }
  const rest = salvageRest(agentsFileSchema, parsed, read.error);
  const refused = {
    error: read.error,
    parsed,
    schema: z.toJSONSchema(agentsFileSchema, { io: 'input', unrepresentable: 'any' }),
    at: [],
  };
  return { kind: 'wrong', problems: [...listProblems(refused, AGENTS_FILE), ...(rest?.adapt(unknownAgents(rest.value, known)) ?? [])] };
}

function unknownAgents(file: AgentsFile, known: readonly string[] | undefined): readonly Problem[] {
  if (known === undefined) return [];
  return namesIn(file).flatMap(({ path, name }) => (known.includes(name) ? [] : [unknownAgent(path, name, known)]));
}

function unknownAgent(path: readonly string[], name: string, known: readonly string[]): Problem {
  const close = nearest(name, known);
  const help = close === undefined ? `the agents are ${known.join(', ')}` : `did you mean ${quote(close)}?`;
  return { path, about: 'value', message: `${keyText(path)}: there is no agent ${quote(name)}; ${help}` };
}

export interface AgentQuery {
  readonly story?: string | undefined;
  readonly task?: string | undefined;
  readonly complexity?: string | undefined;
}

export interface ResolvedAgents {
  /** Undefined: the agent of the role. */
  readonly primary: string | undefined;
  /** False: none. Undefined: the fallback of the role. */
  readonly fallback: string | false | undefined;
}

/** The most specific entry wins, each key for itself: a task of a story, the story, a task of its complexity, the complexity, the task, the default. */
export function resolveAgents(file: AgentsFile, { story, task, complexity }: AgentQuery): ResolvedAgents {
  const ofStory = own(file.stories, story);
  const ofComplexity = own(file.complexity, complexity);
  const entries = [own(ofStory?.tasks, task), ofStory, own(ofComplexity?.tasks, task), ofComplexity, own(file.tasks, task), file.default];
  const first = <Key extends keyof Choice>(key: Key): Choice[Key] => entries.find((entry) => entry?.[key] !== undefined)?.[key];
  return { primary: first('primary'), fallback: first('fallback') };
}

/** The keys come from items that an agent may have made. */
function own<Value>(record: Readonly<Record<string, Value>> | undefined, key: string | undefined): Value | undefined {
  return record !== undefined && key !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Every name of an agent, with its place. */
function namesIn({ default: otherwise, tasks: all, complexity, stories }: AgentsFile) {
  const scopes = [...within(['complexity'], complexity), ...within(['stories'], stories)];
  const choices: readonly Placed<Choice>[] = [
    ...(otherwise === undefined ? [] : [{ path: ['default'], value: otherwise }]),
    ...within(['tasks'], all),
    ...scopes.flatMap(({ path, value }) => [{ path, value }, ...within([...path, 'tasks'], value.tasks)]),
  ];
  return choices.flatMap(({ path, value: { primary, fallback } }) =>
    Object.entries({ primary, fallback }).flatMap(([key, name]) => (typeof name === 'string' ? [{ path: [...path, key], name }] : [])),
  );
}

interface Placed<Value> {
  readonly path: readonly string[];
  readonly value: Value;
}

function within<Value>(path: readonly string[], record: Readonly<Record<string, Value>> | undefined): readonly Placed<Value>[] {
  return Object.entries(record ?? {}).map(([name, value]) => ({ path: [...path, name], value }));
}
