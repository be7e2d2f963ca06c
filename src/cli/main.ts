import { resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import { LlmcError } from '../base/error.ts';
import { toKnownError } from '../base/known-error.ts';
import { GLOBAL_OPTIONS } from './global-options.ts';
import { atRoot } from './hint-with-root.ts';
import { version } from './package-version.ts';
import { Shell, usualRoot } from './shell.ts';
import { Input, type Verb } from './verb.ts';
import { VERBS } from './verbs.ts';

const VERB_NAMES = VERBS.map(({ name }) => name);

/** The only place where an error becomes text or JSON and an exit status. */
async function main(argv: readonly string[]): Promise<number> {
  const program = buildProgram(argv[0]);
  try {
    await refuseHelpFor(argv);
    await program.parseAsync(asksAboutHelp(argv) ? ['help'] : [...argv], { from: 'user' });
    return 0;
  } catch (error) {
    const [json, verbose, quiet] = ['--json', '--verbose', '--quiet'].map((flag) => argv.includes(flag));
    return report(error, { json, verbose, quiet, root: rootNamed(argv) });
  }
}

/** Undefined when it need not be named. For an error from anywhere, also from the reading of the options itself. */
function rootNamed(argv: readonly string[]): string | undefined {
  const at = argv.findIndex((word) => word === '--root' || word.startsWith('--root='));
  const named = argv[at]?.startsWith('--root=') ? argv[at].slice('--root='.length) : argv[at + 1];
  return at === -1 || named === undefined || resolve(named) === usualRoot() ? undefined : named;
}

/** commander knows no help for help, and complains that no command was given. */
function asksAboutHelp(argv: readonly string[]): boolean {
  const [first, word] = argv.filter((each) => !each.startsWith('-'));
  return first === 'help' && (word === 'help' || (word === undefined && argv.length > 1));
}

/** commander only shows the whole help then, as if nothing had been asked. */
async function refuseHelpFor(argv: readonly string[]): Promise<void> {
  const [first, second] = argv.filter((each, index) => !each.startsWith('-') && argv[index - 1] !== '--root');
  const names = [...VERB_NAMES, 'help'];
  const word = first === 'help' ? second : argv.includes('--help') ? first : undefined;
  if (word === undefined || names.includes(word)) return;
  const { nearest } = await import('../config/nearest.ts');
  const meant = nearest(word, names);
  throw new LlmcError('INVALID_ARGUMENT', `unknown command '${word}'${meant === undefined ? '' : `; did you mean ${meant}?`}`, {
    hint: meant === undefined ? 'llmc help' : `llmc help ${meant}`,
  });
}

function buildProgram(word: string | undefined): Command {
  const program = new Command('llmc')
    .description('Runs a team of coding agents on one repository, and leaves you the review.')
    .version(version(), '--version')
    .helpCommand('help [verb]', 'show help for a command')
    .showHelpAfterError(false)
    .enablePositionalOptions()
    .configureOutput({ writeErr: () => undefined })
    .exitOverride()
    .addHelpText(
      'after',
      '\nFirst steps:\n  llmc demo                              run a demonstration with the built-in agent\n  llmc init --source ~/my/repo           make a root for a repository\n  llmc add adam && llmc up --detach      one worker, running\n  llmc start --prompt "Fix the typo"     give it a task\n  llmc review, llmc accept               look, and land it',
    );
  for (const { flags, about } of GLOBAL_OPTIONS) program.option(flags, about);
  // Building all of them takes longer than most verbs run; help and a wrong word need the whole list.
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

/** An option before the verb means the same as after it. */
function optionsOf(program: Command, command: Command): Readonly<Record<string, unknown>> {
  const typed = (at: Command) => Object.entries(at.opts()).filter(([name]) => at.getOptionValueSource(name) !== 'default');
  return { ...command.opts(), ...Object.fromEntries([...typed(program), ...typed(command)]) };
}

async function perform(verb: Verb, input: Input, shell: Shell): Promise<void> {
  if (verb.decides === true) await (await import('./owner/inside-worker.ts')).refuseInsideWorker(verb.name, shell);
  const result = await verb.run(input, shell);
  if (shell.options.json) {
    const printed = verb.json === undefined ? result : await verb.json(result);
    if (printed !== undefined) shell.out(JSON.stringify(printed, null, 2));
  } else if (verb.text !== undefined) {
    shell.out(await verb.text(result, shell));
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
  return new Shell(settings, (shell, name, args) => import('./owner/owner.ts').then(({ callOwner }) => callOwner(shell, name, args)));
}

interface Reporting {
  readonly json: boolean | undefined;
  readonly verbose: boolean | undefined;
  readonly quiet: boolean | undefined;
  readonly root: string | undefined;
}

function report(error: unknown, { json, verbose, quiet, root }: Reporting): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const known = toLlmcError(error);
  // Every error says what to type next; one from deep inside may not know.
  const next = known.hint ?? (known.category === 'USER_ERROR' ? 'llmc help' : 'llmc doctor');
  const hint = next.includes('--root') ? next : atRoot(next, root, VERB_NAMES);
  if (json) {
    const { code, category, severity, message, details = null } = known.toJSON();
    process.stdout.write(`${JSON.stringify({ error: { code, category, severity, message, hint, details } }, null, 2)}\n`);
  } else {
    const lines = [
      `${known.code}: ${known.message}`,
      known.detailsSaid && quiet !== true ? undefined : known.details,
      `→ ${hint}`,
      verbose && error instanceof Error ? error.stack : undefined,
    ];
    process.stderr.write(`${lines.filter(Boolean).join('\n')}\n`);
  }
  if (known.code === 'WAIT_TIMEOUT') return 3;
  return known.severity === 'fatal' ? 1 : 2;
}

function toLlmcError(error: unknown): LlmcError {
  if (error instanceof CommanderError) {
    const message = error.message.replace(/^error: /, '');
    return new LlmcError('INVALID_ARGUMENT', message === '(outputHelp)' ? 'no command given' : message, { hint: 'llmc help' });
  }
  return toKnownError(error);
}

// A reader such as `head` may stop listening before everything is said. Anything else, such as a full disk, has lost the answer.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  process.stderr.write(`FILESYSTEM_ERROR: the answer could not be written: ${error.message}\n`);
  process.exit(1);
});
process.stderr.on('error', () => undefined);
const status = await main(process.argv.slice(2));
// A verb may have set its own, as the doctor does when it finds something.
if (status !== 0) process.exitCode = status;
