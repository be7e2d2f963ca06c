import type { Declaration, OptionSpec } from '../src/cli/declaration.ts';
import { GLOBAL_OPTIONS } from '../src/cli/global-options.ts';
import { VERB_GROUPS, VERBS } from '../src/cli/verbs.ts';

const INTRODUCTION = `# Commands

This page is generated from the declarations of the commands (\`npm run docs\`); \`llmc <command> --help\` prints the same.

- **Root**: \`--root <dir>\`, else \`LLMC_ROOT\`, else the root of the repository you are in, else \`~/llmc\`. Any number of roots can exist on one machine;
  they share nothing. \`llmc roots\` lists them; [roots](roots.md) says how they are found.
- **Output**: the result goes to stdout, progress to stderr. With \`--json\` stdout holds one JSON document and nothing else; commands that
  keep printing (\`logs\`, \`events\`, \`status --watch\`, \`show --watch\`) print one document per line.
- **Exit status**: 0 done, 1 fatal error, 2 any other error, refusal or wrong usage, 3 a wait ran out of time, 78 Node too old, 130 after Ctrl+C.
- **Errors** have a code, one sentence, and what to type next. With \`--json\`:
  \`{"error": {"code", "category", "severity", "message", "hint", "details"}}\`; \`details\` can be null.
- Without a terminal llmc never asks; on a terminal, \`--yes\` answers for you.
- **Short options** mean the same everywhere: \`-w\` worker, \`-p\` prompt, \`-m\` message, \`-d\` detach, \`-y\` yes. \`-f\` is the file that a text
  comes from (\`start\`, \`reject\`, \`queue\`), or follows (\`logs\`, \`events\`). \`llmc ls\` is \`llmc status\`, \`llmc rm\` is \`llmc nuke\`.
- The commands marked **person**, and some uses of others (\`rescue restore --into\`, \`up --replace\`, …), need evidence of a person: a terminal
  that is not a worker's, a script that \`[people] scripts\` names (cron, systemd, CI), or a code (\`llmc code\`, then \`--code\`). Over ssh, use
  \`ssh -t\`. Inside a worker they are refused; inside is everything below the worker's tmux session, also a shell that you open there after
  \`llmc attach\`. \`allow_agents_to_decide\` permits all of it; see [security](security.md#who-may-decide).
`;

/** docs/cli.md. */
export function cliPage(): string {
  const overview = VERB_GROUPS.flatMap(({ title, verbs }) => [
    `| **${title}** | |`,
    ...verbs.map(({ name, summary, decides }) => `| [\`${name}\`](#llmc-${name}) | ${summary}${decides ? ' (**person**)' : ''} |`),
  ]);
  return [
    INTRODUCTION,
    `| command | what it does |\n|---|---|\n${overview.join('\n')}\n`,
    `Every command has these options:\n\n${table('option', GLOBAL_OPTIONS)}\n`,
    ...VERBS.map(section),
  ].join('\n');
}

function section(verb: Declaration): string {
  const usage = [
    'llmc',
    [verb.name, verb.alias].filter(Boolean).join('|'),
    ...verb.arguments.map(({ syntax }) => syntax),
    ...(verb.options.length > 0 ? ['[options]'] : []),
  ];
  const words = verb.arguments.map(({ syntax, about }) => ({ flags: syntax, about }));
  return [
    `## llmc ${verb.name}\n`,
    `${verb.description ?? `${verb.summary}.`}\n`,
    ...(words.length === 0 && verb.options.length === 0 ? [] : [`${table(`\`${usage.join(' ')}\``, [...words, ...verb.options])}\n`]),
    `\`\`\`sh\n${verb.examples.join('\n')}\n\`\`\`\n`,
  ].join('\n');
}

function table(title: string, rows: readonly OptionSpec[]): string {
  return [`| ${cell(title)} | |`, '|---|---|', ...rows.map(({ flags, about }) => `| \`${cell(flags)}\` | ${cell(about)} |`)].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
