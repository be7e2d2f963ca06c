import { squeeze } from './squeeze.ts';

/**
 * Whether placeholders and texts are this text and nothing else, in their order. An agent that was suspended while a prompt was pasted
 * reads it without the marks of a paste: Claude Code 2.1 folds each part that it reads at once, and shows a short part as it is.
 */
export function holdsInPieces(pieces: readonly (string | number)[] | undefined, text: string): boolean {
  if (pieces === undefined) return false;
  const wanted = squeezedLines(text);
  let folded = { from: 0, lines: 0, open: false };
  const closes = (until: number) => !folded.open || mayHold(wanted, folded.from, until, folded.lines);
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    if (typeof piece === 'number') {
      // Two folds of one line each look like the same text twice.
      if (folded.open && (piece === 0 || folded.lines === 0)) return false;
      folded = folded.open ? { ...folded, lines: folded.lines + piece } : { from: at, lines: piece, open: true };
      continue;
    }
    const shown = squeeze(piece);
    const place = findPlace(shown, wanted.text, at, { isLast: index === pieces.length - 1, folded: folded.open });
    if (place === undefined || !closes(place)) return false;
    folded = { ...folded, open: false };
    at = place + shown.length;
  }
  return folded.open ? closes(wanted.text.length) : at === wanted.text.length;
}

interface Squeezed {
  readonly text: string;
  /** The line of each character. */
  readonly lineOf: readonly number[];
  readonly lastLine: number;
}

function squeezedLines(text: string): Squeezed {
  const lines = text.split('\n').map(squeeze);
  const lineOf = lines.flatMap((line, index) => Array.from({ length: line.length }, () => index));
  return { text: lines.join(''), lineOf, lastLine: lines.length - 1 };
}

/** The last piece is the end of the text; one that follows no fold goes on where the one before ended. */
function findPlace(
  shown: string,
  wanted: string,
  from: number,
  { isLast, folded }: { isLast: boolean; folded: boolean },
): number | undefined {
  const place = isLast ? wanted.length - shown.length : folded ? wanted.indexOf(shown, from) : from;
  return place >= from && wanted.startsWith(shown, place) ? place : undefined;
}

/** Folds of that many line ends may hold these characters. Line ends beside them may be in the fold or not. */
function mayHold({ lineOf, lastLine }: Squeezed, from: number, until: number, lines: number): boolean {
  if (from >= until) return false;
  const inside = (lineOf[until - 1] ?? lastLine) - (lineOf[from] ?? 0);
  const around = (lineOf[until] ?? lastLine) - (lineOf[from - 1] ?? 0);
  return lines >= inside && lines <= around;
}
