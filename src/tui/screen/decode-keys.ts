import type { Pressed } from './key.ts';

export interface Decoded {
  readonly pressed: readonly Pressed[];
  /** The start of a sequence whose end has not arrived yet. */
  readonly rest: string;
}

const ESC = '\u001b';
const PASTE_START = `${ESC}[200~`;
const PASTE_END = `${ESC}[201~`;
/** Longer sequences are not keys of any terminal. */
const LONGEST_SEQUENCE = 4_096;
/** A text that is pasted and does not end is delivered in parts of this size. */
const LONGEST_PASTE = 1_000_000;

const LETTERS: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  Z: 'shift+tab',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
};
const NUMBERS: Readonly<Record<string, string>> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'page-up',
  6: 'page-down',
  7: 'home',
  8: 'end',
  11: 'f1',
  12: 'f2',
  13: 'f3',
  14: 'f4',
  15: 'f5',
  17: 'f6',
  18: 'f7',
  19: 'f8',
  20: 'f9',
  21: 'f10',
  23: 'f11',
  24: 'f12',
};
/** Code points of the `CSI u` form, which some terminals use for keys with modifiers. */
const CODES: Readonly<Record<string, string>> = { 9: 'tab', 13: 'enter', 27: 'escape', 32: ' ', 127: 'backspace' };

/** Reads what a terminal has sent. A sequence that is not known presses nothing; one that is not complete is returned as the rest. */
export function decodeKeys(text: string): Decoded {
  const pressed: Pressed[] = [];
  let at = 0;
  while (at < text.length) {
    const next = decodeOne(text, at);
    if (next === undefined) return { pressed, rest: text.slice(at) };
    if (next.pressed !== undefined && !isNothing(next.pressed)) pressed.push(next.pressed);
    if (next.rest !== undefined) return { pressed, rest: next.rest };
    at = next.end;
  }
  return { pressed, rest: '' };
}

const isNothing = (pressed: Pressed): boolean => pressed.kind === 'paste' && pressed.text === '';

/** Whether the rest is a pasted text whose end has not arrived. */
export const isOpenPaste = (rest: string): boolean => rest.startsWith(PASTE_START);

/** What the rest means if nothing follows it: a lone escape is the key. A pasted text is delivered as far as it came, and stays open. */
export function decodeRest(rest: string): Decoded {
  if (isOpenPaste(rest)) {
    const part = partOfPaste(rest, PASTE_START.length);
    return { pressed: [paste(part.text)].filter((pressed) => !isNothing(pressed)), rest: part.rest };
  }
  if (rest === ESC) return { pressed: [key('escape')], rest: '' };
  return { pressed: rest.length === 2 ? [key(`alt+${rest.slice(1)}`)] : [], rest: '' };
}

/**
 * What follows a pasted text that was quiet for a while. A single key comes from a person: the end of the text was lost. Several at
 * once, or one before the end, are more of the text: read as keys, its lines would be sent, and its letters would decide on work.
 */
export function decodeAfterPaste(rest: string, text: string): Decoded {
  const alone = decodeKeys(text);
  if (text.startsWith(PASTE_START)) return alone;
  const keys = alone.pressed.filter(({ kind }) => kind !== 'mouse').length + (alone.rest === '' ? 0 : 1);
  return keys <= 1 && !(rest + text).includes(PASTE_END) ? alone : decodeKeys(rest + text);
}

interface One {
  readonly pressed?: Pressed;
  readonly end: number;
  /** Everything was read, and this goes before what follows. */
  readonly rest?: string;
}

function decodeOne(text: string, at: number): One | undefined {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (character !== ESC) return { pressed: key(nameKey(character)), end: at + character.length };
  const second = text[at + 1];
  if (second === undefined) return undefined;
  if (second === '[') return controlSequence(text, at);
  if (second === 'O') return text[at + 2] === undefined ? undefined : named(shifted(text[at + 2] ?? ''), at + 3);
  if (second === ']' || second === 'P' || second === '_' || second === '^') return textSequence(text, at);
  if (second === ESC) return { pressed: key('escape'), end: at + 1 };
  const other = String.fromCodePoint(text.codePointAt(at + 1) ?? 0);
  return { pressed: key(`alt+${nameKey(other)}`), end: at + 1 + other.length };
}

function shifted(letter: string): string | undefined {
  return letter === 'M' ? 'enter' : LETTERS[letter];
}

