import { CommanderError } from 'commander';
import { LlmcError } from '../base/error.ts';
import { toKnownError } from '../base/known-error.ts';
import { jsonText, visibleLine } from '../base/visible-text.ts';
import { atRoot } from './hint-with-root.ts';
import { print, printAside } from './output.ts';
import { UnquotedText } from './with-quotes.ts';

export interface Reporting {
  readonly json: boolean;
  readonly verbose: boolean;
  readonly quiet: boolean;
  /** The value of `--root`, which the commands in hints have to repeat. */
  readonly root: string | undefined;
  /** The command that the user typed, if it exists. */
  readonly verb: string | undefined;
  readonly verbs: readonly string[];
  /** The error for an option that does not exist, with the one that was meant. */
  readonly unknownOption: () => Promise<LlmcError | undefined>;
  /** The command with quotes around its text, which begins with this operand or with the last one declared. */
  readonly quoted: (from?: number) => string | undefined;
}

/** Prints an error as text or JSON and returns the exit status. */
export async function reportError(error: unknown, reporting: Reporting): Promise<number> {
  const { json, verbose, quiet, root, verb, verbs } = reporting;
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const help = verb === undefined ? 'llmc help' : `llmc ${verb} --help`;
  const known = await toLlmcError(error, help, reporting);
  // Every printed error has a hint; errors of lower layers may come without one.
  const next = known.hint ?? (known.category === 'USER_ERROR' ? help : 'llmc doctor');
  const hint = atRoot(next, root, verbs);
  if (json) {
    const { code, category, severity, message, details = null } = known.toJSON();
    print(`${jsonText({ error: { code, category, severity, message, hint, details } }, 2)}\n`);
  } else {
    // A file name may contain a line feed: only llmc's own lines begin at the left edge.
    const lines = [
      visibleLine(`${known.code}: ${known.message}`),
      known.detailsSaid && !quiet ? undefined : known.details?.replace(/^(?=.)/gm, '  '),
      visibleLine(`→ ${hint}`),
      ...(verbose && error instanceof Error ? [error.stack, ...listCauses(error)] : []),
    ];
    printAside(`${lines.filter(Boolean).join('\n')}\n`);
  }
  if (known.code === 'WAIT_TIMEOUT') return 3;
  return known.severity === 'fatal' ? 1 : 2;
}

async function toLlmcError(error: unknown, help: string, { quoted, unknownOption }: Reporting): Promise<LlmcError> {
  if (error instanceof CommanderError) {
    const unknown = error.code === 'commander.unknownOption' ? await unknownOption() : undefined;
    if (unknown !== undefined) return unknown;
    const message = error.message.replace(/^error: /, '');
    const hint = (error.code === 'commander.excessArguments' ? quoted() : undefined) ?? help;
    return new LlmcError('INVALID_ARGUMENT', message === '(outputHelp)' ? 'no command given' : message, { hint });
  }
  if (error instanceof UnquotedText) return new LlmcError(error.code, error.message, { hint: quoted(error.from) ?? help });
  return toKnownError(error);
}

/** The causes of an error of the supervisor come with it, without their stacks. */
function listCauses({ cause }: Error, depth = 0): readonly string[] {
  if (!(cause instanceof Error) || depth === 8) return [];
  const name = cause instanceof LlmcError ? cause.code : cause.name;
  return [visibleLine(`caused by ${name}: ${cause.message}`), ...listCauses(cause, depth + 1)];
}
