import { recordedVersionsOf } from '../src/agents/registry.ts';
import { BUILT_IN_AGENTS } from '../src/config/schema.ts';
import { type CanaryQuestion, OF_SPEAKING, OF_THE_WAY, OF_TYPING } from '../src/doctor/canary/checks.ts';

const INTRODUCTION = `# Versions of agent CLIs

llmc reads what an agent reports itself (hooks, status file, record of the conversation) and, where that is silent, what stands on
its screen. Both can change with any version of the CLI. A version is **recorded** when its screens were captured in many situations
and the rules are tested against them; \`llmc doctor\` says for each agent in use whether its version is.

This page is generated from the adapters (\`npm run docs\`).
`;

const CANARY = `## The canary

On a version nobody has recorded, llmc tries its rules out once: it starts the CLI exactly as it would start a worker and leads it
through one turn.

- **When**: after \`llmc up\` has brought the workers up, in the background; once per version of the CLI, version of llmc and machine
  (\`canary = false\` under \`[defaults]\` switches that off). And whenever you ask for it, recorded or not: \`llmc doctor --canary\`, \`llmc doctor --canary --agent claude\`.
- **Where**: in a temporary folder with a home of its own, in a tmux of its own. Of your environment it gets \`PATH\` and the language, of
  your configuration only the agent's \`command\`. Your login, settings and conversations are not touched.
- **Cost**: no tokens, and no network is needed. The CLI talks to a demo API on 127.0.0.1 that says "OK." to everything and never asks for a tool, with
  a key that means nothing. It takes about five seconds and one more agent process for as long.
- **Afterwards** nothing is left of it but its result, also when llmc is killed in the middle: a small process waits for that and clears
  up. Two at once: the second waits.
- **The result** stands in \`canaries.json\` in the root; \`llmc doctor\` shows it (\`--json\`: in full, with the evidence). A canary that
  fails is a warning: the agent is used all the same, and the warning says what llmc does without the evidence that is missing.

It goes the way llmc itself would go. An agent without a protocol of its own is typed to, and so is one with \`channel = "typing"\` in its
table. Of any other the program is asked first, in your own environment, as at every start of a worker:
`;

const SPOKEN = `One that speaks it is spoken to, over a connection like the supervisor's own:
`;

const TYPED = `One that does not, and every other agent, is typed to:
`;

const RECORDING = `## Record a new version

For those who maintain llmc; \`npm run record -- --help\` lists the options.

1. \`npm run record -- --agent claude --version 2.2.0\` installs that version from npm into the cache of the tests, starts it in a home
   of its own against a scripted API on 127.0.0.1, and leads it into each situation llmc must recognise (\`test/record/\`), at 80x24 and
   200x50. That takes some minutes. \`--command <path>\` takes a program that is there already; \`--only question,trust\` and
   \`--size 80x24\` record a part; \`--out <folder>\` writes elsewhere, for a look without consequences.
2. The screens are written to \`test/fixtures/screens/<agent>/<version>/<expectation>/<situation>-<size>.txt\`. The situation decides what
   is expected, not the rules: nothing on the way looks at the screen with them.
3. A table compares: what the rules read against what the situation is, and against what they read on the recording of the version
   before, with how many lines of the screen changed. Lines marked \`!\` need a look; then the exit status is 1.
4. Add the version to the adapter's list (\`RECORDED\` in \`src/agents/claude/texts.ts\`, \`recordedVersions\` in
   \`src/agents/codex/adapter.ts\`). Where a text differs, the rules need a range of versions of their own; the recordings of all
   versions must be read as their folders say: \`npx vitest run src/agents\`.
5. Look through the new screens before you commit them: names of the machine are replaced, but a CLI may show what nobody thought of.

A situation is data: a name, an expectation, the API's answers and the moves that lead there. A new one is an entry in
\`test/record/claude-situations.ts\` or \`codex-situations.ts\`; record it for the versions that are there, too. Recordings of Codex have
\`.titled\` in their names: their first line is the terminal's title.
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

On any other version llmc uses the rules of the nearest recorded one. They mostly fit: the texts llmc reads change rarely. Whether they
do is what the canary finds out.

${CANARY}
${table(OF_THE_WAY)}

${SPOKEN}
${table(OF_SPEAKING)}

${TYPED}
${table(OF_TYPING)}

An agent without hooks, status file or record is not asked for them. After a step without which there is no next one, the rest is
not tried. Each has its time: ten seconds for the program's answer, half a minute for its server and as much for the conversation (a
minute for an agent that is typed to), twelve seconds for every other step. A program that finds its own parts through \`HOME\`, as some
version managers do, may not start in a home of its own; the first check then says so.

${RECORDING}`;
}

function table(questions: readonly CanaryQuestion[]): string {
  const rows = questions.map(({ name, asks, without }) => `| ${name} | ${asks} | ${without} |`);
  return ['| check | what llmc looks for | without it |', '|---|---|---|', ...rows].join('\n');
}
