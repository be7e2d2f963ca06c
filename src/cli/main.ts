import { resolve } from 'node:path';
import type { Command } from 'commander';
import { LlmcError } from '../base/error.ts';
import { visibleIn } from '../base/visible-text.ts';
import { interruptedStatus, sayWhenInterrupted } from './interruption.ts';
import { printAside } from './output.ts';
import { callOwner } from './owner/owner.ts';
import { requirePerson } from './owner/require-person.ts';
import { version } from './package-version.ts';
import { buildProgram } from './program.ts';
import { reportError } from './report-error.ts';
import { namedRoots } from './roots/named-roots.ts';
import { rootHere } from './roots/root-here.ts';
import { defaultRoot, Shell } from './shell.ts';
import { listWords, refuseUnknownVerb } from './unknown-verb.ts';
import type { Input, Verb } from './verb.ts';
import { VERB_GROUPS, VERBS, verbNamed } from './verbs.ts';
import { textBegins, withQuotes } from './with-quotes.ts';
import { withCommand } from './without-arguments.ts';

const NAMES = VERBS.flatMap(({ name, alias }) => (alias === undefined ? [name] : [name, alias]));

/** Runs a command line, prints its error as text or JSON, and returns the exit status. */
async function main(argv: readonly string[]): Promise<number> {
  const [word] = listWords(argv);
  const verb = verbNamed(word);
  const program = buildProgram(verb === undefined ? VERB_GROUPS : [{ title: 'Commands', verbs: [verb] }], perform);
  try {
    await refuseUnknownVerb(argv, NAMES);
    await program.parseAsync([...parsed(argv, word)], { from: 'user' });
    return 0;
  } catch (error) {
    return reportError(withoutRoot(error, argv), {
      json: argv.includes('--json'),
      verbose: argv.includes('--verbose'),
      quiet: argv.includes('--quiet'),
      root: rootNamed(argv),
      verb: verb?.name,
      verbs: NAMES,
      unknownOption: async () => await (await import('./unknown-option.ts')).unknownOption(argv, verb),
      quoted: (from) => (verb === undefined ? undefined : quotedCommand(program, verb, argv, from)),
    });
  }
}

function quotedCommand(program: Command, verb: Verb, argv: readonly string[], from: number | undefined): string | undefined {
  const begins = from ?? textBegins(verb);
  const operands = program.commands.find((command) => command.name() === verb.name)?.args ?? [];
  return begins === undefined ? undefined : withQuotes(begins, argv, operands);
}

/** In a repository without a root, the next command is another one than for a root that is gone. */
function withoutRoot(error: unknown, argv: readonly string[]): unknown {
  if (!(error instanceof LlmcError) || error.code !== 'ROOT_NOT_FOUND' || argv.some((word) => /^--root(=|$)/.test(word))) return error;
  const here = rootHere();
  if (here.kind !== 'missing') return error;
  return new LlmcError('ROOT_NOT_FOUND', `the repository ${here.repository.name} has no llmc root yet`, {
    hint: 'llmc init, or use another root: llmc roots',
    cause: error,
  });
}

/** The root given with `--root`, unless it is the default one. Reads argv itself, because commander may have failed to parse it. */
function rootNamed(argv: readonly string[]): string | undefined {
  const at = argv.findIndex((word) => word === '--root' || word.startsWith('--root='));
  const named = argv[at]?.startsWith('--root=') ? argv[at].slice('--root='.length) : argv[at + 1];
  return at === -1 || named === undefined || resolve(named) === defaultRoot() ? undefined : named;
}

function chooseCommand(argv: readonly string[]): readonly string[] {
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true && process.env.TERM !== 'dumb';
  const named = rootNamed(argv);
  return withCommand(
    argv,
    named === undefined ? rootHere() : { kind: 'named', root: resolve(named) },
    isTerminal,
    () => namedRoots().length > 0,
  );
}

/** What commander parses: it has no help for `help`, and does not take `llmc --help status` for a question about status. */
function parsed(argv: readonly string[], word: string | undefined): readonly string[] {
  const before = argv.slice(0, word === undefined ? 0 : argv.indexOf(word));
  if (word !== undefined && word !== 'help' && before.some((each) => each === '--help' || each === '-h')) return [word, '--help'];
  const [first, second] = listWords(argv);
  return first === 'help' && (second === 'help' || (second === undefined && argv.length > 1)) ? ['help'] : argv;
}

async function perform(verb: Verb, input: Input): Promise<void> {
  const shell = shellFor(input);
  if (verb.decides === true) await requirePerson(verb.name, shell);
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
    code: options.text('code'),
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
const status = await main(chooseCommand(process.argv.slice(2)));
// Keep the exit status that a verb has set: doctor sets 2 if a check failed.
// A signal that cancelled an accept has its own.
if (status !== 0) process.exitCode = interruptedStatus() ?? status;
