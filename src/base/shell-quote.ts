const NEEDS_NO_QUOTES = /^[\w@%+:,./-][\w@%+=:,./-]*$/;

/** A value as one word of a POSIX shell. Single quotes: inside double quotes the shell still runs `…` and $(…). */
export function shellWord(text: string): string {
  return NEEDS_NO_QUOTES.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A command for a person to paste. Every place that puts a value into such a command builds it with this. */
export function commandLine(...words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}
