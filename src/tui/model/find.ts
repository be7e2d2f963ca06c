import { visibleLine } from '../../base/visible-text.ts';
import { type Comment, commentsUnder } from '../diff/comments/comment.ts';
import type { Entry } from '../diff/entries.ts';
import { withSeen } from '../diff/seen.ts';
import { settled } from '../diff/settle.ts';
import type { Line } from '../screen/line.ts';
import { chooseTopLine, contentLines, paneSize } from './pane.ts';
import type { ShownPane, View } from './view.ts';

/** What is searched in the pane that is on the screen; undefined if nothing is. */
export function foundIn({ found, selected, tab }: View): View['found'] {
  return found !== undefined && found.of === selected && found.tab === tab ? found : undefined;
}

/** The matches of the search, and which of them the person is at; counted by lines. */
export function matchesIn(view: View): { readonly count: number; readonly at: number } {
  const { pane } = view;
  const found = foundIn(view);
  if (found === undefined || pane === undefined) return { count: 0, at: 0 };
  const lines = matching(view, pane, found.text);
  const here = pane.content.kind === 'diff' ? pane.content.diff.cursor : found.at;
  return { count: lines.length, at: lines.indexOf(here) + 1 };
}

/** Goes to the first line that has the text, from where the person is. */
export function find(view: View, typed: string): View {
  const { pane, selected, tab } = view;
  const text = typed.trim();
  if (text === '' || pane === undefined || selected === undefined) return { ...view, found: undefined };
  const here = pane.content.kind === 'diff' ? pane.content.diff.cursor : chooseTopLine(view, pane);
  const lines = matching(view, pane, text);
  const first = lines.find((line) => line >= here) ?? lines[0];
  const found = { of: selected, tab, text, at: first ?? 0 };
  if (first !== undefined) return shownAt({ ...view, found, notice: undefined }, pane, first);
  return { ...view, found: undefined, notice: { tone: 'bad', text: `Nothing here has "${text}".` } };
}

/** To the next match or the one before; round the end. */
export function findNext(view: View, step: 1 | -1): View {
  const { pane } = view;
  const found = foundIn(view);
  if (found === undefined || pane === undefined) return view;
  const lines = matching(view, pane, found.text);
  const here = pane.content.kind === 'diff' ? pane.content.diff.cursor : found.at;
  const next = step === 1 ? lines.find((line) => line > here) : lines.findLast((line) => line < here);
  const to = next ?? (step === 1 ? lines[0] : lines.at(-1));
  const notice = next === undefined && lines.length > 1 ? ({ tone: 'plain', text: 'The search went round the end.' } as const) : undefined;
  return to === undefined ? view : shownAt({ ...view, found: { ...found, at: to }, notice }, pane, to);
}

/** Lines of context above a match. */
const ABOVE = 2;

function shownAt(view: View, pane: ShownPane, line: number): View {
  const size = paneSize(view);
  if (pane.content.kind !== 'diff') return { ...view, pane: { ...pane, top: Math.max(0, line - ABOVE), atEnd: false } };
  const diff = settled({ ...pane.content.diff, focus: 'lines', cursor: line }, size);
  return { ...view, pane: { ...pane, content: { ...pane.content, diff: withSeen(diff, size) } } };
}

let last:
  | { readonly of: readonly Entry[]; readonly comments: readonly Comment[]; readonly text: string; readonly lines: readonly number[] }
  | undefined;

/** The lines of the pane that have the text. Each drawing needs those of a diff, which can be long, so they are remembered. */
function matching(view: View, { content }: ShownPane, text: string): readonly number[] {
  if (content.kind !== 'diff') return listMatches(contentLines(content, paneSize(view), view.now).map(toText), text);
  const { diff } = content;
  const { entries, comments } = diff;
  if (last?.of === entries && last.comments === comments && last.text === text) return last.lines;
  // A comment is found at the line that it stands below.
  const texts = entries.map((entry, at) => [textOfEntry(entry), ...commentsUnder(diff, at).map((comment) => comment.text)].join('\n'));
  last = { of: entries, comments, text, lines: listMatches(texts, text) };
  return last.lines;
}

function listMatches(texts: readonly string[], text: string): readonly number[] {
  return texts.flatMap((each, at) => (listPlaces(each, text).length > 0 ? [at] : []));
}

const toText = (line: Line): string => line.map((span) => span.text).join('');

function textOfEntry(entry: Entry): string {
  switch (entry.kind) {
    case 'file':
      return entry.file.path;
    case 'note':
      return entry.text;
    case 'hunk':
      return entry.hunk.heading;
    case 'line':
      return visibleLine(entry.line.text);
  }
}

/** Where a line has the text. Upper case counts only if the text has some. */
function listPlaces(line: string, text: string): readonly number[] {
  const isExact = text !== text.toLowerCase();
  const [within, wanted] = isExact ? [line, text] : [line.toLowerCase(), text];
  // A character whose lower case is longer moves the places after it.
  if (within.length !== line.length) return line.includes(text) ? [line.indexOf(text)] : [];
  const places: number[] = [];
  for (let at = within.indexOf(wanted); at !== -1; at = within.indexOf(wanted, at + wanted.length)) places.push(at);
  return places;
}

/** A drawn line with each match inverse. */
export function highlighted(line: Line, text: string): Line {
  const places = listPlaces(toText(line), text);
  if (places.length === 0) return line;
  let start = 0;
  return line.flatMap((span) => {
    const [from, to] = [start, start + span.text.length];
    start = to;
    const cuts = places.flatMap((at) => [at, at + text.length]).filter((at) => at > from && at < to);
    return [from, ...cuts].map((begin, index, all) => {
      const isMatch = places.some((at) => begin >= at && begin < at + text.length);
      const part = span.text.slice(begin - from, (all[index + 1] ?? to) - from);
      return isMatch ? { text: part, style: { color: 'yellow' as const, bold: true, inverse: true } } : { ...span, text: part };
    });
  });
}
