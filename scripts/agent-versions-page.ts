import { recordedVersionsOf } from '../src/agents/registry.ts';
import { BUILT_IN_AGENTS } from '../src/config/schema.ts';
import { QUESTIONS } from '../src/doctor/canary/checks.ts';

const INTRODUCTION = `# Versions of agent CLIs

llmc reads what an agent reports itself (hooks, status file, record of the conversation) and, where that is silent, what stands on
its screen. Both can change with any version of the CLI. A version is **recorded** when its screens were captured in many situations
and the rules are tested against them; \`llmc doctor\` says for each agent in use whether its version is.

This page is generated from the adapters (\`npm run docs\`).
`;

const CANARY = `## The canary

On a version nobody has recorded, llmc tries its rules out once: it starts the CLI exactly as it would start a worker and leads it
through one turn.

- **When**: after \`llmc up\` has brought the workers up, in the background; once per version of the CLI, version of llmc and machine. And
  whenever you ask for it, recorded or not: \`llmc doctor --canary\`, \`llmc doctor --canary --agent claude\`.
- **Where**: in a temporary folder with a home of its own, in a tmux of its own. Of your environment it gets \`PATH\` and the language, of
  your configuration only the agent's \`command\`. Your login, settings and conversations are not touched.
- **Cost**: no tokens, and no network is needed. The CLI talks to a demo API on 127.0.0.1 that says "OK." to everything and never asks for a tool, with
  a key that means nothing. It takes about five seconds and one more agent process for as long.
- **Afterwards** nothing is left of it but its result, also when llmc is killed in the middle: a small process waits for that and clears
  up. Two at once: the second waits.
- **The result** stands in \`canaries.json\` in the root; \`llmc doctor\` shows it (\`--json\`: in full, with the evidence). A canary that
  fails is a warning: the agent is used all the same, and the warning says what llmc does without the evidence that is missing.

| check | what llmc looks for | without it |
|---|---|---|
`;

/** docs/agents/versions.md. */
export function agentVersionsPage(): string {
  const rows = BUILT_IN_AGENTS.flatMap((adapter) => {
    const versions = recordedVersionsOf(adapter);
    return versions === undefined ? [] : [`| \`${adapter}\` | ${versions.join(', ')} |`];
  });
  const questions = QUESTIONS.map(({ name, asks, without }) => `| ${name} | ${asks} | ${without} |`);
  return `${INTRODUCTION}
| agent | recorded versions |
|---|---|
${rows.join('\n')}

On any other version llmc uses the rules of the nearest recorded one. They mostly fit: the texts llmc reads change rarely. Whether they
do is what the canary finds out.

${CANARY}${questions.join('\n')}

An agent without hooks, status file or record is not asked for them. A program that finds its own parts through \`HOME\`, as some
version managers do, may not start in a home of its own; the first check then says so.
`;
}
