import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { isNode, type Node } from '../../config/problems/expectation.ts';
import { workflowJsonSchema } from './json-schema.ts';
import { readWorkflow } from './read-workflow.ts';
import { readYaml } from './read-yaml.ts';

const repository = join(import.meta.dirname, '../../..');
const textOf = (file: string) => readFileSync(join(repository, file), 'utf8');

test('the schema in schemas is the one of the code: npm run docs', () => {
  expect(JSON.parse(textOf('schemas/workflow.json'))).toEqual(JSON.parse(JSON.stringify(workflowJsonSchema())));
});

test.each([
  ...readdirSync(join(repository, 'workflows')).map((name) => `workflows/${name}`),
  'test/fixtures/workflows/stories.yaml',
  'test/fixtures/workflows/literature-review.yaml',
])('an editor accepts %s', (file) => {
  const schema = z.fromJSONSchema(JSON.parse(textOf('schemas/workflow.json')));
  expect(schema.safeParse(readYaml(textOf(file)).value).error).toBeUndefined();
  expect(schema.safeParse({ ...Object(readYaml(textOf(file)).value), colour: 'red' }).success).toBe(false);
});

/** The examples of the pages for users. */
const yamlBlocks = () =>
  ['docs/workflows.md', 'docs/workflow-failures.md'].flatMap((page) =>
    [...textOf(page).matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, block = '']) => block),
  );

/** Every key of the file, also of the parts that occur several times. */
function* keysOf(node: Node): Generator<readonly [key: string, description: string | undefined]> {
  for (const [key, child] of Object.entries(node.properties ?? {})) if (isNode(child)) yield [key, child.description];
  const parts = [...Object.values(node.properties ?? {}), node.additionalProperties, node.items, ...(node.anyOf ?? [])];
  for (const part of parts) if (isNode(part)) yield* keysOf(part);
}

const TESTS_AND_STRATEGIES = ['is', 'in', 'min', 'max', 'rollback', 'skip', 'ask', 'after'];

test('every key has a description, and an example on the pages for users', () => {
  const keys = new Map(keysOf(workflowJsonSchema('inline')));
  expect(keys.size).toBeGreaterThan(40);
  expect([...keys].filter(([key, text]) => !text && !TESTS_AND_STRATEGIES.includes(key)).map(([key]) => key)).toEqual([]);
  const examples = yamlBlocks().join('\n');
  expect([...keys.keys()].filter((key) => !new RegExp(`(?:^|[\\s{])${key}:`, 'm').test(examples))).toEqual([]);
});

test('the workflow that the page builds up is valid', () => {
  const [, example = ''] = /The shortest useful workflow[\s\S]*?```yaml\n([\s\S]*?)```/.exec(textOf('docs/workflows.md')) ?? [];
  expect(readWorkflow(example, { name: 'fix' })).toMatchObject({
    kind: 'valid',
    plan: { stages: [{ id: 'fix' }, { id: 'tests' }, { id: 'land' }] },
  });
});

test('the problems that the page shows are those of the misspelt example', () => {
  const [, example = ''] = /The shortest useful workflow[\s\S]*?```yaml\n([\s\S]*?)```/.exec(textOf('docs/workflows.md')) ?? [];
  const [, shown = ''] = /\$ llmc workflows validate fix\n([\s\S]*?)```/.exec(textOf('docs/workflows.md')) ?? [];
  const reading = readWorkflow(example.replace('role: developer', 'role: develper').replace('inputs.bug', 'inputs.bgu'));
  const problems = reading.kind === 'valid' ? [] : reading.problems;
  expect(problems.map(({ line, column, message }) => `/home/you/llmc/workflows/fix.yaml:${line}:${column}: ${message}\n`).join('')).toBe(
    shown,
  );
});

/** What the parts of the pages name: together with it, each part must be a whole valid workflow. */
const HEAD = {
  name: 'part',
  inputs: {
    topic: { type: 'text' },
    epic: { type: 'file' },
    agents: { type: 'file' },
    thorough: { type: 'flag' },
    angles: { type: 'list', optional: true },
    tier: { one_of: ['simple', 'standard', 'complex'] },
  },
  roles: { researcher: {}, developer: { fallback: 'codex' }, reviewer: {} },
};
const EARLIER = [
  { id: 'plan', role: 'researcher', output: 'outline.yaml', prompt: 'Plan.' },
  { id: 'research', role: 'researcher', output: 'findings.md', prompt: 'Research.' },
  { id: 'build', role: 'developer', prompt: 'Build.' },
];

test.each(yamlBlocks().map((block, index) => [index + 1, block] as const))('example %d of the pages is valid', (_, block) => {
  const { value, flaws } = readYaml(block);
  expect(flaws).toEqual([]);
  const part = z.looseObject({ stages: z.array(z.looseObject({ id: z.string() })).optional() }).parse(value ?? {});
  const own = new Set((part.stages ?? []).map(({ id }) => id));
  const stages = [...EARLIER.filter(({ id }) => !own.has(id)), ...(part.stages ?? [])];
  const whole = part.stages !== undefined && 'name' in part ? block : JSON.stringify({ ...HEAD, ...part, stages });
  expect(readWorkflow(whole)).toMatchObject({ kind: 'valid' });
});