function controlSequence(text: string, at: number): One | undefined {
  // The old form of a mouse event: three characters without a final letter.
  if (text[at + 2] === 'M') return text.length < at + 6 ? undefined : { end: at + 6 };
  const match = /^([0-?]*)[ -/]*([@-~])/.exec(text.slice(at + 2, at + 2 + LONGEST_SEQUENCE));
  if (match === null) return isBroken(text, at) ? { end: at + 2 } : undefined;
  const [whole, parameters = '', final = ''] = match;
  const end = at + 2 + whole.length;
  if (final === '~' && parameters === '200') return pasted(text, end);
  if (parameters.startsWith('<')) return mouse(parameters, final, end);
  const [first = '', modifiers = '1'] = parameters.split(';');
  const name = final === '~' ? NUMBERS[first] : final === 'u' ? codeName(first) : LETTERS[final];
  return named(name && withModifiers(name, Number(modifiers.split(':')[0])), end);
}

/** A character that cannot stand in a sequence: what follows is typed text again. */
function isBroken(text: string, at: number): boolean {
  return /[^\x20-\x7e]/.test(text.slice(at + 2)) || text.length - at > LONGEST_SEQUENCE;
}

function codeName(code: string): string | undefined {
  const value = Number(code.split(':')[0]);
  return CODES[value] ?? (value > 32 && value <= 0x10ffff ? String.fromCodePoint(value) : undefined);
}

function withModifiers(name: string, number: number): string {
  const bits = Math.max(0, (Number.isInteger(number) ? number : 1) - 1);
  const prefixes = [bits & 4 ? 'ctrl+' : '', bits & 2 ? 'alt+' : '', bits & 1 ? 'shift+' : ''].join('');
  return name.startsWith('shift+') ? name : `${prefixes}${name}`;
}

/** Answers of the terminal to a question, such as its colours: they end with BEL or ST. */
function textSequence(text: string, at: number): One | undefined {
  const match = /\u0007|\u001b\\/.exec(text.slice(at + 2, at + 2 + LONGEST_SEQUENCE));
  if (match !== null) return { end: at + 2 + match.index + match[0].length };
  return text.length - at > LONGEST_SEQUENCE ? { end: at + 2 } : undefined;
}

function pasted(text: string, from: number): One | undefined {
  const end = text.indexOf(PASTE_END, from);
  if (end !== -1) return { pressed: paste(text.slice(from, end)), end: end + PASTE_END.length };
  if (text.length - from <= LONGEST_PASTE) return undefined;
  const part = partOfPaste(text, from);
  return { pressed: paste(part.text), end: text.length, rest: part.rest };
}

/** The text so far. What may be the beginning of its end is kept for later, and what follows is pasted too. */
function partOfPaste(text: string, from: number): { readonly text: string; readonly rest: string } {
  const [begun = ''] = /(?:\u001b(?:\[(?:2(?:0(?:1)?)?)?)?)?$/.exec(text.slice(-PASTE_END.length)) ?? [];
  return { text: text.slice(from, text.length - begun.length), rest: `${PASTE_START}${begun}` };
}

/** A terminal sends line feeds as carriage returns, as if they were typed. */
const paste = (text: string): Pressed => ({ kind: 'paste', text: text.replace(/\r\n?/g, '\n') });

function mouse(parameters: string, final: string, end: number): One {
  const [button = 0, column = 1, row = 1] = parameters.slice(1).split(';').map(Number);
  const wheel = button & 64 ? ((button & 3) === 0 ? 'wheel-up' : (button & 3) === 1 ? 'wheel-down' : undefined) : undefined;
  const action = wheel ?? (final === 'M' && (button & ~28) === 0 ? 'press' : undefined);
  return action === undefined ? { end } : { pressed: { kind: 'mouse', action, column: column - 1, row: row - 1 }, end };
}

function named(name: string | undefined, end: number): One {
  return name === undefined ? { end } : { pressed: key(name), end };
}

const key = (name: string): Pressed => ({ kind: 'key', key: name });

const CONTROLS: Readonly<Record<string, string>> = {
  '\t': 'tab',
  '\r': 'enter',
  '\u007f': 'backspace',
  '\b': 'backspace',
  '\0': 'ctrl+space',
};

function nameKey(character: string): string {
  const name = CONTROLS[character];
  if (name !== undefined) return name;
  const code = character.codePointAt(0) ?? 0;
  if (code < 32) return `ctrl+${String.fromCharCode(code + 64).toLowerCase()}`;
  return character;
}
