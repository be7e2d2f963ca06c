import { recordedVersionsOf } from '../src/agents/registry.ts';
import { BUILT_IN_AGENTS } from '../src/config/schema.ts';

const INTRODUCTION = `# Versions of agent CLIs

llmc reads what an agent reports itself (hooks, status file, record of the conversation) and, where that is silent, what stands on
its screen. Both can change with any version of the CLI. A version is **recorded** when its screens were captured in many situations
and the rules are tested against them; \`llmc doctor\` says for each agent in use whether its version is.

This page is generated from the adapters (\`npm run docs\`).
`;

/** docs/agents/versions.md. */
export function agentVersionsPage(): string {
  const rows = BUILT_IN_AGENTS.flatMap((adapter) => {
    const versions = recordedVersionsOf(adapter);
    return versions === undefined ? [] : [`| \`${adapter}\` | ${versions.join(', ')} |`];
  });
  return `${INTRODUCTION}
| agent | recorded versions |
|---|---|
${rows.join('\n')}

On any other version llmc uses the rules of the nearest recorded one. They mostly fit: the texts llmc reads change rarely.
`;
}
