/** A text of this length does not occur in another by chance. */
const DISTINCT_CHARACTERS = 20;

/**
 * Whether a text holds all of a prompt, with what a person typed into the same box. A short prompt, such as "y" or "go on", occurs in
 * many texts: it has to be the first or the last words. A longer one may be anywhere, also with something typed into it at one place.
 */
export function holdsPrompt(text: string, prompt: string): boolean {
  if (prompt === '' || text.length <= prompt.length) return false;
  if (prompt.length < DISTINCT_CHARACTERS) return beginsWith(text, prompt) || endsWith(text, prompt);
  if (text.includes(prompt)) return true;
  let kept = 0;
  while (kept < prompt.length && text[kept] === prompt[kept]) kept += 1;
  return text.endsWith(prompt.slice(kept));
}

const WORD_FIRST = /^[\p{L}\p{N}_]/u;
const WORD_LAST = /[\p{L}\p{N}_]$/u;

function beginsWith(text: string, prompt: string): boolean {
  return text.startsWith(prompt) && !(WORD_LAST.test(prompt) && WORD_FIRST.test(text.slice(prompt.length)));
}

function endsWith(text: string, prompt: string): boolean {
  return text.endsWith(prompt) && !(WORD_FIRST.test(prompt) && WORD_LAST.test(text.slice(0, -prompt.length)));
}
