import { keySegment } from './key-segment.ts';

/** Where things stand in a TOML text, as offsets. */
export interface Mark {
  readonly path: readonly (string | number)[];
  /** The last segment of the key, or the element itself for a member of an array. */
  readonly keyAt: number;
  /** The value; for a table, its key. */
  readonly valueAt: number;
  /** Just past the value; for a table, just past its key. */
  readonly end: number;
}

export interface Header {
  readonly path: readonly string[];
  /** The opening bracket. */
  readonly at: number;
  /** Just past the closing bracket. */
  readonly end: number;
}

export interface Marks {
  readonly marks: readonly Mark[];
  readonly headers: readonly Header[];
}

// Runs inside the loops keep the regular expression's own stack small on long texts.
const SCALAR = /"""(?:[^"\\]+|\\[\s\S]|"{1,2}(?!"))*"{3,5}|'''(?:[^']+|'{1,2}(?!'))*'{3,5}|"(?:[^"\\\n]+|\\.)*"|'[^'\n]*'|[^,\]}#\r\n]+/y;

type Path = readonly (string | number)[];

/**
 * Finds every key and value of a text that is already known to be valid TOML: smol-toml reads values but
 * remembers no positions. Being valid lets this look only at structure (brackets, strings, comments, dots).
 */
export function scanToml(text: string): Marks {
  const marks: Mark[] = [];
  const headers: Header[] = [];
  const elements = new Map<string, number>();
  let at = 0;

  const skip = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? '';
    at += found.length;
    return found;
  };
  const blanks = () => skip(/(?:[ \t\r\n]+|#[^\n]*)*/y);
  const spaces = () => skip(/[ \t]*/y);

  function key(base: Path): Path {
    let path = base;
    do {
      spaces();
      if (text[at] === '.') at += 1;
      spaces();
      const keyAt = at;
      path = [...path, keySegment(skip(/"(?:[^"\\]+|\\.)*"|'[^']*'|[^\s.=\]]+/y))];
      marks.push({ path, keyAt, valueAt: keyAt, end: at });
      spaces();
    } while (text[at] === '.');
    return path;
  }

  function keyValue(base: Path): void {
    const path = key(base);
    const named = marks.pop();
    at += 1; // =
    spaces();
    const valueAt = at;
    const index = marks.length;
    value(path);
    marks.splice(index, 0, { path, keyAt: named?.keyAt ?? valueAt, valueAt, end: at });
  }

  function value(path: Path): void {
    if (text[at] === '[') list(path);
    else if (text[at] === '{') inlineTable(path);
    else skip(SCALAR);
  }

  function list(path: Path): void {
    at += 1;
    blanks();
    for (let index = 0; text[at] !== ']' && at < text.length; index += 1) {
      const element = [...path, index];
      const start = at;
      const place = marks.length;
      value(element);
      marks.splice(place, 0, { path: element, keyAt: start, valueAt: start, end: at });
      blanks();
      if (text[at] === ',') at += 1;
      blanks();
    }
    at += 1;
  }

  function inlineTable(path: Path): void {
    at += 1;
    blanks();
    while (text[at] !== '}' && at < text.length) {
      keyValue(path);
      blanks();
      if (text[at] === ',') at += 1;
      blanks();
    }
    at += 1;
  }

  /** `[a.b]` or `[[a.b]]`: the path that the keys below it belong to. */
  function header(): Path {
    const start = at;
    const repeated = text.startsWith('[[', at);
    at += repeated ? 2 : 1;
    const named = key([]);
    at += repeated ? 2 : 1;
    headers.push({ path: named.map(String), at: start, end: at });
    if (!repeated) return throughArrays(named);
    const parent = [...throughArrays(named.slice(0, -1)), ...named.slice(-1)];
    const id = JSON.stringify(parent);
    const index = elements.get(id) ?? 0;
    elements.set(id, index + 1);
    return [...parent, index];
  }

  /** Inside `[[a]]`, `[a.b]` means the newest element of `a`. */
  function throughArrays(named: Path): Path {
    let path: Path = [];
    for (const segment of named) {
      path = [...path, segment];
      const count = elements.get(JSON.stringify(path));
      if (count !== undefined) path = [...path, count - 1];
    }
    return path;
  }

  let table: Path = [];
  for (blanks(); at < text.length; blanks()) {
    const before = at;
    if (text[at] === '[') table = header();
    else keyValue(table);
    if (at === before) break; // Not valid TOML after all: better fewer marks than no end.
  }
  return { marks, headers };
}
