import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Declaration, OptionSpec } from '../src/cli/declaration.ts';
import { GLOBAL_OPTIONS } from '../src/cli/global-options.ts';
import { VERBS } from '../src/cli/verbs.ts';

const packageFile: { readonly version: string } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));

/** man/llmc.1: one page with all commands. */
export function manPage(): string {
  return `${[
    // No date: the page changes only with the commands.
    `.TH LLMC 1 "" "llmc ${packageFile.version}" "User Commands"`,
    ...section('NAME', ['llmc \\- a supervisor for teams of coding agents']),
    ...section('SYNOPSIS', ['.B llmc', '[\\fIoptions\\fR] \\fIcommand\\fR [\\fIarguments\\fR]']),
    ...section('DESCRIPTION', [
      roff(
        'llmc runs many agent CLIs in parallel on one repository, each in a worktree and a tmux session of its own. You review their work; what you accept lands as one clean commit per task.',
      ),
      '.PP',
      roff('Without a command, on a terminal, llmc opens the view. Without a terminal it prints a short help.'),
    ]),
    ...section('OPTIONS', ['Every command has these options.', ...list(GLOBAL_OPTIONS)]),
    ...section('COMMANDS', VERBS.flatMap(ofVerb)),
    ...section('EXIT STATUS', list(STATUSES)),
    ...section('ENVIRONMENT', list(ENVIRONMENT)),
    ...section('FILES', list(FILES)),
    ...section('SEE ALSO', ['.BR git (1),', '.BR tmux (1)']),
  ].join('\n')}\n`;
}

const STATUSES: readonly OptionSpec[] = [
  { flags: '0', about: 'done' },
  { flags: '1', about: 'fatal error' },
  { flags: '2', about: 'any other error, refusal or wrong usage' },
  { flags: '3', about: 'a wait ran out of time' },
  { flags: '78', about: 'Node is too old' },
  { flags: '130', about: 'after Ctrl+C' },
];

const ENVIRONMENT: readonly OptionSpec[] = [
  { flags: 'LLMC_ROOT', about: 'the root, unless --root names one (default: that of the repository you are in, else ~/llmc)' },
  { flags: 'NO_COLOR', about: 'no colours' },
  { flags: 'EDITOR', about: 'the editor for feedback and commit messages' },
];

const FILES: readonly OptionSpec[] = [
  { flags: '~/llmc/config.toml', about: 'the configuration of the root' },
  { flags: '~/llmc/templates', about: 'texts for llmc start --template' },
  { flags: '~/llmc/workflows', about: 'workflows of the root' },
];

function ofVerb(verb: Declaration): readonly string[] {
  const usage = [verb.name, ...verb.arguments.map(({ syntax }) => syntax), ...(verb.options.length > 0 ? ['[options]'] : [])];
  const words = verb.arguments.map(({ syntax, about }) => ({ flags: syntax, about }));
  return [
    `.SS "llmc ${roff(usage.join(' '))}"`,
    roff(sentence(verb.description ?? verb.summary)),
    ...(verb.alias === undefined ? [] : ['.PP', roff(`llmc ${verb.alias} is the same.`)]),
    ...list([...words, ...verb.options]),
    '.PP',
    verb.examples.length === 1 ? 'Example:' : 'Examples:',
    '.PP',
    '.RS 4',
    '.nf',
    ...verb.examples.map(roff),
    '.fi',
    '.RE',
  ];
}

const section = (title: string, lines: readonly string[]): readonly string[] => [`.SH ${title}`, ...lines];

const list = (rows: readonly OptionSpec[]): readonly string[] =>
  rows.flatMap(({ flags, about }) => ['.TP', `\\fB${roff(flags)}\\fR`, roff(about)]);

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text[0]?.toUpperCase()}${text.slice(1)}.`);

/** Text as roff prints it: a hyphen can be pasted, a quote in a heading is not its end, and a line is not a request. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replace(/[^\0-\x7f]/gu, (letter) => `\\[u${letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`)
    .replace(/^(?=\.)/, '\\&');
}
