import type { OptionSpec } from './declaration.ts';

/** One letter has one meaning per command, and `-w`, `-p`, `-m`, `-d` the same one in all. `-f` is a file, or to follow. */
const LETTERS: Readonly<Record<string, string>> = {
  worker: 'w',
  prompt: 'p',
  message: 'm',
  detach: 'd',
  yes: 'y',
  'prompt-file': 'f',
  file: 'f',
  follow: 'f',
};

/** An option with its letter, if it has one: `-w, --worker <name>`. */
export function withLetter(option: OptionSpec): OptionSpec {
  const letter = LETTERS[longName(option.flags)];
  return letter === undefined || option.flags.startsWith(`-${letter},`) ? option : { ...option, flags: `-${letter}, ${option.flags}` };
}

/** `worker` of `-w, --worker <name>`. */
export function longName(flags: string): string {
  return /--([a-z][a-z-]*)/.exec(flags)?.[1] ?? '';
}
