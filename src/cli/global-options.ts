import type { OptionSpec } from './declaration.ts';

/** The options of every command. */
export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  { flags: '--root <dir>', about: 'the llmc root (default: $LLMC_ROOT, else that of the repository you are in, else ~/llmc)' },
  { flags: '--json', about: 'print one JSON document on stdout' },
  { flags: '--quiet', about: 'no progress on stderr' },
  { flags: '--verbose', about: 'more detail, and stack traces of unexpected errors' },
  { flags: '--no-color', about: 'plain text (also NO_COLOR)' },
  { flags: '-y, --yes', about: 'answer yes to every question' },
  { flags: '--code <code>', about: 'decide without a terminal: what "llmc code" has printed in one' },
  { flags: '--no-patrol', about: 'do not run the patrol for this command' },
];
