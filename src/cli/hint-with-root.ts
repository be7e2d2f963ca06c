import { shellWord } from '../base/shell-quote.ts';
/** Adds `--root` to the commands in a hint if the user named a root with it, so that the user can type them unchanged. */
export function atRoot(text: string, root: string | undefined, verbs: readonly string[]): string {
  if (root === undefined || root === '') return text;
  return text.replace(new RegExp(`\\bllmc (?=(?:${verbs.join('|')})\\b)`, 'g'), () => `llmc --root ${shellWord(root)} `);
}
