import { describedSchema } from './described-schema.ts';
import { expectation, isNode, type Node } from './problems/expectation.ts';
import { tomlValue } from './toml/toml-text.ts';
import { WORKFLOW_VARIABLES } from './workflow-settings.ts';

const INTRODUCTION = `# Configuration

\`config.toml\` in the root configures llmc (\`~/llmc/config.toml\` unless you chose another root). \`llmc init\` writes a
short file; all other options have defaults. llmc refuses an unknown key, a wrong type or a value out of range, and names file, line and column.
\`llmc doctor\` reports all errors of the file at once. Edits by llmc keep your comments.

While the file is invalid, missing or unreadable, the last valid configuration stays in force, also after a restart of the supervisor: llmc
keeps a copy in \`run/valid-config.toml\`. \`llmc status\`, the view, \`llmc why\`, \`llmc doctor\` and a notification name the error, and commands
warn. Only what edits the file is refused, and \`llmc up\` in a root that never had a valid file. A corrected file takes effect at once.

This page is generated from the schema (\`npm run docs\`).

\`\`\`toml
[repo]
source = "~/code/shop"
branch = "main"
copy_files = [".env"]
setup = ["npm ci"]
validate = ["npm test"]

[defaults]
agent = "claude"
model = "opus"

[workers.adam]
role_prompt = """
You look after the checkout pages.
You prefer small changes.
"""

[workers.baker]
model = "sonnet"
excluded_from_pool = true   # gets only work that names it
\`\`\`
`;

const NOTES: Readonly<Record<string, string>> = {
  agents: `A built-in agent (\`claude\`, \`codex\`, \`demo\`) needs no table. A table under its name changes how llmc starts it; a table under a new name
declares a variant with \`extends\`. A variant uses the command of the agent it extends unless it has its own; llmc adds its arguments and environment to the inherited ones.
A table with \`ready\` and \`box\` declares a new agent; [Agents](agents.md) explains how. Patterns are JavaScript regular expressions with the \`u\` flag; llmc tries them on each line of the screen.
llmc passes the values of \`env\` to the agent through a private file, never through a command line. llmc never logs or shows them, not even in error messages.`,
  delivery: `The pause before Enter is \`debounce_base_ms\` plus \`debounce_per_kb_ms\` for each full KB, at most \`max_debounce_ms\`. Measured with Claude Code 2.1.325 in tmux 3.3a:
a bracketed paste followed by Enter in a separate call arrived complete in 600 of 600 trials from 0.1 to 256 KB, with pauses of 0, 50, 200 and 1000 ms.
So the defaults are a safety margin for a busy machine (150 ms for a short prompt, 662 ms for 256 KB).
A prompt counts as delivered only when the agent itself reports it; after \`ack_timeout_ms\` llmc starts to check for the prompt, it does not give up.`,
  'repo.conflicts': `A glob without a slash matches at the top only: write \`**/yarn.lock\` for every folder. llmc runs a \`command\` only when every other file is resolved;
the agent leaves the file alone until then. When the command fails, the agent resolves the file. [Conflicts](conflicts.md) says what else the agent is told.

\`\`\`toml
[[repo.conflicts]]
files = ["package-lock.json", "packages/*/package-lock.json"]
rule = "regenerate"
command = "npm install --package-lock-only"

[[repo.conflicts]]
files = "docs/generated/**"
rule = "main"
\`\`\``,
  workflow: `A key of a stage wins over one of its workflow file, that over a variable of the environment, that over this table, that over the default.
The supervisor reads the variables when it starts:

| variable | in place of | holds |
|---|---|---|
${WORKFLOW_VARIABLES.map(([variable, key, holds]) => `| \`${variable}\` | \`${key}\` | ${holds} |`).join('\n')}`,
  'workflow.retry': `The defaults: \`agent_spawn\` 2 retries from 2 s, \`message_send\` 5 from 0.5 s, \`database_write\` 3 from 0.1 s, \`rate_limited\` 5 from 5 s, at most
60 s, \`service\` (an agent whose service or network fails) 6 from 1 min, at most 30 min; everything else comes from \`[workflow]\`.`,
  workers: `Names are a lower-case letter, then up to 31 of \`a-z\`, \`0-9\` and \`-\`; \`llmc\` and \`sentinel\` are reserved.`,
};

/** docs/configuration.md. */
export function configurationReference(): string {
  const sections = Object.entries(describedSchema().properties ?? {}).map(([name, node]) => section(name, asNode(node)));
  return `${[INTRODUCTION, ...sections].join('\n')}`;
}

function section(name: string, node: Node): string {
  const listed = asNode(node.items).properties !== undefined;
  const item = asNode(listed ? node.items : node.additionalProperties);
  const named = item.properties !== undefined;
  const options = Object.entries((named ? item : node).properties ?? {});
  // Nested tables such as `[budget.prices.<agent>]` follow their parent.
  const inner = options.flatMap(([key, option]) => {
    const nested = asNode(option);
    const holds = asNode(nested.additionalProperties).properties ?? asNode(nested.items).properties;
    return holds === undefined ? [] : [section(`${name}.${key}`, nested)];
  });
  const required = new Set((named ? item : node).required ?? []);
  const rows = options.map(([key, option]) => row(key, asNode(option), required.has(key), name));
  const note = NOTES[name];
  const heading = listed ? `[[${name}]]` : `[${name}${named ? '.<name>' : ''}]`;
  return `## \`${heading}\`

${node.description}

| option | type | default | meaning |
|---|---|---|---|
${rows.join('\n')}
${note === undefined ? '' : `\n${note}\n`}${inner.map((text) => `\n${text}`).join('')}`;
}

function row(key: string, option: Node, required: boolean, sectionName: string): string {
  const words = expectation(option).replace(/^an? /, '');
  return `| \`${key}\` | ${words} | ${fallback(option, required, sectionName)} | ${option.description} |`;
}

function fallback(option: Node, required: boolean, sectionName: string): string {
  if (required) return 'required';
  if (option.default === undefined) return sectionName === 'workers' ? 'from `[defaults]`' : 'none';
  return `\`${tomlText(option.default)}\``;
}

function tomlText(value: unknown): string {
  if (Array.isArray(value))
    return value.every((each) => typeof each === 'number') && value.length > 0
      ? `[${value.join(', ')}]`
      : tomlValue(value.map(String), '\n');
  return typeof value === 'object' ? '{}' : typeof value === 'string' ? tomlValue(value, '\n') : String(value);
}

function asNode(value: unknown): Node {
  return isNode(value) ? value : {};
}
