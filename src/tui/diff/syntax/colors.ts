import type { Style } from '../../screen/line.ts';
import { shownLine } from '../draw/shown-line.ts';
import type { DiffFile } from '../parse/diff-file.ts';
import type { Hunk, PatchLine } from '../parse/patch.ts';
import { findLanguage } from './languages.ts';
import { type Open, splitTokens, type Token, type TokenKind } from './tokens.ts';

export const STYLES: Readonly<Record<TokenKind, Style>> = {
  plain: {},
  comment: { color: 'gray' },
  string: { color: 'yellow' },
  keyword: { color: 'magenta' },
  number: { color: 'cyan' },
};

/** Lines whose state is computed together. A comment that began further up than two blocks is not recognised. */
const BLOCK = 256;

const known = new WeakMap<Hunk, Map<number, readonly (Open | undefined)[]>>();

/** The parts of a line of a hunk by colour. Only what is drawn is read, with at most two blocks of lines above it. */
export function colorLine(file: DiffFile, hunk: Hunk, index: number, text: string): readonly Token[] {
  const language = findLanguage(file.path);
  if (language === undefined) return [{ end: text.length, kind: 'plain' }];
  const block = Math.floor(index / BLOCK);
  const blocks = known.get(hunk) ?? new Map<number, readonly (Open | undefined)[]>();
  known.set(hunk, blocks);
  let opens = blocks.get(block);
  if (opens === undefined) {
    opens = listOpenTokens(file, hunk, block);
    blocks.set(block, opens);
  }
  return splitTokens(text, language, opens[index - block * BLOCK]).tokens;
}

/** What is open before each line of the block: in the new file, or in the old one for a removed line. */
function listOpenTokens(file: DiffFile, hunk: Hunk, block: number): readonly (Open | undefined)[] {
  const language = findLanguage(file.path);
  const opens: (Open | undefined)[] = [];
  let old: Open | undefined;
  let now: Open | undefined;
  const start = Math.max(0, (block - 1) * BLOCK);
  const after = (line: PatchLine, open: Open | undefined) =>
    language && splitTokens(shownLine(line.text, file.isWindows).text, language, open).open;
  for (const [offset, line] of hunk.lines.slice(start, (block + 1) * BLOCK).entries()) {
    if (start + offset >= block * BLOCK) opens.push(line.sign === '-' ? old : now);
    const before: { readonly old: Open | undefined; readonly now: Open | undefined } = { old, now };
    if (line.sign !== '+') old = after(line, before.old);
    if (line.sign !== '-') now = line.sign === ' ' && before.old === before.now ? old : after(line, before.now);
  }
  return opens;
}
