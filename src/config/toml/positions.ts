import type { Mark } from '../problems/locate.ts';
import { keySegment } from './key-segment.ts';

export interface TableHeader {
  readonly path: readonly string[];
  /** The opening bracket. */
  readonly at: number;
  /** Just past the closing bracket. */
  readonly end: number;
}

export interface Marks {
  readonly marks: readonly Mark[];
  readonly headers: readonly TableHeader[];
}

// Runs (`+`) inside the loops keep the stack of the regular expression small on long texts.
const SCALAR = /"""(?:[^"\\]+|\\[\s\S]|"{1,2}(?!"))*"{3,5}|'''(?:[^']+|'{1,2}(?!'))*'{3,5}|"(?:[^"\\\n]+|\\.)*"|'[^'\n]*'|[^,\]}#\r\n]+/y;

type Path = readonly (string | number)[];

/**
 * Finds every key and value of a valid TOML text, because smol-toml reports no positions.
 * In a valid text it is enough to read the structure (brackets, strings, comments, dots).
 */
export function scanToml(text: string): Marks {
  return new TomlScanner(text).scan();
}

class TomlScanner {
  readonly #text: string;
  readonly #marks: Mark[] = [];
  readonly #headers: TableHeader[] = [];
  readonly #elements = new Map<string, number>();
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): Marks {
    let table: Path = [];
    for (this.#blanks(); this.#at < this.#text.length; this.#blanks()) {
      const before = this.#at;
      if (this.#text[this.#at] === '[') table = this.#header();
      else this.#keyValue(table);
      if (this.#at === before) break; // Not valid TOML after all: fewer marks are better than an endless loop.
    }
    return { marks: this.#marks, headers: this.#headers };
  }

  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #blanks(): void {
    this.#skip(/(?:[ \t\r\n]+|#[^\n]*)*/y);
  }

  #spaces(): void {
    this.#skip(/[ \t]*/y);
  }

  #key(base: Path): Path {
    let path = base;
    do {
      this.#spaces();
      if (this.#text[this.#at] === '.') this.#at += 1;
      this.#spaces();
      const keyAt = this.#at;
      path = [...path, keySegment(this.#skip(/"(?:[^"\\]+|\\.)*"|'[^']*'|[^\s.=\]]+/y))];
      this.#marks.push({ path, keyAt, valueAt: keyAt, end: this.#at });
      this.#spaces();
    } while (this.#text[this.#at] === '.');
    return path;
  }

  #keyValue(base: Path): void {
    const path = this.#key(base);
    const named = this.#marks.pop();
    this.#at += 1; // =
    this.#spaces();
    const valueAt = this.#at;
    const index = this.#marks.length;
    this.#value(path);
    this.#marks.splice(index, 0, { path, keyAt: named?.keyAt ?? valueAt, valueAt, end: this.#at });
  }

  #value(path: Path): void {
    if (this.#text[this.#at] === '[') this.#list(path);
    else if (this.#text[this.#at] === '{') this.#inlineTable(path);
    else this.#skip(SCALAR);
  }

  #list(path: Path): void {
    this.#at += 1;
    this.#blanks();
    for (let index = 0; this.#text[this.#at] !== ']' && this.#at < this.#text.length; index += 1) {
      const element = [...path, index];
      const start = this.#at;
      const place = this.#marks.length;
      this.#value(element);
      this.#marks.splice(place, 0, { path: element, keyAt: start, valueAt: start, end: this.#at });
      this.#blanks();
      if (this.#text[this.#at] === ',') this.#at += 1;
      this.#blanks();
    }
    this.#at += 1;
  }

  #inlineTable(path: Path): void {
    this.#at += 1;
    this.#blanks();
    while (this.#text[this.#at] !== '}' && this.#at < this.#text.length) {
      this.#keyValue(path);
      this.#blanks();
      if (this.#text[this.#at] === ',') this.#at += 1;
      this.#blanks();
    }
    this.#at += 1;
  }

  /** `[a.b]` or `[[a.b]]`: the path that the keys below it belong to. */
  #header(): Path {
    const start = this.#at;
    const repeated = this.#text.startsWith('[[', this.#at);
    this.#at += repeated ? 2 : 1;
    const named = this.#key([]);
    this.#at += repeated ? 2 : 1;
    this.#headers.push({ path: named.map(String), at: start, end: this.#at });
    if (!repeated) return this.#throughArrays(named);
    const parent = [...this.#throughArrays(named.slice(0, -1)), ...named.slice(-1)];
    const id = JSON.stringify(parent);
    const index = this.#elements.get(id) ?? 0;
    this.#elements.set(id, index + 1);
    const element = [...parent, index];
    this.#marks.push({ path: element, keyAt: start, valueAt: start, end: this.#at });
    return element;
  }

  /** Inside `[[a]]`, `[a.b]` means the newest element of `a`. */
  #throughArrays(named: Path): Path {
    let path: Path = [];
    for (const segment of named) {
      path = [...path, segment];
      const count = this.#elements.get(JSON.stringify(path));
      if (count !== undefined) path = [...path, count - 1];
    }
    return path;
  }
}
