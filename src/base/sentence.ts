/** Names that are written in lower case. */
const PROGRAM = /^(?:llmc|git|tmux|node|npm)\b/;

/** Begins with a capital letter, unless the text begins with the name of a program or with this name. */
export function capitalised(text: string, name?: string): string {
  if (PROGRAM.test(text) || (name !== undefined && text.startsWith(name))) return text;
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

/** Adds a full stop unless the text already ends with a punctuation mark. */
export function sentence(text: string): string {
  return /[.?!…]$/.test(text) ? text : `${text}.`;
}
