import { shellWord } from '../base/shell-quote.ts';
/** A command in a hint, so that it can be typed as it stands: whoever named a root with `--root` has to name it again. */
export function atRoot(text: string, root: string | undefined, verbs: readonly string[]): string {
  if (root === undefined || root === '') return text;
  return text.replace(new RegExp(`\\bllmc (?=(?:${verbs.join('|')})\\b)`, 'g'), () => `llmc --root ${shellWord(root)} `);
}
