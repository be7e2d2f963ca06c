/**
 * Blanks, controls and what Unicode calls ignorable, such as a zero-width space or a Hangul filler. Two symbols without ink have no such
 * property: the empty Braille cell and the null notehead. Arabic, Syriac and Kaithi number signs are format characters with a glyph.
 */
const WITHOUT_INK = String.raw`[[\s\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]--[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]]`;
let withInk: RegExp | undefined;

/** True for a text that a person would see as empty: a prompt, a message or an answer of that kind is refused. */
export function showsNothing(text: string): boolean {
  if (/[\x21-\x7e]/.test(text)) return false;
  // Made at its first use: most texts have a letter of ASCII.
  withInk ??= new RegExp(`[^${WITHOUT_INK}]`, 'v');
  return !withInk.test(text);
}
