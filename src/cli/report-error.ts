import { CommanderError } from 'commander';
import { LlmcError } from '../base/error.ts';
import { toKnownError } from '../base/known-error.ts';
import { jsonText, visibleLine } from '../base/visible-text.ts';
import { atRoot } from './hint-with-root.ts';
import { print, printAside } from './output.ts';

export interface Reporting {
  readonly json: boolean;
  readonly verbose: boolean;
  readonly quiet: boolean;
  /** The value of `--root`, which the commands in hints have to repeat. */
  readonly root: string | undefined;
  /** The command that the user typed, if it exists. */
  readonly verb: string | undefined;
  readonly verbs: readonly string[];
  /** The command with quotes around its text, if the text had too many words. */
  readonly quoted: () => string | undefined;
}

/** Prints an error as text or JSON and returns the exit status. */
export function reportError(error: unknown, { json, verbose, quiet, root, verb, verbs, quoted }: Reporting): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const help = verb === undefined ? 'llmc help' : `llmc ${verb} --help`;
  const known = toLlmcError(error, help, quoted);
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
      verbose && error instanceof Error ? error.stack : undefined,
    ];
    printAside(`${lines.filter(Boolean).join('\n')}\n`);
  }
  if (known.code === 'WAIT_TIMEOUT') return 3;
  return known.severity === 'fatal' ? 1 : 2;
}

function toLlmcError(error: unknown, help: string, quoted: Reporting['quoted']): LlmcError {
  if (error instanceof CommanderError) {
    const message = error.message.replace(/^error: /, '');
    const hint = (error.code === 'commander.excessArguments' ? quoted() : undefined) ?? help;
    return new LlmcError('INVALID_ARGUMENT', message === '(outputHelp)' ? 'no command given' : message, { hint });
  }
  return toKnownError(error);
}
