/** A part of a text, with the place of each of its characters in the whole. */
export interface TextPart {
  readonly text: string;
  readonly placeOf: Uint32Array;
}

const BORDERS = '│┃║|▏▕┆┊╎';
const UNSEEN = String.raw`(?![\n\t\r])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]`;
/** The end of a line on a screen and the beginning of the next one. Also the escape `\n` in JSON inside of a text. */
const WRAP = new RegExp(String.raw`[ \t${BORDERS}]{0,300}(?:\r?\n|\\r\\n|\\n)[ \t${BORDERS}>⎿•]{0,300}|${UNSEEN}`, 'gu');
/** What may stand between two characters of a secret because of how it was printed or quoted. */
const BETWEEN = new RegExp(String.raw`\\[nrt]|\\u00[01][0-9a-fA-F]|[\s\\"'${BORDERS}>⎿•]|${UNSEEN}`, 'gu');

/** The text with wrapped lines joined, for secrets that a narrow screen has split. */
export const withoutWraps = (text: string): TextPart => without(text, WRAP);

/** Only the characters that distinguish one secret from another. */
export const squeezed = (text: string): TextPart => without(text, BETWEEN);

function without(text: string, pattern: RegExp): TextPart {
  const placeOf = new Uint32Array(text.length + 1);
  const kept: string[] = [];
  let length = 0;
  let from = 0;
  const keep = (to: number) => {
    kept.push(text.slice(from, to));
    for (let at = from; at < to; at += 1) placeOf[length++] = at;
  };
  for (const match of text.matchAll(pattern)) {
    keep(match.index);
    from = match.index + match[0].length;
  }
  keep(text.length);
  placeOf[length] = text.length;
  return { text: kept.join(''), placeOf };
}
