import { stripVTControlCharacters } from 'node:util';
import { visibleText } from '../../base/visible-text.ts';
import { BASE64_RUN, looksRandom, RANDOM_WORD, SECRET_NAME, SECRET_SHAPES } from './secret-shapes.ts';
import { squeezed, type TextPart, withoutWraps } from './without-breaks.ts';

/** A value that must not be in the archive. */
export interface Secret {
  readonly value: string;
  /** Also where it was cut: its first or last characters are a secret too. False for addresses and the like. */
  readonly cut: boolean;
}

export interface Redacted<Value> {
  readonly value: Value;
  /** How many places were replaced. */
  readonly places: number;
}

export interface Redactor {
  /** Escape sequences and secrets are gone from the result. */
  text(text: string): Redacted<string>;
  /** The same for every key and string of a value. A list of strings counts as the lines of one text. */
  json(value: unknown): Redacted<unknown>;
  /** Whether one of the known values still is in a text. */
  holds(text: string): boolean;
}

type Range = readonly [from: number, to: number];
interface Needle {
  readonly whole: string;
  readonly cut: boolean;
}

const MARK = '[redacted]';
/** Fewer characters than this would match ordinary words. */
const SHORTEST = 6;
/** The first or last characters of a secret that was cut. */
const END_LENGTH = 8;

/** Removes known values in their usual encodings, words with the shape of a secret, and what the patterns match. */
export function redactor(secrets: readonly Secret[], patterns: readonly string[] = []): Redactor {
  const needles = listNeedles(secrets);
  const shapes = [...SECRET_SHAPES, ...patterns.map((source) => new RegExp(source, 'dgu'))];
  const rangesIn = (text: string) => {
    const [joined, dense] = [withoutWraps(text), squeezed(text)];
    return [
      ...shapeRanges(text, shapes),
      ...shapeRanges(joined.text, shapes).map((range) => placed(joined, range)),
      ...needleRanges(dense.text, needles).map((range) => placed(dense, range)),
      ...encodedRanges(joined.text, shapes, needles).map((range) => placed(joined, range)),
    ];
  };
  const text = (raw: string): Redacted<string> => {
    const plain = stripVTControlCharacters(raw);
    const { value, places } = replaced(plain, rangesIn(plain));
    return { value: visibleText(value), places };
  };
  return { text, json: (value) => redactJson(value, text), holds: (final) => holdsAny(squeezed(final).text, needles) };
}

function redactJson(value: unknown, text: Redactor['text']): Redacted<unknown> {
  let places = 0;
  const clean = (one: string): string => {
    const result = text(one);
    places += result.places;
    return result.value;
  };
  const walk = (inner: unknown): unknown => {
    if (typeof inner === 'string') return clean(inner);
    if (Array.isArray(inner)) return inner.every((each) => typeof each === 'string') ? lines(inner) : inner.map(walk);
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, each]) => [clean(key), isSecret(key, each) ? hide() : walk(each)]));
  };
  const lines = (list: readonly string[]) => (list.length === 0 ? [] : clean(list.join('\n')).split('\n'));
  const hide = () => {
    places += 1;
    return MARK;
  };
  const result = walk(value);
  return { value: result, places };
}

const isSecret = (key: string, value: unknown): boolean => typeof value === 'string' && value !== '' && SECRET_NAME.test(key);

/** Every way in which programs print a value: as it is, in base64 at each of three offsets, as hexadecimal digits, in a URL. */
function listNeedles(secrets: readonly Secret[]): readonly Needle[] {
  const found = new Map<string, Needle>();
  for (const { value, cut } of secrets) {
    const bytes = Buffer.from(value);
    const hex = bytes.toString('hex');
    const base64 = [0, 1, 2].flatMap((offset) => {
      const text = Buffer.concat([Buffer.alloc(offset), bytes])
        .toString('base64')
        .replace(/=+$/, '');
      // The first and the last characters also depend on the neighbours.
      const own = text.slice(offset === 0 ? 0 : offset + 1, text.length - ((bytes.length + offset) % 3 === 0 ? 0 : 1));
      return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
    });
    for (const form of [value, encodeURIComponent(value.toWellFormed()), hex, hex.toUpperCase(), ...base64]) {
      const whole = squeezed(form).text;
      if (whole.length >= SHORTEST) found.set(whole, { whole, cut: (found.get(whole)?.cut ?? false) || (cut && whole.length >= 12) });
    }
  }
  return [...found.values()];
}

function needleRanges(text: string, needles: readonly Needle[]): Range[] {
  return needles.flatMap(({ whole, cut }) => {
    if (!cut) return listPlaces(text, whole).map((at): Range => [at, at + whole.length]);
    const head = listPlaces(text, whole.slice(0, END_LENGTH)).map((at): Range => {
      let length = END_LENGTH;
      while (length < whole.length && text[at + length] === whole[length]) length += 1;
      return [at, at + length];
    });
    const tail = listPlaces(text, whole.slice(-END_LENGTH)).map((at): Range => {
      let length = END_LENGTH;
      const end = at + END_LENGTH;
      while (length < whole.length && text[end - length - 1] === whole[whole.length - length - 1]) length += 1;
      return [end - length, end];
    });
    return [...head, ...tail];
  });
}

/** Parts of a secret do not count: eight characters can meet by chance. */
const holdsAny = (text: string, needles: readonly Needle[]): boolean => needles.some(({ whole }) => text.includes(whole));

function listPlaces(text: string, needle: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) places.push(at);
  return places;
}

function shapeRanges(text: string, shapes: readonly RegExp[]): Range[] {
  const named = shapes.flatMap((shape) => [...text.matchAll(shape)].map(pickRange));
  const random = [...text.matchAll(RANDOM_WORD)].filter(([word]) => looksRandom(word)).map(pickRange);
  return [...named, ...random];
}

/** The first group, else the whole match. */
function pickRange({ indices }: RegExpExecArray): Range {
  return indices?.[1] ?? indices?.[0] ?? [0, 0];
}

/** Base64 of a text that holds a secret, such as a Kubernetes manifest. */
function encodedRanges(text: string, shapes: readonly RegExp[], needles: readonly Needle[]): Range[] {
  const runs = [...text.matchAll(BASE64_RUN)].filter(([run]) => {
    const inside = Buffer.from(run, 'base64').toString('latin1');
    return shapeRanges(inside, shapes).length > 0 || needleRanges(squeezed(inside).text, needles).length > 0;
  });
  return runs.map(pickRange);
}

const placed = ({ placeOf }: TextPart, [from, to]: Range): Range => [placeOf[from] ?? 0, (placeOf[to - 1] ?? 0) + 1];

function replaced(text: string, ranges: readonly Range[]): Redacted<string> {
  const sorted = ranges.filter(([from, to]) => to > from).toSorted((a, b) => a[0] - b[0]);
  const pieces: string[] = [];
  let places = 0;
  let end = 0;
  for (const [from, to] of sorted) {
    if (to <= end) continue;
    // Ranges that touch are one place.
    if (from > end || places === 0) {
      pieces.push(text.slice(end, from), MARK);
      places += 1;
    }
    end = to;
  }
  return { value: [...pieces, text.slice(end)].join(''), places };
}
