import { LlmcError } from '../base/error.ts';
import { commandLine } from '../base/shell-quote.ts';
import { nearest } from '../config/nearest.ts';
import type { Declaration } from './declaration.ts';
import { GLOBAL_OPTIONS } from './global-options.ts';
import { longName } from './short-options.ts';

/** Options that other tools have for one of llmc. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  '--force': '--yes',
  '--dry': '--dry-run',
  '--background': '--detach',
  '--daemon': '--detach',
  '--tail': '--follow',
};

/** The error for the first option of a command line that the command does not have: the one that was meant, and the command with it. */
export function unknownOption(argv: readonly string[], verb: Declaration | undefined): LlmcError | undefined {
  const known = [...(verb?.options ?? []), ...GLOBAL_OPTIONS].map(({ flags }) => `--${longName(flags)}`);
  const end = argv.indexOf('--');
  const wrong = argv.slice(0, end === -1 ? undefined : end).find((word) => /^--./.test(word) && !known.includes(toFlag(word)));
  if (wrong === undefined || toFlag(wrong) === '--help') return undefined;
  const flag = toFlag(wrong);
  const other = OTHER_WORDS[flag];
  const meant = other !== undefined && known.includes(other) ? other : nearest(flag, known);
  const retyped = argv.map((word) => (word === wrong ? `${meant}${word.slice(flag.length)}` : word));
  return new LlmcError('INVALID_ARGUMENT', `unknown option '${flag}'${meant === undefined ? '' : `; did you mean ${meant}?`}`, {
    hint: meant !== undefined ? commandLine('llmc', ...retyped) : verb === undefined ? 'llmc help' : `llmc ${verb.name} --help`,
  });
}

const toFlag = (word: string): string => word.split('=', 1)[0] ?? word;
