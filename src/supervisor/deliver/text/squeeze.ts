const EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]+/gu;

/**
 * A text as a box is compared with it: without white space, because a box wraps and trims. tmux 3.3a splits joined emoji and drops skin
 * tones and some marks, so any run of emoji equals any other.
 */
export function squeeze(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\s\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}]+/gu, '')
    .replace(EMOJI, '☺');
}
