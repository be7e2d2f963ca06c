/** Adds a full stop unless the text already ends with a punctuation mark. */
export function sentence(text: string): string {
  return /[.?!…]$/.test(text) ? text : `${text}.`;
}
