import { Command, Option } from 'commander';
import { GLOBAL_OPTIONS } from './global-options.ts';
import { print } from './output.ts';
import { version } from './package-version.ts';
import { terminalSize } from './terminal-size.ts';
import { Input, type Verb } from './verb.ts';

const FIRST_STEPS = `
First steps:
  llmc demo                         run a demonstration with the built-in agent
  llmc init --source ~/my/repo      create a root for a repository
  llmc add adam && llmc up -d       add a worker and start it
  llmc start "Fix the typo"         give it a task
  llmc review, llmc accept          review its work and land it
  llmc run swarm --input task="…"   let several agents research, build and review`;

export interface VerbGroup {
  readonly title: string;
  readonly verbs: readonly Verb[];
}

type Perform = (verb: Verb, input: Input) => Promise<void>;

/** The parser of the command line. It has only these verbs, because building all of them takes longer than most commands run. */
export function buildProgram(groups: readonly VerbGroup[], perform: Perform): Command {
  const program = new Command('llmc')
    .description('Runs a team of coding agents on one repository; you review their work.')
    .version(version(), '-V, --version')
    .commandsGroup('More:')
    .helpCommand('help [verb]', 'show help for a command')
    .showHelpAfterError(false)
    .showSuggestionAfterError(false)
    .enablePositionalOptions()
    .configureOutput({
      writeOut: print,
      writeErr: () => undefined,
      // Commander breaks each line of a terminal of 0 columns after its first word.
      getOutHelpWidth: () => terminalSize(process.stdout).columns,
    })
    .exitOverride()
    .addHelpText('after', FIRST_STEPS);
  for (const { flags, about } of GLOBAL_OPTIONS) program.option(flags, about);
  for (const { title, verbs } of groups) for (const verb of verbs) addVerb(program, verb, perform).helpGroup(`${title}:`);
  return program;
}

function addVerb(program: Command, verb: Verb, perform: Perform): Command {
  const command = program
    .command(verb.name)
    .summary(verb.summary)
    .description(verb.description ?? verb.summary)
    .configureHelp({ visibleOptions: (shown) => shown.options.filter(({ hidden }) => !hidden) });
  if (verb.alias !== undefined) command.alias(verb.alias);
  for (const { syntax, about } of verb.arguments) command.argument(syntax, about);
  for (const { flags, about, repeats } of verb.options)
    if (repeats === true) command.option(flags, about, (value: string, before: readonly string[] = []) => [...before, value]);
    else command.option(flags, about);
  for (const { flags, about } of GLOBAL_OPTIONS)
    if (!verb.options.some((option) => option.flags === flags)) command.addOption(new Option(flags, about).hideHelp());
  const examples = verb.examples.map((example) => `  ${example}`).join('\n');
  command.addHelpText('after', `\nExamples:\n${examples}\n\nOptions of every command (--json, --root, --yes, …): llmc help`);
  command.action(async (...received: unknown[]) => {
    const args = received
      .slice(0, -2)
      .flat()
      .filter((value) => value !== undefined)
      .map(String);
    await perform(verb, new Input(args, collectOptions(program, command)));
  });
  return command;
}

/** An option has the same meaning before and after the verb. */
function collectOptions(program: Command, command: Command): Readonly<Record<string, unknown>> {
  const typed = (at: Command) => Object.entries(at.opts()).filter(([name]) => at.getOptionValueSource(name) !== 'default');
  return { ...command.opts(), ...Object.fromEntries([...typed(program), ...typed(command)]) };
}
