import { findRecordedVersions } from '../src/agents/registry.ts';
import { BUILT_IN_AGENTS } from '../src/config/schema.ts';
import { type CanaryQuestion, CHANNEL_QUESTIONS, KEYBOARD_QUESTIONS, PROTOCOL_QUESTIONS } from '../src/doctor/canary/questions.ts';

const INTRODUCTION = `# Versions of agent CLIs

llmc reads what an agent reports itself (hooks, status file, transcript) and, where a report is missing, classifies its screen.
Both can change with any version of the CLI. A version is **recorded** when its screens were captured in many situations
and the rules are tested against them; \`llmc doctor\` shows for each agent in use whether its version is recorded.

This page is generated from the adapters (\`npm run docs\`).
`;

const CANARY = `## The canary

On a version that is not recorded, llmc tests its rules once: it starts the CLI exactly as it would start a worker and runs one turn.

- **When**: after \`llmc up\` has started the workers, in the background; once per version of the CLI, version of llmc and machine
  (\`canary = false\` under \`[defaults]\` switches this off). Also on request, for recorded versions too: \`llmc doctor --canary\`, \`llmc doctor --canary --agent claude\`.
- **Where**: in a temporary folder with its own home and its own tmux server. It gets only \`PATH\` and the language from your environment, and
  only the agent's \`command\` from your configuration. It does not touch your login, settings and conversations.
- **Cost**: no tokens and no network. The CLI talks to a demo API on 127.0.0.1, with a dummy key. The API answers "OK." to everything and never asks
  for a tool. The canary takes about five seconds and one more agent process during that time.
- **Afterwards** only the result remains, also if llmc is killed during the canary: a small process waits for that and removes
  the rest. If two canaries start at once, the second one waits.
- **The result** is in \`canaries.json\` in the root; \`llmc doctor\` shows it (\`--json\`: in full, with the evidence). A failed canary
  is a warning: llmc still uses the agent, and the warning says what llmc does without the missing evidence.

The canary uses the channel that llmc itself would use. An agent without a protocol uses the keyboard channel, and so does an agent with
\`channel = "typing"\` in its table. For any other agent, the canary asks the program first, in your own environment, as llmc does at every start of a worker:
`;

const PROTOCOL = `If the program has the protocol, the canary uses the protocol channel, over the same kind of connection as the supervisor:
`;

const KEYBOARD = `Otherwise, the canary uses the keyboard channel:
`;

const RECORDING = `## Record a new version

For those who maintain llmc; \`npm run record -- --help\` lists the options.

1. \`npm run record -- --agent claude --version 2.2.0\` installs that version from npm into the cache of the tests, starts it in a home
   of its own against a scripted API on 127.0.0.1, and leads it into each situation that llmc must recognise (\`test/record/\`), at 80x24 and
   200x50. That takes some minutes. \`--command <path>\` uses an installed program; \`--only question,trust\` and
   \`--size 80x24\` record a part; \`--out <folder>\` writes to another folder.
2. The screens are written to \`test/fixtures/screens/<agent>/<version>/<expectation>/<situation>-<size>.txt\`. The situation decides what
   is expected, not the rules: the recorder does not use the rules.
3. A table compares the result of the rules with the situation, and with their result on the recording of the previous
   version, and shows how many lines of the screen changed. Check the lines marked \`!\`; if there are any, the exit status is 1.
4. Add the version to the adapter's list (\`RECORDED\` in \`src/agents/claude/texts.ts\`, \`recordedVersions\` in
   \`src/agents/codex/adapter.ts\`). Where a text differs, the rules need a range of versions of their own; the recordings of all
   versions must be read as their folders say: \`npx vitest run src/agents\`.
5. Read the new screens before you commit them: the recorder replaces names of the machine, but a CLI may show other private data.

A situation is data: a name, an expectation, the API's answers and the moves that lead there. A new situation is an entry in
\`test/record/claude-situations.ts\` or \`codex-situations.ts\`; record it for the existing versions, too. Recordings of Codex have
\`.titled\` in their names: their first line is the terminal's title.
`;

/** docs/agents/versions.md. */
export function agentVersionsPage(): string {
  const rows = BUILT_IN_AGENTS.flatMap((adapter) => {
    const versions = findRecordedVersions(adapter);
    return versions === undefined ? [] : [`| \`${adapter}\` | ${versions.join(', ')} |`];
  });
  return `${INTRODUCTION}
| agent | recorded versions |
|---|---|
${rows.join('\n')}

On any other version llmc uses the rules of the nearest recorded one. They usually fit, because the texts that llmc reads rarely change. The canary
tests whether they fit.

${CANARY}
${table(CHANNEL_QUESTIONS)}

${PROTOCOL}
${table(PROTOCOL_QUESTIONS)}

${KEYBOARD}
${table(KEYBOARD_QUESTIONS)}

The canary skips the checks for hooks, status file or transcript if the agent has none. If a check fails that the next ones depend on, the canary skips the rest.
Each check has a timeout: ten seconds for the program's answer, half a minute for its server and as much for the conversation (a
minute on the keyboard channel), twelve seconds for every other step. A program that finds its own files through \`HOME\`, as some
version managers do, may not start in another home; the first check then fails with that reason.

${RECORDING}`;
}

function table(questions: readonly CanaryQuestion[]): string {
  const rows = questions.map(({ name, asks, without }) => `| ${name} | ${asks} | ${without} |`);
  return ['| check | what the canary expects | without it |', '|---|---|---|', ...rows].join('\n');
}
