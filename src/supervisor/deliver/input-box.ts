import type { InputBox } from '../../agents/agent.ts';

/** How much of a text stands in the box. A box wraps and trims, so only what is not white space counts. */
export function boxHolds(box: InputBox, text: string): 'nothing' | 'whole' | 'part' | 'other' {
  if (box.kind === 'absent' || box.kind === 'empty') return 'nothing';
  const wanted = squeeze(text);
  const found = squeeze(box.text);
  // Also of a text that only looks like a fold.
  if (found === wanted) return 'whole';
  if (box.kind === 'folded') return foldHolds(box.moreLines, text.split('\n').length - 1);
  if (found !== '' && wanted.startsWith(found)) return 'part';
  // A tall prompt scrolls inside its box: the end of it is what shows.
  if (found.length >= 40 && wanted.endsWith(found)) return 'whole';
  return 'other';
}

/** A fold shows no text; it tells at most how many lines follow the first. Far too many are the text twice: that is not ours to send. */
function foldHolds(lines: number | undefined, wanted: number): 'whole' | 'part' {
  return lines === undefined || (lines >= wanted && lines <= wanted * 1.5 + 1) ? 'whole' : 'part';
}

/**
 * Whether the box holds just this text, so that it may be emptied. Stricter than `boxHolds`: a fold that
 * could as well be something a person pasted is a person's.
 */
export function boxHoldsOnly(box: InputBox, text: string): boolean {
  if (box.kind === 'folded') return box.moreLines === text.split('\n').length - 1;
  return box.kind === 'text' && boxHolds(box, text) === 'whole';
}

const EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]+/gu;

// tmux 3.3a takes joined emoji apart and drops skin tones and some marks: one run of emoji counts like another.
function squeeze(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\s\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}]+/gu, '')
    .replace(EMOJI, '☺');
}
