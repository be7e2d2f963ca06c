import { resolve } from 'node:path';
import { Command } from 'commander';
import { visibleIn } from '../base/visible-text.ts';
import { GLOBAL_OPTIONS } from './global-options.ts';
import { sayWhenInterrupted } from './interruption.ts';
import { print, printAside } from './output.ts';
import { refuseInsideWorker } from './owner/inside-worker.ts';
import { callOwner } from './owner/owner.ts';
import { version } from './package-version.ts';
import { reportError } from './report-error.ts';
import { defaultRoot, Shell } from './shell.ts';
import { refuseUnknownVerb, wordsOf } from './unknown-verb.ts';
import { Input, type Verb } from './verb.ts';
import { VERBS } from './verbs.ts';
import { withQuotes } from './with-quotes.ts';

const VERB_NAMES = VERBS.map(({ name }) => name);

/** Runs a command line, prints its error as text or JSON, and returns the exit status. */
async function main(argv: readonly string[]): Promise<number> {
  const program = buildProgram(argv[0]);
  try {
    await refuseUnknownVerb(argv, VERB_NAMES);
    await program.parseAsync(asksAboutHelp(argv) ? ['help'] : [...argv], { from: 'user' });
    return 0;
  } catch (error) {
    const [word] = wordsOf(argv);
    return reportError(error, {
      json: argv.includes('--json'),
      verbose: argv.includes('--verbose'),
      quiet: argv.includes('--quiet'),
      root: rootNamed(argv),
      verb: VERB_NAMES.find((name) => name === word),
      verbs: VERB_NAMES,
      quoted: () => quotedCommand(program, word, argv),
    });
  }
}

function quotedCommand(program: Command, word: string | undefined, argv: readonly string[]): string | undefined {
  const verb = VERBS.find(({ name }) => name === word);
  return verb && withQuotes(verb, argv, program.commands.find((command) => command.name() === word)?.args ?? []);
}

/** The root given with `--root`, unless it is the default one. Reads argv itself, because commander may have failed to parse it. */
function rootNamed(argv: readonly string[]): string | undefined {
  const at = argv.findIndex((word) => word === '--root' || word.startsWith('--root='));
  const named = argv[at]?.startsWith('--root=') ? argv[at].slice('--root='.length) : argv[at + 1];
  return at === -1 || named === undefined || resolve(named) === defaultRoot() ? undefined : named;
}

/** commander has no help for `help`: it reports that no command was given. */
function asksAboutHelp(argv: readonly string[]): boolean {
  const [first, word] = argv.filter((each) => !each.startsWith('-'));
  return first === 'help' && (word === 'help' || (word === undefined && argv.length > 1));
}

function buildProgram(word: string | undefined): Command {
  const program = new Command('llmc')
    .description('Runs a team of coding agents on one repository; you review their work.')
    .version(version(), '--version')
    .helpCommand('help [verb]', 'show help for a command')
    .showHelpAfterError(false)
    .enablePositionalOptions()
    .configureOutput({ writeOut: print, writeErr: () => undefined })
    .exitOverride()
    .addHelpText(
      'after',
      '\nFirst steps:\n  llmc demo                              run a demonstration with the built-in agent\n  llmc init --source ~/my/repo           create a root for a repository\n  llmc add adam && llmc up --detach      add a worker and start it\n  llmc start --prompt "Fix the typo"     give it a task\n  llmc review, llmc accept               review its work and land it',
    );
  for (const { flags, about } of GLOBAL_OPTIONS) program.option(flags, about);
  // Building all commands takes longer than most of them run. Only help and an unknown command need the whole list.
  const named = VERBS.filter(({ name }) => name === word);
  for (const verb of named.length === 0 ? VERBS : named) addVerb(program, verb);
  return program;
}

function addVerb(program: Command, verb: Verb): void {
  const command = program
    .command(verb.name)
    .summary(verb.summary)
    .description(verb.description ?? verb.summary);
  for (const { syntax, about } of verb.arguments) command.argument(syntax, about);
  for (const { flags, about } of verb.options) command.option(flags, about);
  for (const { flags, about } of GLOBAL_OPTIONS) if (!verb.options.some((option) => option.flags === flags)) command.option(flags, about);
  command.addHelpText('after', `\nExamples:\n${verb.examples.map((example) => `  ${example}`).join('\n')}`);
  command.action(async (...received: unknown[]) => {
    const options = optionsOf(program, command);
    const args = received
      .slice(0, -2)
      .flat()
      .filter((value) => value !== undefined)
      .map(String);
    await perform(verb, new Input(args, options), shellFor(new Input([], options)));
  });
}

/** An option has the same meaning before and after the verb. */
function optionsOf(program: Command, command: Command): Readonly<Record<string, unknown>> {
  const typed = (at: Command) => Object.entries(at.opts()).filter(([name]) => at.getOptionValueSource(name) !== 'default');
  return { ...command.opts(), ...Object.fromEntries([...typed(program), ...typed(command)]) };
}

async function perform(verb: Verb, input: Input, shell: Shell): Promise<void> {
  if (verb.decides === true) await refuseInsideWorker(verb.name, shell);
  const interrupted = verb.interrupted?.(input);
  using _ = interrupted === undefined ? undefined : sayWhenInterrupted(interrupted, shell.say);
  const result = await verb.run(input, shell);
  if (shell.options.json) {
    const printed = verb.json === undefined ? result : await verb.json(result);
    if (printed !== undefined) shell.outJson(printed, 2);
  } else if (verb.text !== undefined) {
    // Before the text is coloured: a colour of an agent would otherwise look like one of llmc.
    const text = await verb.text(visibleIn(result), shell, input);
    shell.out(verb.verbatim === true ? text : shell.atRoot(text));
  }
}

function shellFor(options: Input): Shell {
  const settings = {
    root: options.text('root'),
    json: options.flag('json'),
    quiet: options.flag('quiet'),
    verbose: options.flag('verbose'),
    color: options.flag('color') && !process.env.NO_COLOR && process.stdout.isTTY === true,
    yes: options.flag('yes'),
    patrol: options.flag('patrol'),
    version: version(),
    declarations: VERBS,
  };
  return new Shell(settings, callOwner);
}

// A reader such as `head` may close the pipe early, which is not an error. Any other failure, such as a full disk, loses output.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  printAside(`FILESYSTEM_ERROR: the output could not be written: ${error.message}\n`);
  process.exit(1);
});
process.stderr.on('error', () => undefined);
const status = await main(process.argv.slice(2));
// Keep the exit status that a verb has set: doctor sets 2 if a check failed.
if (status !== 0) process.exitCode = status;
