import { cutToWidth, measureWidth } from '../../base/text-width.ts';
import { hiddenIn, toNotation } from '../../base/visible-text.ts';
import { span } from './fit.ts';
import type { Pressed } from './key.ts';
import type { Line } from './line.ts';

/** A text that a person types, and where the next character goes. */
export interface TextField {
  readonly text: string;
  readonly cursor: number;
}

export const EMPTY_FIELD: TextField = { text: '', cursor: 0 };

export function makeField(text: string): TextField {
  return { text, cursor: text.length };
}

/** The field after a key; undefined for a key that is not one of a text field, such as enter. */
export function typeInto(field: TextField, pressed: Pressed): TextField | undefined {
  if (pressed.kind === 'mouse') return undefined;
  if (pressed.kind === 'paste') return insert(field, pressed.text);
  const { key } = pressed;
  if (key === 'ctrl+j' || key === 'alt+enter' || key === 'shift+enter') return insert(field, '\n');
  const move = MOVES[key];
  if (move !== undefined) return { text: field.text, cursor: move(field) };
  const removal = REMOVALS[key];
  if (removal !== undefined) return remove(field, removal(field));
  return Array.from(key).length === 1 ? insert(field, key) : undefined;
}

type Place = (field: TextField) => number;

const MOVES: Readonly<Record<string, Place>> = {
  left: before,
  'ctrl+b': before,
  right: after,
  'ctrl+f': after,
  home: () => 0,
  'ctrl+a': () => 0,
  end: ({ text }) => text.length,
  'alt+b': wordBefore,
  'ctrl+left': wordBefore,
  'alt+f': wordAfter,
  'ctrl+right': wordAfter,
};

const REMOVALS: Readonly<Record<string, Place>> = {
  backspace: before,
  delete: after,
  'ctrl+d': after,
  'ctrl+u': () => 0,
  'ctrl+k': ({ text }) => text.length,
  'ctrl+w': wordBefore,
  'alt+backspace': wordBefore,
};

function insert({ text, cursor }: TextField, added: string): TextField {
  return { text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length };
}

function remove({ text, cursor }: TextField, other: number): TextField {
  const [from, to] = other < cursor ? [other, cursor] : [cursor, other];
  return { text: text.slice(0, from) + text.slice(to), cursor: from };
}

function before({ text, cursor }: TextField): number {
  return cursor - (graphemes(text.slice(0, cursor)).at(-1)?.length ?? 0);
}

function after({ text, cursor }: TextField): number {
  return cursor + (graphemes(text.slice(cursor))[0]?.length ?? 0);
}

function wordBefore({ text, cursor }: TextField): number {
  return /\S*\s*$/.exec(text.slice(0, cursor))?.index ?? 0;
}

function wordAfter({ text, cursor }: TextField): number {
  return cursor + (/^\s*\S*/.exec(text.slice(cursor))?.[0].length ?? 0);
}

function graphemes(text: string): readonly string[] {
  return Array.from(new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text), ({ segment }) => segment);
}

/** The part of the text around the cursor that fits. The cursor is a cell in reverse; line feeds are a sign. */
export function drawField({ text, cursor }: TextField, columns: number): Line {
  const head = shown(text.slice(0, cursor));
  const [under = '', ...tail] = graphemes(text.slice(cursor));
  const at = under === '' ? ' ' : shown(under);
  const room = Math.max(0, columns - measureWidth(at));
  const visibleHead = cutToEnd(head, Math.max(0, room - (tail.length === 0 ? 0 : Math.min(8, Math.floor(room / 4)))));
  const rest = cutToWidth(shown(tail.join('')), Math.max(0, room - measureWidth(visibleHead)));
  return [span(visibleHead), span(at, { inverse: true }), span(rest)];
}

function shown(text: string): string {
  const plain = text.replaceAll('\n', '⏎').replaceAll('\t', ' ');
  return hiddenIn(plain).reduce((marked, character) => marked.replaceAll(character, toNotation(character)), plain);
}

function cutToEnd(text: string, columns: number): string {
  if (measureWidth(text) <= columns) return text;
  let end = '';
  for (const part of graphemes(text).toReversed()) {
    if (measureWidth(part) + measureWidth(end) + 1 > columns) break;
    end = part + end;
  }
  return columns < 1 ? '' : `…${end}`;
}
