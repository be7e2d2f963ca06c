import { shellWord } from '../base/shell-quote.ts';

/** Adds `--root` to the commands in a text if the user named a root with it, so that the user can type them unchanged. */
export function atRoot(text: string, root: string | undefined, verbs: readonly string[]): string {
  if (root === undefined || root === '') return text;
  const command = new RegExp(`\\bllmc (?=(?:${verbs.join('|')})\\b)`, 'g');
  return text
    .split('\n')
    .map((line) => (line.includes('--root') ? line : line.replace(command, () => `llmc --root ${shellWord(root)} `)))
    .join('\n');
}
