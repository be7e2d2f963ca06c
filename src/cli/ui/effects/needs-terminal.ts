const ALWAYS: readonly string[] = ['attach', 'demo'];
const FOLLOWING: readonly string[] = ['--watch', '--follow', '-f', '--edit'];
/** They stay in the foreground unless they are told not to. */
const FOREGROUND: readonly string[] = ['up', 'run'];

/** Whether a command has to have the terminal: it asks, follows something, or opens a program. */
export function commandNeedsTerminal(words: readonly string[]): boolean {
  const [verb = ''] = words;
  if (words.includes('--help') || words.includes('-h')) return false;
  if (ALWAYS.includes(verb) || words.some((word) => FOLLOWING.includes(word))) return true;
  if (FOREGROUND.includes(verb)) return !words.includes('--detach') && !words.includes('-d');
  return verb === 'reject' && words.length === 1;
}
