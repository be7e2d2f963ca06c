/** Ends what is put into the middle of a message, and may be a question already, as a sentence ends. */
export function sentence(text: string): string {
  return /[.?!…]$/.test(text) ? text : `${text}.`;
}
