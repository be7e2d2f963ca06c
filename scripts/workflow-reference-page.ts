import { expectation, isNode, type Node } from '../src/config/problems/expectation.ts';
import { workflowJsonSchema } from '../src/workflow/definition/json-schema.ts';
import { TRIGGERS } from '../src/workflow/definition/plan.ts';

const INTRODUCTION = `# Workflow reference

Every key of a workflow file. [Workflows](workflows.md) shows how to write one, with examples. \`llmc workflows validate\` checks a file.

This page is generated from the schema (\`npm run docs\`), and so is \`schemas/workflow.json\` for editors. llmc refuses an unknown key, a key
that is there twice, a tag and a merge key. A file has at most 128 KB.
`;

const KINDS = ['role', 'review', 'for_each', 'command', 'land'] as const;

/** docs/workflow-reference.md. */
export function workflowReferencePage(): string {
  const schema = workflowJsonSchema('inline');
  const stages = new Map(KINDS.map((kind) => [kind, stageOf(schema, kind)]));
  const common = Object.keys(stages.get('role')?.properties ?? {}).filter((key) =>
    KINDS.every((kind) => at(stages.get(kind), key) !== undefined),
  );
  const own = KINDS.map((kind) => section(`A stage with \`${kind}\``, stages.get(kind), (key) => !common.includes(key)));
  return [
    INTRODUCTION,
    section('The file', schema),
    section('An input', each(at(schema, 'inputs'))),
    section('A role', each(at(schema, 'roles'))),
    section('Every stage', stages.get('role'), (key) => common.includes(key)),
    ...own,
    section('`for_each`', at(stages.get('for_each'), 'for_each')),
    section('`circuit_breaker`', at(stages.get('role'), 'circuit_breaker')),
    `## \`on_failure\`\n\nThe triggers: ${TRIGGERS.map((trigger) => `\`${trigger}\``).join(', ')}. Each has ${words(each(at(stages.get('role'), 'on_failure')))}. \`notify\` beside \`skip\` or \`rollback\`, \`true\` or conditions, notifies a person.\n`,
  ].join('\n');
}

function section(title: string, node: Node | undefined, filter: (key: string) => boolean = () => true): string {
  const rows = Object.entries(node?.properties ?? {}).flatMap(([key, value]) =>
    isNode(value) && filter(key) ? [row(key, value, node)] : [],
  );
  return `## ${title}\n\n| key | value | default | |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

function row(key: string, value: Node, parent: Node | undefined): string {
  const fallback = parent?.required?.includes(key)
    ? 'required'
    : value.default === undefined
      ? 'none'
      : `\`${JSON.stringify(value.default)}\``;
  return `| \`${key}\` | ${words(value)} | ${fallback} | ${value.description} |`;
}

function words(node: Node | undefined): string {
  return expectation(node ?? {}, 'mapping')
    .replace(/^an? /, '')
    .replaceAll('|', '\\|');
}

function stageOf(schema: Node, kind: string): Node | undefined {
  const { items } = at(schema, 'stages') ?? {};
  const branches = isNode(items) ? (items.anyOf ?? []) : [];
  return branches.filter(isNode).find((branch) => branch.required?.includes(kind));
}

function at(node: Node | undefined, key: string): Node | undefined {
  const value: unknown = node?.properties?.[key];
  return isNode(value) ? value : undefined;
}

function each(node: Node | undefined): Node | undefined {
  return isNode(node?.additionalProperties) ? node.additionalProperties : undefined;
}
