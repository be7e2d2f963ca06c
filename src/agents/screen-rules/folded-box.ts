import type { InputBox } from '../agent.ts';

type Folded = Extract<InputBox, { kind: 'folded' }>;

/**
 * A box whose text has placeholders of pastes; undefined without one. The first group of `pattern`, if there is one, gives the size of a
 * paste, and `linesOf` its lines after the first, where the size tells them.
 */
export function foldedBox(
  text: string,
  pattern: RegExp,
  linesOf: (size: string | undefined) => number | undefined = () => undefined,
): Folded | undefined {
  const everywhere = new RegExp(pattern, [...new Set(`${pattern.flags}gm`)].join(''));
  const [first, ...further] = [...text.matchAll(everywhere)].filter(([shown]) => shown !== '');
  if (first === undefined) return undefined;
  const moreLines = linesOf(first[1]);
  const pieces = splitPieces(text, [first, ...further], linesOf);
  return {
    kind: 'folded',
    text,
    ...(moreLines !== undefined && { moreLines }),
    ...(further.length > 0 && { further: further.every(([, size]) => size === first[1]) ? 'alike' : 'different' }),
    ...(text.replace(everywhere, '').trim() !== '' && { beside: true }),
    ...(pieces !== undefined && pieces.length > 1 && { pieces }),
  };
}

function splitPieces(
  text: string,
  folds: readonly RegExpExecArray[],
  linesOf: (size: string | undefined) => number | undefined,
): Folded['pieces'] {
  const pieces: (string | number)[] = [];
  let end = 0;
  for (const { 0: shown, 1: size, index } of folds) {
    const lines = linesOf(size);
    if (lines === undefined) return undefined;
    pieces.push(text.slice(end, index), lines);
    end = index + shown.length;
  }
  return [...pieces, text.slice(end)].filter((piece) => typeof piece === 'number' || piece.trim() !== '');
}
