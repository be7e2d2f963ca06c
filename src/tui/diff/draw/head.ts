import { judgeProof } from '../../../proof/verdict.ts';
import { markdownText } from '../../../workers/review/text/markdown.ts';
import type { ReviewLine } from '../../../workers/review/text/review-lines.ts';
import { cutLine, widthOfLine } from '../../screen/fit.ts';
import { linesFromSgr } from '../../screen/from-sgr.ts';
import type { Line, Style } from '../../screen/line.ts';
import { commitLines, findMessage, headLines, type ShownWork } from '../shown-work.ts';
import { cuts, spansBetween } from './fit.ts';

const MOST_ROWS = 5;

const WEIGHTS: Readonly<Record<ReviewLine['weight'], Style>> = {
  blocks: { color: 'red', bold: true },
  warns: { color: 'yellow' },
  tells: {},
};

const kept = new WeakMap<ShownWork, readonly ReviewLine[]>();

function shortLines(shown: ShownWork): readonly ReviewLine[] {
  const lines = kept.get(shown) ?? inOrder(headLines(shown, 1));
  kept.set(shown, lines);
  return lines;
}

/** The rows of the compact head: at most five and a third of the pane, or half of it if a person has to see what a conflict replaced. */
export function countHeadRows(shown: ShownWork, rows: number): number {
  const isAltered = shown.kind === 'work' && shown.proof !== null && judgeProof(shown.proof) === 'altered';
  return Math.min(isAltered ? Math.floor(rows / 2) : Math.min(MOST_ROWS, Math.floor(rows / 3)), shortLines(shown).length);
}

/** What blocks an accept, what warns, the task, the size of the change. The last row says how many lines `o` opens. */
export function compactHead(shown: ShownWork, rows: number, columns: number): readonly Line[] {
  const lines = shortLines(shown);
  const urgent = lines.filter(({ weight }) => weight !== 'tells');
  const told = lines.filter(({ weight }) => weight === 'tells');
  // Two rows are for the task and the size of the change.
  const first = urgent.slice(0, Math.max(rows - told.length, rows - Math.min(2, Math.floor(rows / 2)), 1));
  const room = Math.max(0, rows - first.length);
  const chosen = [...first, ...(told.length <= room ? told : room === 0 ? [] : [...told.slice(0, room - 1), ...told.slice(-1)])].slice(
    0,
    rows,
  );
  const rest = lines.length - chosen.length;
  return chosen.map(({ text, weight }, index): Line => {
    const more = index === chosen.length - 1 && rest > 0 ? [{ text: ` · ${rest} more: o`, style: { bold: true } }] : [];
    return [...cutLine([{ text, style: WEIGHTS[weight] }], columns - widthOfLine(more)), ...more];
  });
}

const opened = new WeakMap<ShownWork, { readonly columns: number; readonly lines: readonly Line[] }>();

/** All of it, wrapped, and what the agent says at length. */
export function wholeHead(shown: ShownWork, columns: number): readonly Line[] {
  const known = opened.get(shown);
  if (known?.columns === columns) return known.lines;
  const about = inOrder(headLines(shown, Number.POSITIVE_INFINITY)).flatMap(({ text, weight }) =>
    wrapOneLine(text, columns, WEIGHTS[weight]),
  );
  const commit = commitLines(shown).flatMap((line) => wrapOneLine(line.replaceAll('\t', ' '), columns, {}));
  const message = findMessage(shown);
  const said = message === null ? [] : linesFromSgr(markdownText(message, { color: true, columns }).split('\n'));
  const parts = [about, commit, said.flatMap((line) => rewrapped(line, columns))];
  const lines = parts.filter((part) => part.length > 0).flatMap((part, at) => (at === 0 ? part : [[], ...part]));
  opened.set(shown, { columns, lines });
  return lines;
}

/** Code and tables are longer than the pane: nothing of them may be hidden. */
export function rewrapped(line: Line, columns: number): readonly Line[] {
  const text = line.map((span) => span.text).join('');
  let end = 0;
  const pieces = line.map((span) => {
    end += span.text.length;
    return { end, style: span.style ?? {} };
  });
  return cuts(text, columns).map((cut, at, all) => spansBetween(text, pieces, all[at - 1] ?? 0, cut));
}

/** A text of one line as rows. */
export function wrapOneLine(text: string, columns: number, style: Style): readonly Line[] {
  let start = 0;
  return cuts(text, columns).map((end): Line => {
    const part = text.slice(start, end);
    start = end;
    return [{ text: part, style }];
  });
}

const ORDER = ['blocks', 'warns', 'tells'] as const;

const inOrder = (lines: readonly ReviewLine[]): readonly ReviewLine[] =>
  ORDER.flatMap((weight) => lines.filter((line) => line.weight === weight));
