import type { Style } from '../../screen/line.ts';
import type { LineEntry } from '../entries.ts';
import type { Hunk } from '../parse/patch.ts';
import { type Changed, changedWords } from '../syntax/changed-words.ts';
import { colorLine, STYLES } from '../syntax/colors.ts';
import type { Piece } from './fit.ts';
import { shownLine } from './shown-line.ts';

export const SIGN_STYLES: Readonly<Record<'+' | '-' | ' ', Style>> = { '+': { color: 'green' }, '-': { color: 'red' }, ' ': {} };

/** The styles of a line: added and context lines have the colours of their language, a removed line is red; changed words are inverse in the colour of the change, whatever they are in the language. */
export function listPieces({ file, hunk, index, line }: LineEntry, text: string): readonly Piece[] {
  const own = SIGN_STYLES[line.sign];
  const tokens = line.sign === '-' ? [{ end: text.length, kind: 'plain' as const }] : colorLine(file, hunk, index, text);
  const pieces = tokens.map(({ end, kind }) => ({ end, style: kind === 'plain' ? own : STYLES[kind] }));
  const changed = changedIn(file.isWindows, hunk, index, text);
  return changed === undefined ? pieces : marked(pieces, changed, { ...own, inverse: true });
}

function changedIn(isWindows: boolean, hunk: Hunk, index: number, text: string): Changed | undefined {
  const other = hunk.lines[partners(hunk)[index] ?? -1];
  if (other === undefined) return undefined;
  const { text: otherText } = shownLine(other.text, isWindows);
  return other.sign === '-' ? changedWords(otherText, text)?.now : changedWords(text, otherText)?.old;
}

const paired = new WeakMap<Hunk, Int32Array>();

/** For each line of a hunk the one that it replaces or that replaces it; -1 if as many lines were not added as removed. */
function partners(hunk: Hunk): Int32Array {
  const found = paired.get(hunk);
  if (found !== undefined) return found;
  const { lines } = hunk;
  const pairs = new Int32Array(lines.length).fill(-1);
  for (let at = 0; at < lines.length; ) {
    const removed = run(hunk, at, '-');
    const added = run(hunk, at + removed, '+');
    if (removed === added)
      for (let index = at; index < at + removed; index += 1) {
        pairs[index] = index + removed;
        pairs[index + removed] = index;
      }
    at += Math.max(1, removed + added);
  }
  paired.set(hunk, pairs);
  return pairs;
}

function run({ lines }: Hunk, start: number, sign: '+' | '-'): number {
  let at = start;
  while (lines[at]?.sign === sign) at += 1;
  return at - start;
}

function marked(pieces: readonly Piece[], { from, to }: Changed, mark: Style): readonly Piece[] {
  const parts: Piece[] = [];
  let start = 0;
  const push = (end: number, style: Style): void => {
    if (end <= start) return;
    parts.push({ end, style });
    start = end;
  };
  for (const { end, style } of pieces) {
    push(Math.min(end, from), style);
    push(Math.min(end, to), mark);
    push(end, style);
  }
  return parts;
}
