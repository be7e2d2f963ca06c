import type { InputBox } from '../../../agents/agent.ts';
import { holdsInPieces } from './box-pieces.ts';
import { squeeze } from './squeeze.ts';

type Folded = Extract<InputBox, { kind: 'folded' }>;

/**
 * How much of a text the box holds. White space does not count, because a box wraps and trims. `twice`: more than the whole text and
 * nothing else, because an agent that was paused read an earlier paste late.
 */
export function boxHolds(box: InputBox, text: string): 'nothing' | 'whole' | 'part' | 'twice' | 'other' {
  if (box.kind === 'absent' || box.kind === 'empty') return 'nothing';
  const wanted = squeeze(text);
  const found = squeeze(box.text);
  // Before the check for a fold: a prompt may read like one.
  if (found === wanted) return 'whole';
  if (box.kind === 'folded') return holdsInPieces(box.pieces, text) ? 'whole' : foldsHold(box, text.split('\n').length - 1);
  if (found !== '' && wanted.startsWith(found)) return 'part';
  if (repeats(found, wanted)) return 'twice';
  // A tall prompt scrolls inside its box, which shows its end.
  if (found.length >= 40 && wanted.endsWith(found)) return 'whole';
  return 'other';
}

/** The text over and over; the last time perhaps only its beginning. */
function repeats(found: string, wanted: string): boolean {
  return wanted !== '' && found.length > wanted.length && wanted.repeat(Math.ceil(found.length / wanted.length)).startsWith(found);
}

/** What stands beside the fold, or in a fold of another size, is a person's: llmc pastes the same text each time, and nothing else. */
function foldsHold({ moreLines, further, beside }: Folded, wanted: number): 'whole' | 'part' | 'twice' | 'other' {
  if (beside === true || further === 'different') return 'other';
  if (further === undefined) return foldHolds(moreLines, wanted);
  return moreLines === undefined || moreLines === wanted ? 'twice' : 'other';
}

/** A fold shows at most how many lines follow the first. Far too many lines are the text twice, which must not be sent. */
function foldHolds(lines: number | undefined, wanted: number): 'whole' | 'part' {
  return lines === undefined || (lines >= wanted && lines <= wanted * 1.5 + 1) ? 'whole' : 'part';
}

/**
 * Whether the box holds this text and nothing else, so that it may be emptied. Stricter than `boxHolds`: a fold that
 * may be a person's paste counts as theirs.
 */
export function boxHoldsOnly(box: InputBox, text: string): boolean {
  if (box.kind === 'folded') return box.moreLines === text.split('\n').length - 1 && box.further === undefined && box.beside !== true;
  return box.kind === 'text' && boxHolds(box, text) === 'whole';
}
