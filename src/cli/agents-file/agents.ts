import { resolve } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { measureWidth, padToWidth } from '../../base/text-width.ts';
import { visibleLine } from '../../base/visible-text.ts';
import { loadConfigInForce } from '../../config/in-force.ts';
import { locate, positionsIn } from '../../config/problems/locate.ts';
import { readTextFile } from '../../system/files/text-file.ts';
import { type AgentQuery, type AgentsFile, readAgentsFile, resolveAgents } from '../../workflow/agents-file/agents-file.ts';
import { LARGEST_WORKFLOW, readYaml } from '../../workflow/definition/read-yaml.ts';
import { obstacle } from '../../workflow/inputs/content.ts';
import { listAgents } from '../../workflow/library/library.ts';

/** The names are part of the contract of `--json`. `fallback` false: no other agent takes over. Null: a less specific entry says it, or the role. */
interface Entry {
  readonly for: string;
  readonly primary: string | null;
  readonly fallback: string | false | null;
}

export type AgentsOutput =
  | { readonly action: 'list'; readonly entries: readonly Entry[] }
  | { readonly action: 'resolve'; readonly resolved: Omit<Entry, 'for'> };

export async function readAgents(action: 'list' | 'resolve', path: string, asked: AgentQuery, root: string): Promise<AgentsOutput> {
  const file = await readContent(path, root);
  if (action === 'list') return { action, entries: listEntries(file) };
  const { primary, fallback } = resolveAgents(file, asked);
  return { action, resolved: { primary: primary ?? null, fallback: fallback ?? null } };
}

/** JSON is YAML too, and has lines and columns this way. */
async function readContent(path: string, root: string): Promise<AgentsFile> {
  const file = await readTextFile(resolve(path), LARGEST_WORKFLOW);
  if (file.kind !== 'text') throw refused(obstacle(path, file), []);
  const text = file.text.replace(/^\uFEFF/, '');
  const { value, marks, flaws } = readYaml(text);
  const position = positionsIn(text);
  const reading = flaws.length > 0 ? undefined : readAgentsFile(value, await knownAgents(root));
  if (reading?.kind === 'agents') return reading.file;
  const problems =
    reading === undefined ? flaws.map(({ offset, message }) => ({ ...position(offset), message })) : locate(text, marks, reading.problems);
  const [first = '', ...others] = problems.map(({ line, column, message }) => visibleLine(`${path}:${line}:${column}: ${message}`));
  throw refused(first, others);
}

/** Those of a root that is there; without one, any name may be right. */
async function knownAgents(root: string): Promise<readonly string[] | undefined> {
  const inForce = await loadConfigInForce(root).catch(() => undefined);
  return listAgents(inForce?.config);
}

function refused(first: string, others: readonly string[]): LlmcError {
  return new LlmcError('INVALID_ARGUMENT', first, {
    ...(others.length > 0 && { details: others.join('\n') }),
    hint: 'llmc agents --help',
  });
}

function listEntries({ default: otherwise, tasks, complexity, stories }: AgentsFile): readonly Entry[] {
  const scopes = [...named('complexity', complexity), ...named('story', stories)];
  return [
    ...(otherwise === undefined ? [] : [entry('otherwise', otherwise)]),
    ...named('task', tasks).map(([words, choice]) => entry(words, choice)),
    ...scopes.flatMap(([words, { tasks: own, ...choice }]) => [
      ...(choice.primary === undefined && choice.fallback === undefined ? [] : [entry(words, choice)]),
      ...named(`${words}, task`, own).map(([inner, each]) => entry(inner, each)),
    ]),
  ];
}

function named<Value>(kind: string, record: Readonly<Record<string, Value>> | undefined): readonly (readonly [string, Value])[] {
  return Object.entries(record ?? {}).map(([name, value]) => [`${kind} ${name}`, value] as const);
}

function entry(words: string, { primary, fallback }: NonNullable<AgentsFile['default']>): Entry {
  return { for: words, primary: primary ?? null, fallback: fallback ?? null };
}

export function agentsText(output: AgentsOutput): string {
  if (output.action === 'resolve') return agentsWords(output.resolved);
  if (output.entries.length === 0) return 'The file names no agents: each role has its own.';
  const names = output.entries.map((each) => visibleLine(each.for));
  const width = Math.max(...names.map(measureWidth));
  return output.entries.map((each, index) => `${padToWidth(names[index] ?? '', width)}  ${entryWords(each)}`).join('\n');
}

function agentsWords({ primary, fallback }: Omit<Entry, 'for'>): string {
  const other = fallback === false ? 'no fallback' : fallback === null ? 'the fallback of the role' : `fallback ${fallback}`;
  return `${primary ?? 'the agent of the role'}, ${other}`;
}

/** What an entry does not say, a less specific one does, or the role. */
function entryWords({ primary, fallback }: Entry): string {
  const parts = [
    ...(primary === null ? [] : [`primary ${primary}`]),
    ...(fallback === null ? [] : [fallback === false ? 'no fallback' : `fallback ${fallback}`]),
  ];
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}
