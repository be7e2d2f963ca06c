import type { Language } from './languages.ts';

export type TokenKind = 'plain' | 'comment' | 'string' | 'keyword' | 'number';

/** A part of a line, from the end of the part before it. */
export interface Token {
  readonly end: number;
  readonly kind: TokenKind;
}

/** A comment or a string that goes on in the next line. */
export interface Open {
  readonly end: string;
  readonly kind: 'comment' | 'string';
}

export interface Tokens {
  readonly tokens: readonly Token[];
  readonly open: Open | undefined;
}

/** No expression of it can match in two ways, so that a hostile line takes no longer than another. */
const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const NUMBER = /\d[\w.]*/y;
const BLANK = /\s+/y;

/**
 * The parts of one line by colour. Looks at each character a constant number of times. A diff shows parts of files, so an exact
 * grammar would be wrong as often: comments, strings, words and numbers are what helps to read it.
 */
export function splitTokens(line: string, language: Language, before: Open | undefined): Tokens {
  const tokens: Token[] = [];
  const push = (end: number, kind: TokenKind): number => {
    const last = tokens.at(-1);
    if (last?.kind === kind) tokens.pop();
    if (end > (last?.end ?? 0)) tokens.push({ end, kind });
    return end;
  };
  let at = 0;
  let open = before ?? docComment(line, language);
  const isFromHere = before === undefined;
  /** Quotes that have no end in this line: they are apostrophes. */
  const unclosed = new Set<string>();
  while (at < line.length) {
    if (open !== undefined) {
      const end = line.indexOf(open.end, at);
      at = push(end === -1 ? line.length : end + open.end.length, open.kind);
      if (end === -1) return { tokens, open: isFromHere && at === line.length && isDoc(open) ? undefined : open };
      open = undefined;
      continue;
    }
    const block = language.blocks.find(([start]) => line.startsWith(start, at));
    if (block !== undefined) {
      const [start, end, kind] = block;
      at = push(at + start.length, kind);
      open = { end, kind };
      continue;
    }
    if (isComment(line, at, language)) {
      push(line.length, 'comment');
      return { tokens, open: undefined };
    }
    const quote = line[at] ?? '';
    if (language.quotes.includes(quote) && !unclosed.has(quote)) {
      const end = endOfString(line, at);
      if (end === -1) unclosed.add(quote);
      at = end === -1 ? push(at + 1, 'plain') : push(end, 'string');
      continue;
    }
    const word = matchAt(WORD, line, at);
    if (word > at) at = push(word, language.words.has(line.slice(at, word)) ? 'keyword' : 'plain');
    else {
      const number = matchAt(NUMBER, line, at);
      at = number > at ? push(number, 'number') : push(Math.max(matchAt(BLANK, line, at), at + 1), 'plain');
    }
  }
  return { tokens, open };
}

const DOC: Open = { end: '*/', kind: 'comment' };
const isDoc = (open: Open): boolean => open === DOC;

/** ` * text` is inside a comment that began above the part of the file that the diff shows. */
function docComment(line: string, language: Language): Open | undefined {
  return language.blocks.some(([start]) => start === '/*') && /^ *\*(?: |\/|$)/.test(line) ? DOC : undefined;
}

/** `#` begins a comment only after a blank: not in `$#` or in a colour. */
function isComment(line: string, at: number, { comments }: Language): boolean {
  const start = comments.find((each) => line.startsWith(each, at));
  return start !== undefined && (start !== '#' || at === 0 || line[at - 1] === ' ');
}

function endOfString(line: string, start: number): number {
  for (let at = start + 1; at < line.length; at += 1) {
    if (line[at] === '\\') at += 1;
    else if (line[at] === line[start]) return at + 1;
  }
  return -1;
}

function matchAt(expression: RegExp, line: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(line) ? expression.lastIndex : at;
}
